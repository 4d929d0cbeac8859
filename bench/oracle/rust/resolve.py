"""Prints where rustc says that the `use` and `mod` items of a Cargo workspace lead, as JSON Lines:

    {"file": "src/a.rs", "module": "crate::b", "resolved": ["src/b.rs"]}

An import means the file of the last module along its path: of `use crate::b::Item`, the file that holds b. A re-export means the
file where it stands; where it leads, the file that defines the item, is right as well and given as "also". The module given is the whole path, which "path":true says. Only what is compiled
is told, not what cfg leaves out.

    python3 resolve.py ROOT [CARGO-ARGUMENT]...        e.g. --workspace --all-targets --all-features

It runs `cargo check` with rustc's debugging output switched on, so it BUILDS the workspace: give it only code that you trust.
It needs cargo, and the crates that the workspace depends on.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OUT = "ORACLE_HIR_FOLDER"


def wrapper():
    """Stands in for rustc: compiles, and has the names of a member's crate resolved and written down."""
    command = sys.argv[1:]
    done = subprocess.run(command).returncode
    if done == 0 and "--crate-name" in command:
        name = command[command.index("--crate-name") + 1]
        kept = [a for a in command if not a.startswith(("--emit", "--error-format", "--json", "--diagnostic-width"))]
        with tempfile.NamedTemporaryFile(dir=os.environ[OUT], prefix=name + "-", suffix=".hir", delete=False) as out:
            out.write((os.getcwd() + "\n").encode())
            out.flush()
            subprocess.run([*kept, "-Zunpretty=hir-tree"], stdout=out, stderr=subprocess.DEVNULL)
    sys.exit(done)


ITEM = re.compile(r"^                owner_id: DefId\(0:\d+ ~ ([^)]+)\),$")
SPAN = re.compile(r"span: (.+?):(\d+):\d+: \d+:\d+ \(#")
MODULE = re.compile(r"^ +DefId\(\d+:\d+ ~ ([^)]+)\),$")


def items(lines):
    """The items of a dump, each as its definition path and lines."""
    owner, start = None, 0
    for i, line in enumerate(lines):
        m = ITEM.match(line)
        if m or line.startswith("DefId("):
            if owner:
                yield owner, lines[start:i]
            owner, start = (m.group(1), i) if m else (None, 0)
    if owner:
        yield owner, lines[start:]


def read(dump, files, uses):
    """Adds the files of modules, and the use items, of one crate."""
    base, *lines = dump.read_text(errors="replace").split("\n")
    base = pathlib.Path(base)
    for line in lines[:40]:
        if "inner_span" in line and (m := SPAN.search(line)):
            crate = next((ITEM.match(l).group(1) for l in lines if ITEM.match(l)), "")
            files[crate.split("::")[0]].add((base / m.group(1)).resolve())
            break
    found = [(owner, next((l.strip() for l in body[:4] if "kind: " in l), ""), body) for owner, body in items(lines)]
    for owner, kind, body in found:
        if kind == "kind: Mod(" and (m := next((SPAN.search(l) for l in body if "inner_span" in l), None)):
            files[owner].add((base / m.group(1)).resolve())
            if place := next((SPAN.search(l) for l in body if re.match(r"^                span: ", l)), None):
                uses.append(((base / place.group(1)).resolve(), ["mod", owner.split("::")[-1]], owner, []))
    for owner, kind, body in found:
        if kind == "kind: Use(":
            use(base, owner, body, files, uses)


def use(base, owner, body, files, uses):
    m = next((SPAN.search(l) for l in body if "span: " in l), None)
    if not m:
        return  # made by a macro or the compiler
    whole, meant = None, []  # the module that the path as a whole means, and what else it means
    names, modules = [], []  # segments, and for each the module that it means
    space = None
    for i, line in enumerate(body):
        stripped = line.strip()
        if stripped.startswith(("value_ns", "type_ns", "macro_ns")):
            space = stripped.split(":")[0]
        if stripped.startswith("ident: "):
            names.append(stripped[len("ident: "):].split("#")[0])
            modules.append(None)
            space = "segment"
        if space in ("value_ns", "type_ns", "macro_ns") and (d := MODULE.match(line)):
            meant.append(d.group(1))
        if stripped == "Mod," and (d := MODULE.match(body[i + 1])):
            if space == "segment":
                modules[-1] = d.group(1)
            elif space == "type_ns":
                whole = d.group(1)
    if not names:
        return
    if modules[-1] is None:
        modules[-1] = whole
    uses.append(((base / m.group(1)).resolve(), names, lead(owner, names, modules, files), meant))


def lead(owner, names, modules, files):
    """The last module along a path; a re-export ends it, for what it leads to has another path than the place it stands at."""
    at = owner
    while at and at not in files:
        at = at.rpartition("::")[0]  # of functions and blocks around the item
    start = True
    for name, module in zip(names, modules):
        if name == "super":
            at = at.rpartition("::")[0]
        elif name != "self":
            if module is None or not (start or module == f"{at}::{name}"):
                return None if start else at
            at = module
        start = False
    return at


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files, uses = collections.defaultdict(set), []
    with tempfile.TemporaryDirectory() as out, tempfile.TemporaryDirectory() as target:
        shim = pathlib.Path(out, "rustc-shim")
        shim.write_text(f"#!/bin/sh\nexec {sys.executable} {pathlib.Path(__file__).resolve()} \"$@\"\n")
        shim.chmod(0o755)
        env = {**os.environ, "RUSTC_WORKSPACE_WRAPPER": str(shim), "RUSTC_BOOTSTRAP": "1", OUT: out, "CARGO_TARGET_DIR": target}
        subprocess.run(["cargo", "check", "--quiet", "--keep-going", *sys.argv[2:]], cwd=root, env=env)
        for dump in sorted(pathlib.Path(out).glob("*.hir")):
            read(dump, files, uses)
    for file, names, module, meant in uses:
        if root not in file.parents:
            continue
        found = [f for f in files.get(module, ()) if root in f.parents]
        if names[0] == "mod" and found == [file]:
            continue  # an inline module
        also = set()
        for item in meant:
            while item and item not in files:
                item = item.rpartition("::")[0]
            also |= {f for f in files.get(item, ()) if root in f.parents}
        path = names[1] if names[0] == "mod" else "::".join(n for n in names if n != "{{root}}")
        print(json.dumps({
            "file": file.relative_to(root).as_posix(), "module": path, "path": True,
            "resolved": sorted(f.relative_to(root).as_posix() for f in found),
            "also": sorted(f.relative_to(root).as_posix() for f in also),
        }))


if os.environ.get(OUT):
    wrapper()
main()
