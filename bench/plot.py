#!/usr/bin/env python3
"""Draws what scripts/bench measured: lookups and inserts of every contestant over the sizes, with the limit below.

usage: plot.py RESULTS.csv FOLDER; writes FOLDER/bench-{miss,hit,insert}-{hashes,URLs}.svg, at 10 bits per key.
"""
import csv
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

BITS_PER_KEY = "10"
PANELS = [("miss", "read"), ("hit", "read"), ("insert", "modify")]  # what is drawn, and the limit for it


def read(path):
    """(contestant, quantity, key form) -> [(keys, median, iqr), ...] on huge pages at BITS_PER_KEY."""
    points = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["bits_per_key"] != BITS_PER_KEY or row["pages"] != "2M" or row["unit"] != "ns":
                continue
            key = row["contestant"], row["quantity"], row["key_form"]
            points.setdefault(key, []).append((int(row["keys"]), float(row["median"]), float(row["iqr"])))
    return {key: sorted(values) for key, values in points.items()}


def draw(points, operation, limit, form, path):
    figure, axes = plt.subplots(figsize=(10, 5))
    axes.set_prop_cycle(color=plt.cm.tab20.colors)
    for (contestant, quantity, key_form), values in points.items():
        is_limit = contestant == "limit" and quantity == limit
        if key_form != form or not (is_limit or contestant != "limit" and quantity == operation):
            continue
        keys, medians, iqrs = zip(*values)
        ours = contestant.startswith("bloomery")
        style = {"color": "black", "linestyle": ":"} if is_limit else {"linewidth": 2.2 if ours else 1.1}
        axes.errorbar(keys, medians, yerr=[i / 2 for i in iqrs], marker="o", markersize=3, capsize=2,
                      label="limit: one random line" if is_limit else contestant, **style)
    axes.set(xscale="log", yscale="log", xlabel="keys", ylabel="ns per key",
             title=f"{operation}, {form}, {BITS_PER_KEY} bits per key, batches")
    axes.grid(True, which="both", alpha=0.25)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))  # beside the lines, over none of them
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    points, folder = read(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for operation, limit in PANELS:
        for form in ("hashes", "URLs"):
            draw(points, operation, limit, form, folder / f"bench-{operation}-{form}.svg")
    print(f"drew {folder}/bench-*.svg")


if __name__ == "__main__":
    main()
