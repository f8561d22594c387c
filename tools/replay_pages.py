#!/usr/bin/env python3
"""Runs the commands of the ```console blocks of pages and compares what they print with what is shown.

usage: replay_pages.py [--write] BLOOMERY PAGE...; exit 1 if one differs.
--write: puts what they print into the pages instead.

Each page runs in a folder of its own, from top to bottom, with examples/ and tests/ of the project in it.
A line "$ COMMAND" is run by bash, with the lines after it that begin with "> ". Speeds and the names of kernels are not compared.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)


def without_machine(text):
    """What differs from machine to machine goes."""
    text = re.sub(r"[\d,.]+ lines/s, [\d.]+ s", "SPEED", text)
    return re.sub(r"^kernel  .*$", "KERNEL", text, flags=re.MULTILINE)


class Replay:
    def __init__(self, page, tool, folder):
        self.page, self.folder = page, folder
        self.environment = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}", "LC_ALL": "C"}
        self.commands = self.wrong = 0
        for name in ("examples", "tests"):
            os.symlink(TOP / name, pathlib.Path(folder, name))

    def step(self, match):
        """Runs one command; returns it with what it prints, or as it was if that is the same."""
        self.commands += 1
        command = match[1].replace("\n> ", "\n")
        ran = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if without_machine(ran.stdout) == without_machine(match[2]):
            return match[0]
        self.wrong += 1
        print(f"{self.page.name}: {command}--- the page shows\n{match[2]}--- it prints\n{ran.stdout}")
        return f"$ {match[1]}{ran.stdout}"

    def run(self):
        """The page as it should be."""
        return BLOCK.sub(lambda block: f"```console\n{STEP.sub(self.step, block[1])}```", self.page.read_text())


def main():
    arguments = sys.argv[1:]
    write = "--write" in arguments
    tool, *pages = (pathlib.Path(argument).resolve() for argument in arguments if argument != "--write")
    failed = False
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            replay = Replay(page, tool, folder)
            right = replay.run()
        if write:
            page.write_text(right)
        print(f"{replay.commands} commands, {replay.wrong} differ from what {page.name} shows")
        failed |= replay.wrong > 0 or replay.commands == 0
    sys.exit(1 if failed or not pages else 0)


if __name__ == "__main__":
    main()
