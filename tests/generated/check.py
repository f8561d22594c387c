#!/usr/bin/env python3
"""Man pages and completions against what the tool says in --help.

usage: check.py [--control] BLOOMERY GENERATED_FOLDER
--control: forgets a flag in a copy of each file, and wants each loss to be found
"""
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FLAG = re.compile(r"^  (-\S+(?:,-\S+)*)", re.MULTILINE)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def verbs_of(bloomery):
    overview = run(bloomery, "-h", check=True).stdout.partition("\n\n")[2].partition("\n\n")[0]
    return [line.split()[0] for line in overview.splitlines()]


def flags_of(bloomery, verb):
    found = FLAG.findall(run(bloomery, verb, "-h", check=True).stdout)
    return [flag for names in found for flag in names.split(",")]


def man_text(page):
    return gzip.decompress(page.read_bytes()).decode().replace("\\-", "-")


def lint(page):
    """What mandoc and man have to say against a page; None of a reader that is not here."""
    text = gzip.decompress(page.read_bytes()).decode()
    if shutil.which("mandoc"):
        yield from run("mandoc", "-T", "lint", "-W", "warning", input=text).stdout.splitlines()
    if shutil.which("man"):
        environment = {"LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MANROFFSEQ": "", "PATH": "/usr/bin:/bin"}
        yield from run("man", "--warnings", "-l", page, env=environment).stderr.splitlines()


def bash_offers(file, *words):
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bloomery; printf "%s\\n" "${COMPREPLY[@]}"'
    return run("bash", "-c", script, "bash", file, *words, check=True).stdout.split()


def zsh_offers(file, *words):
    """By stand-ins for what zsh's completion system calls: they print what they are given."""
    script = ('_describe() { print -l -- ${verbs%%:*} }; _arguments() { print -l -- ${${@%%\\[*}:#\\**} }; '
              'f() { source $1 }; file=$1; shift; words=("$@"); CURRENT=$#; f $file')
    return run("zsh", "-f", "-c", script, "zsh", file, *words, check=True).stdout.split()


def fish_offers(file, *words):
    script = "source $argv[1]; complete -C \"$argv[2..]\""
    said = run("fish", "--no-config", "-c", script, file, *words, check=True).stdout
    return [line.split("\t")[0] for line in said.splitlines()]


def complaints(bloomery, folder):
    shells = {"bash": (folder / "bash/bloomery", bash_offers), "zsh": (folder / "zsh/_bloomery", zsh_offers),
              "fish": (folder / "fish/bloomery.fish", fish_offers)}
    verbs = verbs_of(bloomery)
    if len(verbs) < 8:
        yield f"the overview lists only: {verbs}"
    main_page = man_text(folder / "man/bloomery.1.gz")
    for verb in verbs:
        page = folder / f"man/bloomery-{verb}.1.gz"
        if f"bloomery-{verb} (1)" not in main_page:
            yield f"bloomery.1: does not name {verb}"
        documented = re.findall(r"-{1,2}[\w-]+", "\n".join(re.findall(r"^\\fB(.*?)\\fR", man_text(page), re.MULTILINE)))
        flags = flags_of(bloomery, verb)
        if sorted(documented) != sorted(flags) or len(flags) < 3:
            yield f"{page.name}: options {sorted(documented)}, --help has {sorted(flags)}"
        for shell, (file, offers) in shells.items():
            if not shutil.which(shell):
                continue
            if verb not in offers(file, "bloomery", verb[:2]):
                yield f"{shell}: {verb[:2]} does not complete to {verb}"
            offered = {*offers(file, "bloomery", verb, "-"), *offers(file, "bloomery", verb, "--")}
            if not offered >= set(flags):
                yield f"{shell}: {verb} is not offered {sorted(set(flags) - offered)}"
    for page in sorted((folder / "man").iterdir()):
        yield from (f"{page.name}: {line}" for line in lint(page))


def control(bloomery, folder):
    """Each of these losses must be found."""
    losses = {"man/bloomery-dedup.1.gz": b"\\-\\-state", "bash/bloomery": b"--state", "zsh/_bloomery": b"--state",
              "fish/bloomery.fish": b"-l state"}
    for name, lost in losses.items():
        shell = name.partition("/")[0]
        if shell != "man" and not shutil.which(shell):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            copy = pathlib.Path(scratch) / "generated"
            shutil.copytree(folder, copy)
            file = copy / name
            zipped = name.endswith(".gz")
            text = gzip.decompress(file.read_bytes()) if zipped else file.read_bytes()
            assert lost in text, f"{name} has no {lost}"
            text = text.replace(lost, lost[:-1])
            file.write_bytes(gzip.compress(text) if zipped else text)
            if not any(shell in complaint or file.name in complaint for complaint in complaints(bloomery, copy)):
                yield f"a flag lost from {name} was not noticed"


def main():
    arguments = sys.argv[1:]
    work = control if arguments[0] == "--control" else complaints
    bloomery, folder = arguments[-2:]
    found = list(work(bloomery, pathlib.Path(folder)))
    print("\n".join(found) if found else "nothing to complain about")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
