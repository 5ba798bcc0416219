#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Imports damaged copies of the corpus: none may give a figure or fact that the whole log does not state, unless flagged.

    mutate_test.py BUSBAR --mutations 2000 --seed 1

Copies are damaged as logs are in practice: lines lost, doubled, cut, glued, swapped or mixed by several writers, pieces
overwritten by other lines, bytes lost, digits torn off, the file cut off, a block lost, another log's tail behind it.
The same seed gives the same copies. Outcomes:

  right         each figure is one of the whole log's, at its key, with its ranks, nodes and collective. Fewer figures are
                right: a log that lost whole lines states fewer. A row that stands twice is a repeat
  flagged       a warning that the whole log does not have
  refused       no record
  undetectable  a figure that is not the whole log's, but the damaged line is one that the tool could have printed (see below)
  WRONG         all else

No reader can detect:
- a digit that became another one in a row that still has the form of its table (every number ends in its column and has
  as many decimals as the tool prints) and that nothing contradicts: OSU and IMB print each time once, nccl-tests prints
  0.00 GB/s for small sizes, where any time fits. What contradicts itself is not excused: size and time against
  bandwidths, t_min <= t_avg <= t_max;
- whole lines that are lost so that what is left is again a whole log: the last of the list of ranks where neither the
  command nor bandwidths tell their number, or the rows of one table up to the rows of the next one;
- a value in a head (`Batch size: 6`) that is again such a value, as it stands there only once;
- other digits in a JSON file that is still JSON.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import sys
import tempfile

import compare
import read_tables
import wild_test

# Damage


def lost(rng, lines, others):
    del lines[place(rng, lines)]


def doubled(rng, lines, others):
    i = place(rng, lines)
    lines.insert(i, lines[i])


def cut(rng, lines, others):
    i = place(rng, lines)
    lines[i] = lines[i][:rng.randrange(len(lines[i]))] + "\n"


def glued(rng, lines, others):
    i = place(rng, lines)
    lines[i] = lines[i][:rng.randrange(len(lines[i]))]


def swapped(rng, lines, others):
    i = min(place(rng, lines), len(lines) - 2)
    lines[i], lines[i + 1] = lines[i + 1], lines[i]


def mixed(rng, lines, others):
    """A writer's line in the middle of another's, as of two processes that write at once."""
    i = place(rng, lines)
    j = min(i + rng.randrange(1, 4), len(lines) - 1)
    at = rng.randrange(len(lines[i]))
    if i != j:
        lines[i] = lines[i][:at] + lines[j].rstrip("\n") + lines[i][at:]
        del lines[j]


def split(rng, lines, others):
    """A line in two parts, with another between them."""
    i = place(rng, lines)
    j = min(i + 1, len(lines) - 1)
    at = rng.randrange(len(lines[i]))
    if i != j:
        lines[i:j + 1] = [lines[i][:at] + lines[j], lines[i][at:]]


def overwritten(rng, lines, others):
    i, j = place(rng, lines), place(rng, lines)
    start = rng.randrange(len(lines[i]))
    end = min(start + rng.randrange(1, 24), len(lines[i]) - 1)
    piece = lines[j].rstrip("\n")[start:end]
    lines[i] = lines[i][:start] + piece + lines[i][start + len(piece):]


def bytes_lost(rng, lines, others):
    i = place(rng, lines)
    at = rng.randrange(len(lines[i]))
    lines[i] = lines[i][:at] + lines[i][at + rng.randrange(1, 12):].rstrip("\n") + "\n"


def file_cut(rng, lines, others):
    text = "".join(lines)
    lines[:] = text[:rng.randrange(1, len(text))].splitlines(keepends=True)


def block_lost(rng, lines, others):
    i = rng.randrange(len(lines))
    del lines[i:i + rng.randrange(2, 12)]


def digits_torn(rng, lines, others):
    i = place(rng, lines)
    lines[i] = lines[i].rstrip("\n")[:-rng.randrange(1, 4)] + "\n"


def tail_behind(rng, lines, others):
    other = rng.choice(others)["text"]
    if lines and not lines[-1].endswith("\n") and rng.random() < 0.8:
        lines[-1] += "\n"
    lines.append(other[rng.randrange(len(other)):])


DAMAGES = (lost, doubled, cut, glued, swapped, mixed, split, overwritten, overwritten, bytes_lost, file_cut, block_lost,
           digits_torn, tail_behind)


def place(rng, lines):
    """A line, most often one of a table or of the ranks."""
    telling = [i for i, line in enumerate(lines) if re.search(r"\d.*\d", line)]
    return rng.choice(telling) if telling and rng.random() < 0.85 else rng.randrange(len(lines))


def damaged(rng, log, others):
    lines = log["text"].splitlines(keepends=True)
    damage = rng.choice(DAMAGES)
    damage(rng, lines, others)
    return damage.__name__, "".join(lines)


# What no reader can detect


def form_of(line):
    """Where each number of a row ends and how many decimals it has; the first may be left-aligned."""
    words = list(re.finditer(r"\S+", line))
    return [(w.end() if i else 0, len(w.group(0).partition(".")[2])) for i, w in enumerate(words)]


def rows_fit(whole, text):
    """Whether each changed row has the form of another row and contradicts itself nowhere."""
    rows = [line for _, line in read_tables.lines_of(whole) if re.match(r"\s*\d", line)]
    forms = {tuple(form_of(line)) for line in rows}
    known = set(rows)
    new = [line for _, line in read_tables.lines_of(text) if re.match(r"\s*\d", line) and line not in known]
    return bool(new) and all(tuple(form_of(line)) in forms and not contradicts(line) for line in new)


def lines_only_lost(whole, text):
    """Whether the text is the whole one without some of its lines, heads and tables alike."""
    known = set(whole.splitlines())
    lines = text.splitlines()
    heads = [sum(bool(re.search(pattern, line)) for line in lines) for pattern in HEADS]
    usual = [sum(bool(re.search(pattern, line)) for line in whole.splitlines()) for pattern in HEADS]
    return all(line in known for line in lines) and all(heads[i] - heads[i + 1] == usual[i] - usual[i + 1] for i in (0, 2, 4))


HEADS = (r"# nThread", r"#.*\balgbw\b.*busbw", r"# OSU \w+ .* Test", r"\(us\)|MB/s", r"# Benchmarking", r"#repetitions")


def header_fits(whole, text):
    """Whether the only changed lines are `Key: value` of a training, in the form of such a line."""
    known = set(whole.splitlines())
    new = [line for line in text.splitlines() if line not in known]
    value = r"(Model:\s*[\w.-]+|Batch size:\s+\d+( global)?|\d+ per device|Number of GPUs:\s+\d+|# #processes = \d+)"
    return len(new) == 1 and bool(re.fullmatch(value, new[0].strip()))


def excusable(whole, text, runs, args, outcome):
    if text.lstrip().startswith("{"):
        return is_json(text)
    if text.startswith(whole.rstrip("\n")):
        before = text[len(whole.rstrip("\n")):].partition("#")[0]
        if re.search(r"^\s*\d+\s+[\d.]+|^total images/sec|^Total img/sec", before, re.MULTILINE):
            return True  # rows of another log, without its head
    if lines_only_lost(whole, text) and runs and compare.judge(runs, args, outcome, partial=True)[0] != "WRONG":
        return True
    return rows_fit(whole, text) or header_fits(whole, text)


def is_json(text):
    try:
        return bool(json.loads(text))
    except ValueError:
        return False


def contradicts(line):
    """Whether a row's own numbers cannot be of one measurement."""
    cells = line.split()
    if len(cells) in (12, 13) and re.match(r"[a-z]", cells[2]):  # nccl-tests
        for half in (cells[-8:-4], cells[-4:]):
            try:
                time, algbw = float(half[0]), float(half[1])
            except ValueError:
                return True
            speed = int(cells[0]) / time * 1e-3 if time else 0
            if abs(speed - algbw) > 0.0051 + speed * 0.001:
                return True
    if len(cells) == 5 and cells[1].isdigit() and all(re.fullmatch(r"\d+\.\d\d", c) for c in cells[2:]):  # IMB: t_min, t_max, t_avg
        low, high, mean = map(float, cells[2:])
        return not low <= mean <= high
    return False


def new_warnings(outcome, whole):
    plain = lambda text: re.sub(r"\blines? [\d, .]+", "line ", text)  # noqa: E731
    usual = {plain(w) for w in whole["warnings"]}
    return [w for w in outcome["warnings"] if plain(w) not in usual]


def verdict_of(log, text, runs, outcome, whole):
    if not outcome["records"]:
        return "refused" if outcome["refused"] else "WRONG", ["no message"]
    verdict, why = compare.judge(runs, log["args"], outcome, partial=True)
    if verdict != "WRONG":
        return "flagged" if new_warnings(outcome, whole) else "right", []
    if new_warnings(outcome, whole):
        return "flagged", why
    stated = read_tables.read(text, log["file"])
    excused = excusable(log["text"], text, stated, log["args"], outcome)
    return "undetectable" if excused else "WRONG", why


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("busbar")
    parser.add_argument("--mutations", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--also", help="folder with more logs")
    parser.add_argument("--keep", help="folder for the copies that came out wrong")
    parser.add_argument("--show", type=int, default=20, help="number of wrong ones to print")
    options = parser.parse_args()
    facts = json.loads((read_tables.HERE / "facts.json").read_text(encoding="utf-8"))
    logs = list(read_tables.corpus())
    for log in wild_test.logs_below(options.also) if options.also else []:
        facts[log["name"]] = read_tables.read(log["text"], log["file"])
        logs.append(log)
    rng = random.Random(options.seed)
    copies = []
    for _ in range(options.mutations):
        log = rng.choice(logs)
        others = [other for other in logs if other["pack"] == log["pack"]]
        name, text = damaged(rng, log, others)
        copies.append((log, name, text))
    with tempfile.TemporaryDirectory() as folder:
        report(options, facts, logs, copies, pathlib.Path(folder))


def report(options, facts, logs, copies, folder):
    whole_pairs = wild_test.write_logs(logs, folder)
    whole = wild_test.outcomes_of(options.busbar, whole_pairs, folder / "whole")
    of_name = {log["name"]: whole[str(path)] for log, path in whole_pairs}
    (folder / "copies").mkdir()
    pairs = wild_test.write_logs([dict(log, text=text) for log, _, text in copies], folder / "copies")
    outcomes = wild_test.outcomes_of(options.busbar, pairs, folder / "copies")
    counts, wrong_by = collections.defaultdict(collections.Counter), collections.Counter()
    shown = 0
    for (log, name, text), (_, path) in zip(copies, pairs):
        runs = list(facts[log["name"]])
        if name == "tail_behind":
            runs += [run for other in logs if other["pack"] == log["pack"] for run in facts[other["name"]]]
        verdict, why = verdict_of(log, text, runs, outcomes[str(path)], of_name[log["name"]])
        counts[log["pack"]][verdict] += 1
        if verdict != "WRONG":
            continue
        wrong_by[name] += 1
        if shown < options.show:
            print(f"WRONG: {log['name']}: {name} ({path.name}): {'; '.join(why[:2])[:300]}")
            shown += 1
        if options.keep:
            pathlib.Path(options.keep, path.name).write_text(text, encoding="utf-8")
    for pack, of_pack in counts.items():
        print(f"{pack}: " + ", ".join(f"{of_pack[v]} {v}" for v in ("right", "flagged", "refused", "undetectable", "WRONG")))
    if wrong_by:
        print("wrong by damage: " + ", ".join(f"{n} {name}" for name, n in wrong_by.most_common()))
    sys.exit(bool(wrong_by))


if __name__ == "__main__":
    main()
