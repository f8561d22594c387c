#!/usr/bin/env python3
"""Every check must refuse its fixture: exit 1, and exactly the complaints of expected.txt."""
import pathlib
import subprocess
import sys

tools = pathlib.Path(__file__).parent


def main():
    checks, wrong = sorted(tools.glob("check_*.py")), 0
    for check in checks:
        fixture = tools / "fixtures" / check.stem
        ran = subprocess.run([sys.executable, check, fixture], capture_output=True, text=True)
        expected = (fixture / "expected.txt").read_text()
        refused = ran.returncode == 1 and ran.stdout == expected and not ran.stderr
        print(f"{check.name}: {'refuses its fixture' if refused else 'does NOT do what its fixture expects'}")
        if not refused:
            print(f"exit {ran.returncode}\n{ran.stdout}{ran.stderr}--- expected exit 1\n{expected}")
            wrong += 1
    sys.exit(1 if wrong or not checks else 0)


if __name__ == "__main__":
    main()
