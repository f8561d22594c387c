#!/usr/bin/env python3
"""Refuses what does not belong in a text file of this project: tabs, trailing blanks, a missing or doubled last
newline, paths of somebody's machine, sources of 400 lines and more.

usage: check_text.py [TOP_FOLDER]; exit 1 if there is something to refuse.
"""
import pathlib
import re
import sys

FOLDERS = ["include", "src", "cli", "python", "redis", "examples", "tests", "bench", "fuzz", "tools", "scripts", "cmake", "docs", ".ci",
           "web"]
EXEMPT = ["examples/data", "tests/golden", "tests/data", "tools/fixtures"]  # data: any bytes
SUFFIXES = {".hpp", ".h", ".cpp", ".c", ".py", ".pyi", ".sh", ".cmake", ".txt", ".md", ".json", ".js", ".mjs", ".css", ".html", ""}
SHORT = {".hpp", ".h", ".cpp", ".js", ".mjs", ".css"}
MAX_LINES = 399
MACHINE_PATH = re.compile(r"(?<![\w.\-/])/(home|root|work|Users)/\w")


def complaints_about(name, suffix, text):
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield f"{name}:{number}: a tab; use spaces"
        if line != line.rstrip():
            yield f"{name}:{number}: blanks at the end of the line"
        if MACHINE_PATH.search(line):
            yield f"{name}:{number}: a path of one machine; make it relative"
    if text and (lines[-1] or len(lines) > 2 and not lines[-2]):
        yield f"{name}:{len(lines)}: must end with one newline"
    if suffix in SHORT and len(lines) - 1 > MAX_LINES:
        yield f"{name}:{len(lines) - 1}: {len(lines) - 1} lines; at most {MAX_LINES}: split it"


def text_files(top):
    for file in sorted([*top.glob("*"), *(f for folder in FOLDERS for f in (top / folder).rglob("*"))]):
        name = file.relative_to(top).as_posix()
        if file.name == ".git" or not file.is_file() or file.suffix not in SUFFIXES:
            continue
        if not any(name.startswith(e + "/") for e in EXEMPT):
            yield name, file


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
    complaints, files = [], 0
    for name, file in text_files(top):
        data = file.read_bytes()
        if b"\0" in data or name == "LICENSE":
            continue
        files += 1
        complaints += complaints_about(name, file.suffix, data.decode(errors="replace"))
    if not files:
        complaints.append(f"{top}: no text found")
    print("\n".join(complaints) if complaints else f"{files} text files: clean")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
