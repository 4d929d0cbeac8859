#!/usr/bin/env python3
"""Prints where the mod items and the uses of a tree lead, as JSON Lines:

    {"file":"src/main.rs","module":"crate::shelf","line":3,"resolved":["src/shelf.rs"]}

Cargo says which crates there are and by which names they know each other; the modules of each crate are then read from
its root, by the rules of the Rust reference, and paths followed through them. An import leads to the file of the last
module on its path; what a module re-exports counts as one of its items, unless --reexports asks to go on to the modules
among them. One that leads out of the tree has "resolved":[], one whose first name is unknown "failed":true. What macros
make of their arguments is not seen, but for modules, uses and items written in them; imports in there are not printed.

It needs cargo and Python 3.11, and no dependency of the tree: cargo is asked offline.

    python3 resolve.py [--reexports] ROOT
"""
import json
import os
import re
import subprocess
import sys
import tomllib

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)|(?P<block>/\*)|(?P<raw>[bc]?r(?P<hash>\#*)".*?"(?P=hash))"""
    r"""|(?P<text>[bc]?"(?:\\.|[^"\\])*")|(?P<char>b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\\n])')|(?P<life>'\w+)"""
    r"""|(?P<word>(?:r\#)?[^\W\d]\w*)|(?P<sign>::|.)""", re.S)
LIBRARIES = {"lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"}
OUTSIDE = "outside"
STANDARD = {"std", "core", "alloc", "proc_macro", "test"}
CLOSING = {"{": "}", "(": ")", "[": "]"}


def tokens(text):
    """Gives (text, line) of what is neither space nor comment; strings keep their quotes."""
    out, at, line = [], 0, 1
    while at < len(text):
        m = TOKEN.match(text, at)
        end = m.end()
        if m.lastgroup == "block":
            depth = 0
            for c in re.compile(r"/\*|\*/").finditer(text, at):
                depth += 1 if c[0] == "/*" else -1
                if depth == 0:
                    end = c.end()
                    break
            else:
                end = len(text)
        elif not m["space"]:
            word = m[0]
            out.append((word[2:] if word.startswith("r#") and m["word"] else word, line))
        line += text.count("\n", at, end)
        at = end
    return out


class Crate:
    def __init__(self, target, package):
        self.edition, self.package, self.externs, self.root = target["edition"], package, {}, None
        self.kind, self.src = set(target["kind"]), target["src_path"]


class Scope:
    """A module, or a block in one: module is then the module around it."""

    def __init__(self, crate, file, folder, parent=None, module=None):
        self.crate, self.file, self.folder, self.parent = crate, file, folder, parent
        self.module = module or self
        self.children, self.items, self.uses, self.globs = {}, set(), {}, []


class Reader:
    """Reads one file into a scope, and the files of its modules."""

    def __init__(self, scope, found, path):
        self.found, self.folder, self.file = found, os.path.dirname(path), path
        with open(path, encoding="utf-8", errors="replace") as f:
            self.toks = tokens(f.read().removeprefix("\ufeff"))
        self.ends = self.match()
        self.read(scope, 0, len(self.toks), True, False)

    def match(self):
        ends, open_ = {}, []
        for i, (t, _) in enumerate(self.toks):
            if t in CLOSING:
                open_.append(i)
            elif t in "})]" and open_:
                ends[open_.pop()] = i
        return ends

    def at(self, i):
        return self.toks[i][0] if 0 <= i < len(self.toks) else ""

    def read(self, scope, i, end, top, quiet):
        """top: the scope is the file's own, so that #[path] counts from the file's folder."""
        paths, start = [], None
        while i < end:
            t, line = self.toks[i]
            if start is None or self.at(i - 1) in ("{", "}", ";", "]"):
                start = line
            if t == "#":
                j = i + 1 + (self.at(i + 1) == "!")
                close = self.ends.get(j, j)
                for k in range(j, close):
                    if self.at(k) == "path" and self.at(k + 1) == "=":
                        paths.append((self.at(k + 2).strip('"'), self.at(j + 1) != "path"))
                i, start = close + 1, None
                continue
            if t == "macro_rules" and self.at(i + 1) == "!":
                scope.items.add(self.at(i + 2))
                i = self.ends.get(i + 3, i + 3) + 1
                start = None
            elif t == "!" and self.at(i - 1).isidentifier() and self.at(i + 1) in CLOSING:
                close = self.ends.get(i + 1, end)
                if scope is scope.module:
                    self.read(scope, i + 2, close, top, True)
                i = close + 1
                start = None
            elif t == "mod" and self.at(i + 2) in (";", "{") and self.at(i + 1).isidentifier():
                i = self.module(scope, i, start, paths, top, quiet)
                start = None
            elif t == "use" and self.at(i + 1) != "<" and self.at(i - 1) != ".":
                close = i
                while close < end and self.at(close) != ";":
                    close += 1
                self.tree(scope, i + 1, [], start, quiet)
                i, start = close + 1, None
            elif t == "extern" and self.at(i + 1) == "crate":
                self.extern(scope, i + 2, start, quiet)
                i, start = i + 3, None
            elif t == "{":
                close = self.ends.get(i, end)
                inner = Scope(scope.crate, scope.file, scope.folder, scope, scope.module)
                self.read(inner, i + 1, close, top, quiet)
                i, start = close + 1, None
            else:
                if t in ("struct", "enum", "union", "trait", "fn", "type", "const", "static"):
                    scope.items.add(self.at(i + 1 + (self.at(i + 1) in ("mut", "fn", "unsafe"))))
                i += 1
            if t not in ("pub", "(", ")", "crate", "super", "self", "in", "unsafe"):
                paths = []

    def module(self, scope, i, start, paths, top, quiet):
        name, owner = self.at(i + 1), scope
        base = self.folder if top else scope.module.folder
        inside = os.path.join(scope.module.folder, name)
        if self.at(i + 2) == "{":
            if paths:
                inside = os.path.join(base, paths[-1][0])
            child = Scope(scope.crate, scope.file, inside, owner)
            owner.children.setdefault(name, []).append(child)
            close = self.ends.get(i + 2, len(self.toks))
            self.read(child, i + 3, close, False, quiet)
            return close + 1
        places = [(os.path.join(base, p), os.path.dirname(os.path.join(base, p))) for p, _ in paths]
        if not paths or all(maybe for _, maybe in paths):
            places += [(inside + ".rs", inside), (os.path.join(inside, "mod.rs"), inside)]
        files = []
        for file, folder in places:
            file = os.path.normpath(file)
            if not os.path.isfile(file) or scope.crate.package["depth"] > 60:
                continue
            child = Scope(scope.crate, file, folder, owner)
            owner.children.setdefault(name, []).append(child)
            files.append(file)
            scope.crate.package["depth"] += 1
            Reader(child, self.found, file)
            scope.crate.package["depth"] -= 1
        if not quiet:
            self.found.append((self.file, start, name, None, files))
        return i + 3

    def extern(self, scope, i, start, quiet):
        name, bound = self.at(i), self.at(i)
        if self.at(i + 1) == "as":
            bound = self.at(i + 2)
        scope.uses.setdefault(bound, []).append(["", name])
        if scope.parent is None:
            scope.crate.externs[bound] = name
        if not quiet and name != "self":
            self.found.append((self.file, start, name, (scope, ["", name], False), None))

    def tree(self, scope, i, prefix, start, quiet):
        path = list(prefix)
        while True:
            t = self.at(i)
            if t == "{":
                i += 1
                while self.at(i) not in ("}", ""):
                    i = self.tree(scope, i, path, start, quiet)
                    i += self.at(i) == ","
                return i + 1
            if t == "*":
                scope.globs.append(path)
                self.use(scope, path, path, start, quiet)
                return i + 1
            if t == "::":
                if not path:
                    path.append("")
            elif t in (",", "}", ";", "as", ""):
                break
            else:
                path.append(t)
            i += 1
        if len(path) == len(prefix):
            return i
        whole, module = path, path[:-1]
        if path[-1] == "self" and len(path) > 1:
            whole = path[:-1]
        bound = whole[-1]
        if self.at(i) == "as":
            bound, i = self.at(i + 1), i + 2
        scope.uses.setdefault(bound, []).append(whole)
        self.use(scope, whole, module or whole, start, quiet)
        return i

    def use(self, scope, whole, module, start, quiet):
        if not quiet:
            names = [n for n in module if n] or [n for n in whole if n]
            self.found.append((self.file, start, "::".join(names), (scope, whole, True), None))


class Paths:
    """Follows paths. A place is a module, OUTSIDE, or ("item", module)."""

    def __init__(self, reexports):
        self.reexports, self.busy = reexports, set()

    def extern(self, crate, name):
        if name == "self":
            return {crate.root}
        target = crate.package["known"].get((name, crate.src))
        if target is None and crate.externs.get(name, name) != name:
            return self.extern(crate, crate.externs[name])
        if target is not None:
            return {target.root}
        return {OUTSIDE} if name in STANDARD or name in crate.package["names"] else set()

    def lookup(self, module, name):
        """What a name in a scope itself means."""
        key = (id(module), name)
        if key in self.busy:
            return set()
        self.busy.add(key)
        try:
            out = set(module.children.get(name, []))
            for path in module.uses.get(name, []):
                places, last = self.follow(module, path)
                out |= places if last else {("item", p) for p in places if p != OUTSIDE}
            if not any(isinstance(p, Scope) for p in out) and name in module.items:
                out.add(("item", module.module))
            if out:
                return out
            for path in module.globs:
                for place in self.follow(module, path)[0]:
                    if isinstance(place, Scope) and place is not module:
                        out |= self.lookup(place, name)
            return out
        finally:
            self.busy.discard(key)

    def first(self, scope, name):
        crate = scope.crate
        if name in ("crate", "$crate"):
            return {crate.root}
        if name == "self":
            return {scope.module}
        if name == "super":
            return {parent(scope.module)} - {None}
        if name == "":
            return set()
        at = scope
        while at is not None:
            if out := self.lookup(at, name):
                return out
            if at is at.module:
                break
            at = at.parent
        return self.extern(crate, name)

    def follow(self, scope, path):
        """Gives the modules on the end of a path, and whether all of the path was modules."""
        rest = list(path)
        if rest and rest[0] == "" and len(rest) > 1:
            places, rest = self.extern(scope.crate, rest[1]), rest[2:]
        elif scope.crate.edition == "2015" and rest and rest[0] not in ("crate", "self", "super", "$crate"):
            places = self.lookup(scope.crate.root, rest[0]) or self.extern(scope.crate, rest[0])
            rest = rest[1:]
        elif rest:
            places, rest = self.first(scope, rest[0]), rest[1:]
        else:
            places = {scope.crate.root}
        for name in rest:
            if name == "super":
                places = {parent(p) for p in places if isinstance(p, Scope)} - {None}
                continue
            step = set()
            for p in places:
                if not isinstance(p, Scope):
                    continue
                found = self.lookup(p, name) if self.reexports else p.children.get(name, [])
                step |= {q for q in found if isinstance(q, Scope)}
            if not step:
                return {p[1] if isinstance(p, tuple) else p for p in places}, False
            places = step
        done = not any(isinstance(p, tuple) for p in places)
        return {p[1] if isinstance(p, tuple) else p for p in places}, done


def parent(module):
    return module.parent.module if module.parent is not None else None


def packages(root):
    """Gives what cargo knows of the packages of the tree, and of the patches of their workspaces."""
    seen, patches = {}, {}
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in ("target", ".git"))
        manifest = os.path.join(folder, "Cargo.toml")
        if "Cargo.toml" not in files or manifest in seen:
            continue
        answer = subprocess.run(["cargo", "metadata", "--no-deps", "--offline", "--format-version=1",
                                 "--manifest-path", manifest], capture_output=True, text=True)
        if answer.returncode:
            print(f"resolve: {manifest}: {answer.stderr.strip().splitlines()[-1]}", file=sys.stderr)
            continue
        data = json.loads(answer.stdout)
        with open(os.path.join(data["workspace_root"], "Cargo.toml"), "rb") as f:
            patch = tomllib.load(f).get("patch", {})
        for table in patch.values():
            for name, entry in table.items():
                if isinstance(entry, dict) and "path" in entry:
                    place = os.path.normpath(os.path.join(data["workspace_root"], entry["path"]))
                    patches[data["workspace_root"], entry.get("package", name)] = place
        for p in data["packages"]:
            p["workspace"] = data["workspace_root"]
            seen.setdefault(p["manifest_path"], p)
    return seen, patches


def crates(root):
    known, patches = packages(root)
    all_, libraries = [], {}
    for manifest, p in known.items():
        p.update(depth=0, known={}, names=set(), crates=[Crate(t, p) for t in p["targets"]])
        for t, c in zip(p["targets"], p["crates"]):
            c.name = t["name"].replace("-", "_")
            if c.kind & LIBRARIES:
                libraries[os.path.dirname(manifest)] = c
        all_ += p["crates"]
    for manifest, p in known.items():
        own = libraries.get(os.path.dirname(manifest))
        for d in p["dependencies"]:
            place = d.get("path") or patches.get((p["workspace"], d["name"]))
            library = libraries.get(os.path.normpath(place)) if place else None
            name = (d["rename"] or (library.name if library else d["name"])).replace("-", "_")
            p["names"].add(name)
            for c in p["crates"]:
                build = "custom-build" in c.kind
                if library and build == (d["kind"] == "build"):
                    p["known"][name, c.src] = library
        for c in p["crates"]:
            if own and c is not own and "custom-build" not in c.kind:
                p["known"][own.name, c.src] = own
    return all_


def main():
    args = sys.argv[1:]
    reexports = "--reexports" in args
    if reexports:
        args.remove("--reexports")
    if len(args) != 1:
        sys.exit("usage: resolve.py [--reexports] ROOT")
    root = os.path.realpath(args[0])
    sys.setrecursionlimit(20000)
    found, all_ = [], crates(root)
    for c in all_:
        if os.path.isfile(c.src):
            c.root = Scope(c, c.src, os.path.dirname(c.src))
            Reader(c.root, found, c.src)
    paths, answers = Paths(reexports), {}
    for file, line, module, path, files in found:
        if path is None:
            places, failed = files, not files
        else:
            places = paths.follow(path[0], path[1])[0]
            failed = not places
            places = {p.file for p in places if isinstance(p, Scope)}
        key = (file, line, module, tuple(path[1]) if path else ())
        answer = answers.setdefault(key, [set(), True])
        answer[0] |= {os.path.relpath(p, root) for p in places if p and p.startswith(root + os.sep)}
        answer[1] &= failed
    for (file, line, module, _), (files, failed) in sorted(answers.items(), key=lambda a: a[0]):
        out = {"file": os.path.relpath(file, root), "module": module, "line": line, "resolved": sorted(files)}
        if failed:
            out["failed"] = True
        print(json.dumps(out))


if __name__ == "__main__":
    main()
