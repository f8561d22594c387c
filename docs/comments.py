#!/usr/bin/env python3
"""Doxygen's input filter: the plain comments of the public headers become documentation, line by line.

usage: comments.py FILE; a comment on a line of its own describes what follows it, one after code what stands before it
"""
import pathlib
import re
import sys

OWN = re.compile(r"^(\s*)// ?(.*)$")
AFTER = re.compile(r"^(.*[;,{)}\w]\s+)// (.*)$")


def shown(text):
    """Text in which nothing is a command or a tag."""
    return re.sub(r"([@\\<>#&$%\"])", r"\\\1", text)


def converted(lines):
    """The first comment of a header is about the file."""
    in_first = True
    yield "/** @file */ "
    for line in lines:
        own, after = OWN.match(line), AFTER.match(line)
        if own:
            mark = "//!" if in_first else "///"
            yield f"{own[1]}{mark} {shown(own[2])}"
            continue
        in_first = False
        yield f"{after[1]}///< {shown(after[2])}" if after else line


def main():
    path = pathlib.Path(sys.argv[1])
    text = path.read_text()
    if path.suffix == ".hpp":
        text = "\n".join(converted(text.splitlines())) + "\n"
    elif path.suffix == ".h":
        text = "/** @file */ " + re.sub(r"/\* (?!----)", "/*! ", text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
