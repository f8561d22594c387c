#!/usr/bin/env python3
"""Refuses a README whose first C++ block is not examples/quickstart.cpp, character by character.

usage: check_readme.py [TOP_FOLDER]; exit 1 if they differ.
"""
import pathlib
import re
import sys


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    block = re.search(r"^```cpp\n(.*?)^```$", (top / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    program = (top / "examples/quickstart.cpp").read_text()
    if not block or block[1] != program:
        print("README.md: its first ```cpp block must be examples/quickstart.cpp as it is")
        sys.exit(1)
    print(f"README.md: its {len(program.splitlines())} lines are examples/quickstart.cpp")


if __name__ == "__main__":
    main()
