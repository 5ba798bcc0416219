#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""what_if.py PREDICTION AS_IT_IS CHANGED: how many simulated figures, and their ratios, are in the intervals of a prediction's only variant.

The arguments are a prediction.json and records, or folders of them, of both machines. Exit code 1 if one is outside.
"""
import json
import math
import pathlib
import sys

PRINTED_DIGITS = 1.001  # simulated ratios of small messages differ by less than a tenth of a per cent


def simulated(place):
    """(nodes, bytes) -> seconds, or for trainings (nodes, 0) -> samples per second."""
    place = pathlib.Path(place)
    figures = {}
    for path in sorted(place.glob("*.jsonl")) if place.is_dir() else [place]:
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if record.get("record") != "case":
                continue
            training = record.get("training")
            nodes = record["key"]["nodes"]
            figures[(nodes, 0) if training else (nodes, record["key"]["bytes"])] = (
                training["samples_per_s"] if training else record["time_s"])
    return figures


def predicted(series, trainings):
    """The same keys -> {value, low, high}."""
    figures = {(p["scale"]["nodes"], p["bytes"]): p["time_s"] for s in series for p in s["predicted"]}
    for t in trainings:
        for p in t["predicted"]:
            figures[(p["scale"]["nodes"], 0)] = p["readings"][0]["samples_per_s"]
    return figures


def ratio(base, variant):
    """Low and high end: what the variant's interval has more than that of the machine as it is."""
    def more(end):
        added = math.log(variant[end] / variant["value"]) ** 2 - math.log(base[end] / base["value"]) ** 2
        return math.exp(math.sqrt(max(0, added)))
    value = variant["value"] / base["value"]
    return value / more("low"), value * more("high")


def main():
    prediction = json.loads(pathlib.Path(sys.argv[1]).read_text())
    before, after = (simulated(place) for place in sys.argv[2:4])
    base = predicted(prediction["series"], prediction["trainings"])
    variant = predicted(prediction["variants"][0]["series"], prediction["variants"][0]["trainings"])
    inside = ratios = 0
    for key, span in variant.items():
        inside += span["low"] <= after[key] <= span["high"]
        low, high = ratio(base[key], span)
        ratios += low / PRINTED_DIGITS <= after[key] / before[key] <= high * PRINTED_DIGITS
    of = "rates" if prediction["trainings"] else "times"
    print(f"{inside} of {len(variant)} {of}, {ratios} of {len(variant)} ratios in their intervals")
    return 0 if variant and inside == ratios == len(variant) else 1


sys.exit(main())
