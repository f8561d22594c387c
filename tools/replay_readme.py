#!/usr/bin/env python3
"""Runs the commands of a page's ```console blocks and compares what they print with what the page shows.

usage: replay_readme.py BLOOMERY PAGE; exit 1 if they differ. Speeds are not compared.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def shown_sessions(page):
    """(command, output) for every line that begins with "$ "."""
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def without_speed(text):
    return re.sub(r"[\d,.]+ lines/s, [\d.]+ s", "SPEED", text)


def main():
    tool, page = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    environment = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}", "LC_ALL": "C"}
    wrong = commands = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(pathlib.Path(__file__).resolve().parents[1] / "examples", pathlib.Path(folder, "examples"))
        for command, shown in shown_sessions(page.read_text()):
            commands += 1
            ran = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if without_speed(ran.stdout) != without_speed(shown):
                wrong += 1
                print(f"{page.name}: {command}\n--- the page shows\n{shown}--- it prints\n{ran.stdout}")
    print(f"{commands} commands, {wrong} differ from what {page.name} shows")
    sys.exit(1 if wrong or not commands else 0)


if __name__ == "__main__":
    main()
