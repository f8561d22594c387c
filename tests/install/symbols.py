#!/usr/bin/env python3
"""What the library shows, and what it must never call.

usage: symbols.py exports LIBRARY.so LIST    its exported symbols are those of LIST, one a line
       symbols.py write LIBRARY.so LIST      writes LIST: for a change that is meant
       symbols.py forbidden ARCHIVE.a|OBJECT it refers to nothing that prints, ends the process or throws
"""
import difflib
import pathlib
import subprocess
import sys

ENDS = "abort exit _exit _Exit quick_exit raise kill longjmp __assert_fail __assert_perror_fail".split()
PRINTS = """printf vprintf fprintf vfprintf dprintf vdprintf puts putchar putc fputs fputc fwrite fwrite_unlocked
            perror psignal syslog vsyslog warn warnx err errx error __printf_chk __vprintf_chk __fprintf_chk
            __vfprintf_chk __dprintf_chk stdout stderr std::cout std::cerr std::clog std::wcout std::wcerr""".split()
THROWS = "__cxa_throw __cxa_rethrow std::rethrow_exception std::terminate std::__glibcxx_assert_fail hwy::Abort".split()
FORBIDDEN = {**dict.fromkeys(ENDS, "ends the process"), **dict.fromkeys(PRINTS, "prints"),
             **dict.fromkeys(THROWS, "throws or ends the process")}
# Why it may: thrown and caught inside the library (everything that containers throw is caught by guarded()); and
# what std::thread's destructor would do to a thread that was not joined, which all are.
ALLOWED = {("checksum.cpp.o", "__cxa_throw"), ("bulk.cpp.o", "std::terminate")}


def nm(*arguments):
    return subprocess.run(["nm", "--demangle", *arguments], check=True, capture_output=True, text=True).stdout


def exports(library):
    lines = nm("--dynamic", "--defined-only", library).splitlines()
    return sorted({line.split(" ", 2)[2].split("@@")[0] for line in lines if " A " not in line})


def check_exports(library, list_file):
    found, expected = exports(library), pathlib.Path(list_file).read_text().splitlines()
    if found == expected:
        print(f"{len(found)} exported symbols, as listed")
        return 0
    print("\n".join(difflib.unified_diff(expected, found, list_file, library, lineterm="", n=0)))
    print(f"if this is meant: tests/install/symbols.py write {library} {list_file}; what was exported must stay")
    return 1


def check_forbidden(archive):
    objects, complaints, current = 0, [], pathlib.Path(archive).name
    for line in nm("--undefined-only", archive).splitlines():
        if line.endswith(":"):
            current = line[:-1]
            objects += 1
        symbol = line.split(" U ", 1)[1].split("(")[0] if " U " in line else None
        if symbol in FORBIDDEN and (current, symbol) not in ALLOWED:
            complaints.append(f"{current}: calls {symbol}, which {FORBIDDEN[symbol]}")
    print("\n".join(complaints) if complaints else f"{archive}: {max(objects, 1)} objects, nothing forbidden")
    return 1 if complaints else 0


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 3 and arguments[0] == "exports":
        return check_exports(*arguments[1:])
    if len(arguments) == 3 and arguments[0] == "write":
        pathlib.Path(arguments[2]).write_text("\n".join(exports(arguments[1])) + "\n")
        return 0
    if len(arguments) == 2 and arguments[0] == "forbidden":
        return check_forbidden(arguments[1])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
