#!/usr/bin/env python3
"""What a terminal gets to see of bloomery: terminal.py CASE prints it, escapes readable.

The program's stderr (and stdout, where a case says so) is a pseudo-terminal. Nothing here depends on how
fast anything is: a case waits for what it wants to see, or makes the program wait.
"""
import os
import pty
import subprocess
import sys
import time


class Terminal:
    """Runs bloomery with its stderr on a terminal."""

    def __init__(self, *arguments, stdout=subprocess.PIPE, environment=()):
        self.master, slave = pty.openpty()
        clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        self.run = subprocess.Popen(["bloomery", *arguments], stdin=subprocess.PIPE, stderr=slave,
                                    stdout=slave if stdout == "terminal" else stdout,
                                    env={**clean, "TERM": "xterm", **dict(environment)})
        os.close(slave)
        self.seen = b""

    def read(self):
        """More of what the terminal gets; False at its end."""
        try:
            more = os.read(self.master, 65536)
        except OSError:  # nobody has the other side any more
            more = b""
        self.seen += more
        return bool(more)

    def rest(self):
        if self.run.stdin and not self.run.stdin.closed:
            self.run.stdin.close()
        while self.read():
            pass
        self.run.wait()
        return self.seen.decode().replace("\r\n", "\n")


def errors_and_warnings():
    shown = [("terminal", (), ()), ("NO_COLOR", (), (("NO_COLOR", "1"),)), ("NO_COLOR empty", (), (("NO_COLOR", ""),)),
             ("dumb", (), (("TERM", "dumb"),)), ("never", ("--color=never",), ()),
             ("always", ("--color=always",), (("NO_COLOR", "1"),))]
    for name, arguments, environment in shown:
        print(name, repr(Terminal("dedup", *arguments, "missing", environment=environment).rest()))
    piped = subprocess.run(["bloomery", "dedup", "missing"], stderr=subprocess.PIPE)
    print("no terminal", piped.stderr)


def progress_of_a_pipe():
    """The line comes while input goes on, and is gone at the end."""
    terminal = Terminal("dedup", "-o", "out")
    while b"lines/s" not in terminal.seen:
        terminal.run.stdin.write(b"a\n" * 1000)
        terminal.run.stdin.flush()
        os.set_blocking(terminal.master, False)
        terminal.read()
        os.set_blocking(terminal.master, True)
    seen = terminal.rest()
    print("left" in seen, "\x1b[2m" in seen, seen[seen.rindex("\x1b[K") + 3:].split(" in, ")[1].split("\n")[0])


def progress_of_a_file():
    """Its output waits for its reader for longer than the terminal waits for news."""
    with open("in", "w") as file:
        file.writelines(f"{i}\n" for i in range(1000000))
    terminal = Terminal("dedup", "in")
    first = terminal.run.stdout.read(1)
    time.sleep(0.5)
    out = first + terminal.run.stdout.read()
    seen = terminal.rest()
    shown = seen[:seen.index("left")]
    print(len(out.splitlines()), "% " not in shown, "%," in shown, "lines/s," in shown)


def slowly(terminal):
    """Three lines, with more between them than between two lines of progress."""
    for _ in range(3):
        terminal.run.stdin.write(b"a\n")
        terminal.run.stdin.flush()
        time.sleep(0.3)
    return terminal.rest()


def lines_on_the_terminal():
    """Lines that go to the same terminal are not mixed with progress; --progress insists."""
    for arguments in ((), ("--progress",)):
        print("\x1b[K" in slowly(Terminal("dedup", *arguments, stdout="terminal")))


def quiet_shows_none():
    print(repr(slowly(Terminal("dedup", "-q", "-o", "out"))))


if __name__ == "__main__":
    globals()[sys.argv[1]]()
