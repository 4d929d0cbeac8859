"""Prints where Python's import machinery finds what the files of a tree import, as JSON Lines:

    {"file": "pkg/a.py", "module": ".b", "resolved": ["pkg/b.py"]}

Modules are looked for with importlib's FileFinder, without running anything: below the folder that the importing file's own
top-level package lies in, then below its project (the nearest folder above with a pyproject.toml, setup.py or setup.cfg), the
root, and in each the folders given with --path (src and lib, if they are there). An import
means the file of the module that it names and, of the names it takes from a package, those that are modules themselves; a stub
beside a module belongs to it. What is not found there leads out of the tree.

    python3 resolve.py [--path DIR]... ROOT        (3.11 or newer; 3.12 for files with type statements)
"""
import argparse
import ast
import importlib.machinery
import json
import os
import pathlib

parser = argparse.ArgumentParser()
parser.add_argument("--path", action="append", default=[])
parser.add_argument("root")
options = parser.parse_args()
root = pathlib.Path(options.root).resolve()


def projects(folder):
    """The folders that top-level packages lie in, for the files of a folder."""
    bases = [root]
    while folder != root:
        if any((folder / m).exists() for m in ("pyproject.toml", "setup.py", "setup.cfg")):
            bases.insert(0, folder)
            break
        folder = folder.parent
    return [d for b in bases for d in [b, *(b / p for p in options.path or ["src", "lib"])] if d.is_dir()]


def own_folder(folder):
    """The folder that the top-level package of a folder's files lies in."""
    while folder != root and (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def find_one(name, folders):
    """The spec of a module in the first folder that has it; a folder without a file of its own counts last."""
    namespace = []
    for folder in folders:
        finder = importlib.machinery.FileFinder(
            folder, (importlib.machinery.SourceFileLoader, [".py"]), (importlib.machinery.SourceFileLoader, [".pyi"])
        )
        spec = finder.find_spec(name)
        if spec is None:
            continue
        if spec.loader is not None:
            return spec
        namespace += list(spec.submodule_search_locations or [])
    if not namespace:
        return None
    spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = namespace
    return spec


def find(parts, search):
    """The spec of a module, found step by step; None if there is none."""
    spec = None
    for part in parts:
        spec = find_one(part, search)
        if spec is None:
            return None
        search = list(spec.submodule_search_locations or [])
    return spec


def files_of(spec):
    if spec is None or not spec.origin or not spec.has_location:
        return []
    origin = pathlib.Path(spec.origin)
    return [f for f in (origin, origin.with_suffix(".pyi")) if f.exists() and f.suffix in (".py", ".pyi")]


def look(parts, names, search):
    spec = find(parts, search) if parts else None
    if parts and spec is None:
        return []
    found = files_of(spec)
    below = list(spec.submodule_search_locations or []) if spec else search
    for name in names:
        if name != "*" and below:
            found += files_of(find_one(name, below))
    return found


def resolve(file, module, level, names):
    parts = [p for p in module.split(".") if p]
    if level:
        base = file.parent
        for _ in range(level - 1):
            base = base.parent
        if base != root and root not in base.parents:
            return []
        if not parts:
            own = [f for f in (base / "__init__.py", base / "__init__.pyi") if f.exists()]
            return own + look([], names, [str(base)])
        return look(parts, names, [str(base)])
    for folder in [own_folder(file.parent), *projects(file.parent)]:
        found = look(parts, names, [str(folder)])
        if found and file not in found:
            return found
    return []


for folder, subfolders, names in os.walk(root):
    subfolders[:] = sorted(s for s in subfolders if s not in (".git", "node_modules"))
    for name in sorted(names):
        if not name.endswith((".py", ".pyi")):
            continue
        file = pathlib.Path(folder, name)
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                asked = [(a.name, 0, []) for a in node.names]
            elif isinstance(node, ast.ImportFrom):
                asked = [(node.module or "", node.level, [a.name for a in node.names])]
            else:
                continue
            for module, level, taken in asked:
                found = {f.relative_to(root).as_posix() for f in resolve(file, module, level, taken) if f != file and root in f.parents}
                print(json.dumps({"file": file.relative_to(root).as_posix(), "module": "." * level + module, "resolved": sorted(found)}))
