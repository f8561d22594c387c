#!/usr/bin/env python3
"""Runs the command line tests: scripts with their expected output and exit code.

usage: run.py --list FILE...                          the names of all cases, as FILE_STEM.CASE
       run.py --bloomery PROGRAM FILE_STEM.CASE       one case; exit 1 if it fails

A .test file holds cases:

  # a remark
  == case_name
  $ a line of bash          (all such lines of a case are one script)
  | a line of stdout        |~ a line of stdout that matches this regular expression
  ! a line of stderr        !~ the same for stderr
  = 2                       the exit code, 0 if absent

stdout and stderr must hold these lines and no others. The script runs in an empty folder, with bloomery
on the PATH, the test data in $DATA and the project's top folder in $TOP.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT_SECONDS = 240


class Case:
    def __init__(self, name):
        self.name, self.script, self.exit = name, [], 0
        self.expected = {"stdout": [], "stderr": []}

    def add(self, where, line):
        mark, rest = line[0], line[1:]
        matches = rest.startswith("~")
        text = rest[1:] if matches else rest
        text = text[1:] if text.startswith(" ") else text
        if mark == "$" and not matches:
            self.script.append(text)
        elif mark == "=" and not matches:
            self.exit = int(text)
        elif mark in "|!":
            self.expected["stdout" if mark == "|" else "stderr"].append((matches, text))
        else:
            sys.exit(f"{where}: what is this line? {line}")


def read_cases(path):
    cases = {}
    case = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path}:{number}"
        if line.startswith("== "):
            case = Case(line[3:].strip())
            if case.name in cases or not re.fullmatch(r"\w+", case.name):
                sys.exit(f"{where}: a case needs a name of its own, of letters, digits and _")
            cases[case.name] = case
        elif line and not line.startswith("#"):
            if case is None:
                sys.exit(f"{where}: a line before the first case")
            case.add(where, line)
    return cases


def difference(what, expected, got):
    """What is wrong with this stream, or nothing."""
    lines = got.decode(errors="backslashreplace").split("\n")
    if lines[-1] == "":
        lines.pop()
    fits = len(lines) == len(expected) and all(
        re.fullmatch(text, line) if matches else text == line for (matches, text), line in zip(expected, lines))
    if fits:
        return []
    wanted = [("~ " if matches else "  ") + text for matches, text in expected]
    return [f"{what} should be:", *wanted, f"{what} is:", *("  " + line for line in lines[:60])]


def run(case, bloomery):
    """The complaints about a case."""
    env = dict(os.environ, DATA=str(HERE.parent / "data"), TOP=str(HERE.parent.parent), LC_ALL="C", NO_COLOR="1",
               PATH=f"{bloomery.parent}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory(prefix="bloomery-test.") as folder:
        done = subprocess.run(["bash", "-c", "\n".join(case.script)], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=TIMEOUT_SECONDS)
    complaints = [] if done.returncode == case.exit else [f"exit code should be {case.exit}, is {done.returncode}"]
    for what in ("stdout", "stderr"):
        complaints += difference(what, case.expected[what], getattr(done, what))
    return complaints


def main():
    args = sys.argv[1:]
    if args[:1] == ["--list"]:
        for path in map(pathlib.Path, args[1:]):
            for name in read_cases(path):
                print(f"{path.stem}.{name}")
        return
    if len(args) != 3 or args[0] != "--bloomery":
        sys.exit(__doc__)
    stem, _, name = args[2].partition(".")
    case = read_cases(HERE / f"{stem}.test").get(name)
    if case is None:
        sys.exit(f"there is no case {args[2]}")
    complaints = run(case, pathlib.Path(args[1]).resolve())
    print("\n".join([f"$ {line}" for line in case.script] + complaints))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
