#!/usr/bin/env python3
"""The positive controls of symbols.py: what it must refuse.

usage: symbols_test.py FORBIDDEN_OBJECT LIBRARY.so LIST
"""
import pathlib
import subprocess
import sys
import tempfile

SYMBOLS = pathlib.Path(__file__).with_name("symbols.py")


def run(*arguments):
    done = subprocess.run([sys.executable, SYMBOLS, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout


def main():
    forbidden_object, library, list_file = sys.argv[1:]
    status, said = run("forbidden", forbidden_object)
    assert status == 1, "the fixture was accepted"
    for symbol in ["printf", "puts", "std::cerr", "abort", "exit", "__cxa_throw", "std::terminate"]:
        assert f"calls {symbol}," in said or f"calls __{symbol}_chk," in said, f"{symbol} was not seen:\n{said}"
    symbols = pathlib.Path(list_file).read_text().splitlines()
    assert "bloomery_may_contain" in symbols
    for changed in [symbols[1:], sorted([*symbols, "bloomery_gone"])]:
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("\n".join(changed) + "\n")
            file.flush()
            status, said = run("exports", library, file.name)
        assert status == 1, "a changed list was accepted"
    print("refused: every forbidden call, a new symbol, a lost symbol")


if __name__ == "__main__":
    main()
