#!/usr/bin/env python3
"""Refuses includes that point up, and programs that look behind the public headers.

usage: check_layers.py [TOP_FOLDER]; exit 1 if there is something to refuse.
"""
import pathlib
import re
import sys

LAYERS = ["core", "hash", "layout", "plan", "kernels", "filter", "format", "capi"]  # a layer may include those before it
PROGRAMS = ["cli", "python", "redis", "examples", "bench", "fuzz"]  # they may include the public headers and their own folder
ABOVE_ALL = {"src": "_test", "bench": "_bench"}  # endings: unit tests, and measurements of one part, see everything
PUBLIC_LAYER = {  # the layers of the public headers; a header that is not here has none and is refused
    "export.h": "core", "result.hpp": "core", "bits.hpp": "core", "hash.hpp": "hash", "layout.hpp": "layout", "plan.hpp": "plan",
    "growth.hpp": "plan", "allocator.hpp": "core", "keys.hpp": "hash", "compare.hpp": "filter", "shrink.hpp": "filter",
    "kernel.hpp": "kernels", "filter.hpp": "filter", "view.hpp": "filter", "bulk.hpp": "filter", "file.hpp": "format", "family.h": "capi",
}
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
SOURCES = {".hpp", ".h", ".cpp", ".c", ".cc"}


def layer_of(path):
    """The layer of a file (a path relative to the top folder), or its program's name, or None."""
    parts = path.parts
    if parts[:2] == ("include", "bloomery"):
        return "layout" if len(parts) == 4 and parts[2] == "layout" else PUBLIC_LAYER.get(parts[-1])
    if parts == ("include", "bloomery.h"):
        return "capi"
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("bench", "redis"):
        return "redis"  # modules that are measured beside ours
    return parts[0] if parts[0] in PROGRAMS else None


def find(top, includer, name):
    """The file of this project that an include line means, relative to the top folder; None: not ours."""
    for folder in (includer.parent, pathlib.Path("include"), pathlib.Path("src"), pathlib.Path(".")):
        path = (top / folder / name).resolve()
        if path.is_file() and path.is_relative_to(top):
            return path.relative_to(top)
    return None


def complaint(includer, included):
    """What is wrong with this include, or None."""
    own, other = layer_of(includer), layer_of(included)
    if own in PROGRAMS:
        fine = included.parts[0] in ("include", own)
        return None if fine else f"program {own} may include only include/ and {own}/"
    if own not in LAYERS:
        return f"{includer.parts[0]}/ file without a layer: name it in tools/check_layers.py"
    if includer.parts[0] == "include" and included.parts[0] != "include":
        return "a public header may include only public headers"
    below = LAYERS[: LAYERS.index(own) + 1]
    return None if other in below else f"layer {own} may include only: {' '.join(below)}"


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
    complaints, files = [], 0
    for folder in ["include", "src", *PROGRAMS]:
        for file in sorted((top / folder).rglob("*")):
            if file.suffix not in SOURCES or file.stem.endswith(ABOVE_ALL.get(folder, "/")):
                continue
            files += 1
            includer = file.relative_to(top)
            for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
                match = INCLUDE.match(line)
                included = find(top, includer, match[1]) if match else None
                why = complaint(includer, included) if included else None
                if why:
                    complaints.append(f"{includer}:{number}: includes {included}; {why}")
    if not files:
        complaints.append(f"{top}: no sources found")
    print("\n".join(complaints) if complaints else f"{files} files: every include points down")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
