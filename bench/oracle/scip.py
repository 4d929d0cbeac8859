"""Prints what a SCIP index says that the names of a tree mean, as JSON Lines:

    {"file":"a.rs","start":120,"name":"F","to":[{"file":"b.rs","start":40}]}

start is the byte offset of a name. "to" is empty where the name means nothing that stands in the tree; locals and fields
stand in it and are told like the rest. Indexes come from the languages' own front ends:

    rust-analyzer scip ROOT --output index.scip
    scip-typescript index --output index.scip        (the TypeScript language service; in ROOT)
    scip-python index . --output index.scip          (pyright; in ROOT)
    python3 bench/oracle/scip.py index.scip ROOT > oracle.jsonl

The format is that of https://github.com/sourcegraph/scip/blob/main/scip.proto; only what is needed is read of it.

Names in import statements and lists of exports are left out: they bring a name in or pass it on, and are no reference.
So are keywords, which rust-analyzer ties to what they stand for: await to a poll.
"""

import ast
import bisect
import json
import os
import re
import sys

DEFINITION = 1

# A statement that brings names in or passes them on. Strings and comments that look like one are too rare to count.
IMPORTS = {
    ".rs": re.compile(rb"^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?(?:use|extern[ \t]+crate)\b[^;]*;", re.M),
    ".ts": re.compile(
        rb"^[ \t]*(?:import\b[^'\"();=]*(?:from[ \t]*)?['\"][^'\"\n]*['\"]|export[ \t]+(?:type[ \t]+)?(?:\{[^}]*\}|\*[^'\"\n]*))"
        rb"|^[ \t]*import\b[^'\"();\n]*=[^\n]*",
        re.M,
    ),
}
for extension in (".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs"):
    IMPORTS[extension] = IMPORTS[".ts"]


KEYWORDS = {"await", "crate", "self", "Self", "super"}


def imports(path, text):
    """Gives the ranges of the import statements of a file, as byte offsets."""
    extension = os.path.splitext(path)[1]
    if extension in IMPORTS:
        return [m.span() for m in IMPORTS[extension].finditer(text.raw)]
    if extension not in (".py", ".pyi"):
        return []
    try:
        tree = ast.parse(text.raw)
    except (SyntaxError, ValueError):
        return []
    return [
        (text.starts[n.lineno - 1] + n.col_offset, text.starts[n.end_lineno - 1] + n.end_col_offset)
        for n in ast.walk(tree)
        if isinstance(n, (ast.Import, ast.ImportFrom))
    ]


def varint(b, i):
    shift = value = 0
    while True:
        c = b[i]
        i += 1
        value |= (c & 0x7F) << shift
        if c < 0x80:
            return value, i
        shift += 7


def fields(b):
    """Gives the fields of an encoded message: number and value."""
    i = 0
    while i < len(b):
        tag, i = varint(b, i)
        kind = tag & 7
        if kind == 0:
            value, i = varint(b, i)
        elif kind == 2:
            size, i = varint(b, i)
            value, i = b[i : i + size], i + size
        elif kind == 1:
            value, i = b[i : i + 8], i + 8
        else:
            value, i = b[i : i + 4], i + 4
        yield tag >> 3, value


def numbers(b):
    i, out = 0, []
    while i < len(b):
        n, i = varint(b, i)
        out.append(n)
    return out


class Text:
    """Turns a line and a column into a byte offset."""

    def __init__(self, path, encoding):
        with open(path, "rb") as f:
            self.raw = f.read()
        self.lines = self.raw.split(b"\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.encoding = encoding

    def offset(self, line, column):
        text = self.lines[line]
        if not text.isascii() and self.encoding != 1:  # 1: columns are bytes
            s = text.decode("utf-8", "replace")
            if self.encoding == 3:  # code points
                column = len(s[:column].encode())
            else:
                column = len(s.encode("utf-16-le")[: 2 * column].decode("utf-16-le", "replace").encode())
        return self.starts[line] + column


def documents(index):
    for number, value in fields(index):
        if number != 2:
            continue
        path, occurrences, encoding = "", [], 0
        for n, v in fields(value):
            if n == 1:
                path = v.decode()
            elif n == 2:
                occurrences.append(occurrence(v))
            elif n == 6:
                encoding = v
        yield path, occurrences, encoding


def occurrence(b):
    span, symbol, roles = [], "", 0
    for n, v in fields(b):
        if n == 1:
            span = numbers(v)
        elif n == 2:
            symbol = v.decode()
        elif n == 3:
            roles = v
    return span, symbol, roles


def within(spans, at):
    i = bisect.bisect_right(spans, (at, sys.maxsize)) - 1
    return i >= 0 and at < spans[i][1]


def main():
    index, root = sys.argv[1:]
    with open(index, "rb") as f:
        all_documents = [d for d in documents(f.read()) if os.path.isfile(os.path.join(root, d[0]))]
    names, definitions = {}, {}
    for path, occurrences, encoding in all_documents:
        text = Text(os.path.join(root, path), encoding)
        found = names[path] = []
        spans = sorted(imports(path, text))
        for span, symbol, roles in occurrences:
            line, column = span[0], span[1]
            end_line, end = (span[0], span[2]) if len(span) == 3 else (span[2], span[3])
            if end_line != line or line >= len(text.lines):
                continue
            start, end = text.offset(line, column), text.offset(line, end)
            name = text.raw[start:end].decode("utf-8", "replace")
            if not name.isidentifier() and not name.startswith(("#", "r#")):
                continue
            if path.endswith(".rs") and name in KEYWORDS:
                continue
            if symbol.startswith("local "):
                symbol = path + "\0" + symbol
            if roles & DEFINITION == 0 and within(spans, start):
                continue
            if roles & DEFINITION:
                definitions.setdefault(symbol, []).append({"file": path, "start": start})
            else:
                found.append((start, name, symbol))
    for path, found in names.items():
        by_place = {}
        for start, name, symbol in found:
            by_place.setdefault((start, name), []).extend(definitions.get(symbol, []))
        for (start, name), to in by_place.items():
            print(json.dumps({"file": path, "start": start, "name": name, "to": to}, separators=(",", ":")))


main()
