#!/usr/bin/env python3
"""Refuses a page whose first block of a language is not the program that it should be, character by character.

usage: check_readme.py [TOP_FOLDER]; exit 1 if one differs.
"""
import pathlib
import re
import sys

BLOCKS = [("README.md", "cpp", "examples/quickstart.cpp"), ("docs/c-api.md", "c", "examples/quickstart.c")]


def is_program(top, page, language, program):
    block = re.search(rf"^```{language}\n(.*?)^```$", (top / page).read_text(), re.MULTILINE | re.DOTALL)
    same = block and block[1] == (top / program).read_text()
    print(f"{page}: its first ```{language} block {'is' if same else 'must be'} {program}{'' if same else ' as it is'}")
    return same


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    sys.exit(0 if all([is_program(top, *block) for block in BLOCKS]) else 1)


if __name__ == "__main__":
    main()
