"""Runs the examples of the package's own text and of the page given: run_doctests.py PAGE.md, in a scratch folder."""
import doctest
import os
import sys
import tempfile

import bloomery


def main():
    page = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        results = [doctest.testmod(bloomery), doctest.testfile(page, module_relative=False)]
        os.chdir("/")
    print(results)
    sys.exit(0 if all(r.attempted > 3 and r.failed == 0 for r in results) else 1)


main()
