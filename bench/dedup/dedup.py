#!/usr/bin/env python3
"""Compares `bloomery dedup` with other ways to drop repeated lines. scripts/bench-dedup builds and runs it.

Every contestant runs once in each round, in an order that rotates; ratios are taken within a round.
"""
import argparse
import dataclasses
import hashlib
import os
import pathlib
import re
import statistics
import subprocess
import sys

SEED = 20261130
SHA256_OF_10M = "851accb0f94125ee4fcc0d2990973a2994dc996b449ee25d2b912821f4c404fd"
HERE = pathlib.Path(__file__).parent


@dataclasses.dataclass
class Contestant:
    name: str
    command: list
    exact: bool = True   # its output is each first occurrence, in order
    piped: bool = False  # reads the corpus from stdin


@dataclasses.dataclass
class Run:
    wall: float
    cpu: float
    peak_mib: float


def say(text):
    print(f"bench-dedup: {text}", file=sys.stderr)


def die(text):
    say(text)
    sys.exit(2)


def corpus(folder, lines, distinct):
    """The path of the corpus: made once, checked by its digest where that is known."""
    path = folder / f"urls-{lines}.txt"
    if not path.exists():
        say(f"making {lines} lines with {distinct} distinct ones (once)")
        unfinished = path.with_suffix(".part")
        with unfinished.open("wb") as out:
            subprocess.run([sys.executable, HERE.parent / "gen_urls.py", str(lines), str(distinct), str(SEED)], stdout=out,
                           check=True)
        if lines == 10_000_000:
            with unfinished.open("rb") as made:
                if hashlib.file_digest(made, "sha256").hexdigest() != SHA256_OF_10M:
                    die(f"{unfinished}: not the bytes it should be; remove it and try again")
        unfinished.rename(path)
    return path


def contestants(tools, path, distinct):
    """Everybody, the floors first."""
    tool, file = str(tools / "cli" / "bloomery"), str(path)
    everybody = [
        Contestant("cat", ["cat", file], exact=False),
        Contestant("wc -l", ["wc", "-l", file], exact=False),
        Contestant("bloomery dedup", [tool, "dedup", "-q", file]),
        Contestant(f"bloomery dedup --expected {distinct} --fpr 1e-6",
                   [tool, "dedup", "-q", "--expected", str(distinct), "--fpr", "1e-6", file], exact=False),
    ]
    said = subprocess.run([tool, "dedup", "--help"], capture_output=True, text=True, check=True).stdout
    if re.search(r"(?<!-)-j\b", said):
        everybody.append(Contestant("bloomery dedup -j1", [tool, "dedup", "-q", "-j1", file]))
        everybody.append(Contestant("bloomery dedup -j2", [tool, "dedup", "-q", "-j2", file]))
    if "--memory" in said:
        everybody.append(Contestant("bloomery dedup --memory 16M", [tool, "dedup", "-q", "--memory", "16M", file],
                                    exact=False))
    return everybody + [
        Contestant("libbloom loop, p = 1e-6", [str(tools / "bench" / "libbloom_dedup"), str(distinct), "1e-6"],
                   exact=False, piped=True),
        Contestant("LC_ALL=C sort -u", ["env", "LC_ALL=C", "sort", "-u", file], exact=False),
        Contestant("mawk", ["mawk", "!seen[$0]++", file]),
        Contestant("gawk", ["env", "LC_ALL=C", "gawk", "!seen[$0]++", file]),
    ]


def run(tools, contestant, path, stdout):
    """Runs it once and returns what it cost."""
    read_end, write_end = os.pipe()
    with path.open("rb") as piped:
        # The report goes to descriptor 3, whatever number the pipe has here.
        process = subprocess.Popen(["bash", "-c", f'exec 3>&{write_end} "$@"', "bash", tools / "bench" / "run_measured",
                                    *contestant.command], stdin=piped if contestant.piped else subprocess.DEVNULL,
                                   stdout=stdout, pass_fds=[write_end])
    os.close(write_end)
    with os.fdopen(read_end) as report:
        words = report.read().split()
    if process.wait() != 0 or len(words) != 4 or words[0] != "0":
        die(f"{contestant.name}: failed ({' '.join(words)})")
    return Run(wall=float(words[1]), cpu=float(words[2]), peak_mib=int(words[3]) / 1024)


def check_outputs(tools, everybody, path, folder):
    """Who promises exact output must give the same bytes; who does not, nearly as many lines."""
    expected = None
    for c in everybody:
        if not c.exact:
            continue
        with (folder / "dedup.out").open("wb+") as out:
            run(tools, c, path, out)
            out.seek(0)
            digest = hashlib.file_digest(out, "sha256").hexdigest()
        if expected not in (None, digest):
            die(f"{c.name}: not the output that the others give")
        expected = digest
    (folder / "dedup.out").unlink()


def measure(tools, everybody, path, rounds):
    """name -> the run of each round."""
    runs = {c.name: [] for c in everybody}
    for r in range(rounds):
        say(f"round {r + 1} of {rounds}")
        first = len(everybody) * r // rounds
        for c in everybody[first:] + everybody[:first]:
            runs[c.name].append(run(tools, c, path, subprocess.DEVNULL))
    return runs


def first_answer(tools, folder, rounds):
    """What one answer of a mapped 8 GiB filter costs, program start included. The file is sparse."""
    tool, filter_path, line = tools / "cli" / "bloomery", folder / "sparse.blm", folder / "line.txt"
    line.write_text("a line\n")
    say("making a sparse filter of 8 GiB")
    subprocess.run([tool, "build", "-q", "-o", filter_path, "--bits", str(8 << 33), "--hashes", "6"],
                   stdin=subprocess.DEVNULL, check=True)
    subprocess.run(["fallocate", "--dig-holes", filter_path], check=True)
    check = Contestant("check", [str(tool), "check", "-v", str(filter_path)], piped=True)
    runs = [run(tools, check, line, subprocess.DEVNULL) for _ in range(rounds)]
    filter_path.unlink()
    line.unlink()
    return runs


def spread(values):
    """Half the distance between the quartiles."""
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2


def ratio(runs, a, b, field):
    """Median of the ratios within the rounds; None if one of them did not take part."""
    if a not in runs or b not in runs:
        return None
    return statistics.median(getattr(x, field) / getattr(y, field) for x, y in zip(runs[a], runs[b]))


def goals(runs, first_answers):
    """(what, bound, measured) of everything that was promised."""
    ours = "bloomery dedup"
    answers = lambda field: statistics.median(getattr(r, field) for r in first_answers) if first_answers else None
    return [
        ("CPU, of the libbloom loop's", 1 / 3, ratio(runs, ours, "libbloom loop, p = 1e-6", "cpu")),
        ("CPU, of LC_ALL=C sort -u's", 1 / 8, ratio(runs, ours, "LC_ALL=C sort -u", "cpu")),
        ("CPU, of mawk's", 1 / 15, ratio(runs, ours, "mawk", "cpu")),
        ("wall with 2 threads, of one thread's", 0.65, ratio(runs, ours + " -j2", ours + " -j1", "wall")),
        ("CPU with --memory 16M, of the default's", 1.3, ratio(runs, ours + " --memory 16M", ours, "cpu")),
        ("check: first answer of an 8 GiB filter, wall seconds", 0.05, answers("wall")),
        ("check: the same, peak MiB", 50, answers("peak_mib")),
    ]


def markdown(runs, first_answers, path, lines):
    text = [f"{lines:,} lines, {path.stat().st_size / 1e6:.0f} MB; output to /dev/null. Medians of "
            f"{len(next(iter(runs.values())))} interleaved runs, ± half the interquartile range.", "",
            "| | CPU seconds | wall seconds | peak memory, MiB | CPU, times ours |", "|---|---|---|---|---|"]
    for name, taken in runs.items():
        cpu, wall = [r.cpu for r in taken], [r.wall for r in taken]
        text.append(f"| {name} | {statistics.median(cpu):.2f} ±{spread(cpu):.2f} | {statistics.median(wall):.2f} "
                    f"±{spread(wall):.2f} | {statistics.median(r.peak_mib for r in taken):.0f} | "
                    f"{ratio(runs, name, 'bloomery dedup', 'cpu'):.2f} |")
    text += ["", "| goal | at most | measured | |", "|---|---|---|---|"]
    for what, bound, measured in goals(runs, first_answers):
        verdict = "not measured" if measured is None else "met" if measured <= bound else "**missed**"
        text.append(f"| {what} | {bound:.3f} | {'-' if measured is None else format(measured, '.3f')} | {verdict} |")
    return "\n".join(text) + "\n"


def csv(runs):
    text = ["contestant,round,cpu_seconds,wall_seconds,peak_mib"]
    for name, taken in runs.items():
        text += [f'"{name}",{i + 1},{r.cpu:.4f},{r.wall:.4f},{r.peak_mib:.1f}' for i, r in enumerate(taken)]
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the build folder")
    parser.add_argument("--output", required=True, help="save as OUTPUT.csv and OUTPUT.md")
    parser.add_argument("--quick", action="store_true", help="1 M lines and three rounds")
    arguments = parser.parse_args()
    lines, distinct, rounds = (1_000_000, 400_000, 3) if arguments.quick else (10_000_000, 4_000_000, 5)
    path = corpus(arguments.tools, lines, distinct)
    everybody = contestants(arguments.tools, path, distinct)
    check_outputs(arguments.tools, everybody, path, arguments.tools)
    runs = measure(arguments.tools, everybody, path, rounds)
    first_answers = [] if arguments.quick else first_answer(arguments.tools, arguments.tools, rounds)
    report = markdown(runs, first_answers, path, lines)
    pathlib.Path(arguments.output + ".md").write_text(report)
    pathlib.Path(arguments.output + ".csv").write_text(csv(runs))
    print(report, end="")


if __name__ == "__main__":
    main()
