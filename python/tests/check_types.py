"""The stubs: mypy accepts right uses, refuses wrong ones, and finds in the module what the stubs promise."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

RIGHT = """
import bloomery
import numpy

seen = bloomery.Filter(1000, 0.01, kind="classic")
fresh: bool = seen.add("key")
inside: bool = b"key" in seen
count: int = seen.update(["a", b"b", 3])
answers = seen.contains(numpy.arange(5, dtype=numpy.uint64))
total: int = int(answers.sum())
both: bloomery.Filter = (seen | seen.copy()) & seen
both |= seen
"""
WRONG = ["bloomery.Filter('many')", "bloomery.Filter(10).add(1.5)", "bloomery.Filter(10).open(3)",
         "x: str = bloomery.Filter(10).add('a')", "bloomery.Filter(10).fill_ratio = 1.0"]


def mypy(text, cache):
    return subprocess.run(["mypy", "--strict", "--cache-dir", cache, "-c", text], capture_output=True, text=True)


def main():
    if not shutil.which("mypy") or not shutil.which("stubtest"):
        print("mypy is not installed: skipped")
        sys.exit(77)
    package = pathlib.Path(os.environ["PYTHONPATH"])
    os.environ["MYPYPATH"] = str(package)
    with tempfile.TemporaryDirectory() as cache:
        right = mypy(RIGHT, cache)
        assert right.returncode == 0, right.stdout + right.stderr
        wrong = mypy("import bloomery\n" + "\n".join(WRONG), cache)
        for line in range(2, len(WRONG) + 2):
            assert f"<string>:{line}: error" in wrong.stdout, f"accepted: {WRONG[line - 2]}\n{wrong.stdout}"
        allowed = pathlib.Path(cache, "allowed")
        allowed.write_text("bloomery.Comparison\nbloomery.Estimate\nbloomery.Filter\nbloomery.Plan\n")  # pybind11's metaclass, which no stub can name
        os.chdir(cache)
        stubs = subprocess.run(["stubtest", "bloomery", "--ignore-missing-stub", "--allowlist", allowed],
                               capture_output=True, text=True)
        assert stubs.returncode == 0, stubs.stdout + stubs.stderr
    print("the stubs fit")


main()
