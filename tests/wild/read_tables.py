#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the corpus and writes down everything that its logs state: a second reader, independent of the importers.

    read_tables.py                 prints the facts of the corpus as JSON
    read_tables.py --write         rewrites facts.json, whose figures a person then checks against the logs
    read_tables.py --check         fails if facts.json differs from what this reader reads

It uses regular expressions over column names and nothing of busbar. It expects whole logs: it does not judge torn lines.

A corpus file holds logs, each after a line `@@@@ log NAME` and lines `@@@@ source`, `@@@@ about`, and if needed
`@@@@ args` (options of busbar import) and `@@@@ file` (file name). `@@@@ cut` at the end: the log has no final newline.
"""
import argparse
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKS = ("nccl_tests.txt", "osu.txt", "imb.txt", "training.txt", "others.txt")
PREFIX = re.compile(r"^(?:\d{4}-\d\d-\d\dT\S+ )?(?:[^#<>]{0,60}?(?:\[\d+,\d+\])?<std(?:out|err)>: ?| {0,6}\d{1,7}: |\[\d{1,7}\] )?")
NUMBER = re.compile(r"^\d+(\.\d+)?([eE][-+]?\d+)?$")


def corpus(folder=HERE):
    """The logs of the corpus: dictionaries with name, source, about, args, file, pack and text."""
    for pack in PACKS:
        log = None
        for line in (folder / pack).read_text(encoding="utf-8").splitlines(keepends=True):
            if not line.startswith("@@@@ "):
                if log is not None:
                    log["text"] += line
                continue
            key, _, value = line[5:].rstrip("\n").partition(" ")
            if key == "log":
                if log is not None:
                    yield finished(log)
                log = {"name": value, "pack": pack, "args": [], "file": value + ".log", "text": "", "cut": False}
            elif key == "cut":
                log["cut"] = True
            else:
                log[key] = value.split() if key == "args" else value
        if log is not None:
            yield finished(log)


def finished(log):
    if log.pop("cut"):
        log["text"] = log["text"][:-1]
    return log


def lines_of(text):
    """Pairs of (prefix, rest) for each line, without the launcher's marks."""
    for line in text.split("\n"):
        line = line.rstrip("\r")
        prefix = PREFIX.match(line).group(0)
        yield prefix, line[len(prefix):]


# nccl-tests and rccl-tests


def nccl_collective(line):
    """The collective that a line names by its program, in busbar's spelling."""
    found = re.findall(r"\b(all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|broadcast|reduce|sendrecv|gather|scatter"
                       r"|hypercube|alltoallv)_perf\b", line)
    return plain(found[-1]) if found else None


def plain(name):
    name = name.lower().replace("-", "").replace("_", "").replace(" ", "")
    return {"reducescatter": "reduce_scatter", "reducescatterblock": "reduce_scatter", "bcast": "broadcast"}.get(name, name)


def nccl_header(line, above):
    """Names of columns and where they end; empty if the line is no header."""
    names = re.findall(r"\S+", line)
    if not names or names[0] != "#" or "algbw" not in names or "busbw" not in names:
        return []
    halves = 0
    columns = []
    in_first = "in-place" in above and above.find("in-place") < (above.find("out-of-place") % 10**6)
    for word in re.finditer(r"[^#\s]\S*|#\S+", line):
        name = {"bytes": "size", "N": "count", "op": "redop", "cputime": "time", "#wrong": "wrong",
                "error": "wrong"}.get(word.group(0), word.group(0))
        halves += name == "time"
        columns.append((("out", "in")[(halves == 2) != in_first] if halves else "", name, word.end()))
    return columns


def nccl_row(columns, line):
    """The cells of a row by (place, name)."""
    words = list(re.finditer(r"\S+", line))
    if columns[-1][1] == "timestamp" and len(words) == len(columns) + 1:
        words = words[:-2]
    columns = [c for c in columns if c[1] != "timestamp"]
    if len(words) == len(columns):
        return {(c[0], c[1]): w.group(0) for c, w in zip(columns, words)}
    cells = {}
    for word in words:
        column = min(columns, key=lambda c: abs(c[2] - word.end()))
        cells[(column[0], column[1])] = word.group(0)
    return cells


def new_nccl_run(collective):
    return {"tool": "nccl-tests", "collective": collective, "ranks": None, "nodes": None, "rows": [], "seen": {}, "copies": 1,
            "over": False, "columns": "size type redop root place time algbw busbw wrong".split()}


def read_nccl(text):
    runs, run, columns, above, named = [], None, [], "", None
    for _, line in lines_of(text):
        named = nccl_collective(line) or named
        if re.match(r"\s*# nThread ", line):
            if run is None or run["over"]:
                run = new_nccl_run(named)
                runs.append(run)
            else:
                run["copies"] += 1
        rank = re.match(r"\s*#\s+Rank\s+(\d+)\s+(?:Group\s+\d+\s+)?Pid\s+\d+ on\s+(\S+)\s+device", line)
        if rank and run:
            run["seen"].setdefault(int(rank.group(1)), rank.group(2))
        header = nccl_header(line, above)
        if header and run is None:
            run = new_nccl_run(named)
            runs.append(run)
        if header:
            columns, run["over"] = header, True  # the next opening line is another run's
            run["collective"] = run["collective"] or named
        above = line
        if columns and run and re.match(r"\s*\d+\s+\d+\s+[A-Za-z]", line):
            cells = nccl_row(columns, line)
            root = cells.get(("", "root"))
            op = cells.get(("", "redop"))
            for place in ("out", "in"):
                if (place, "time") in cells and (place, "busbw") in cells:
                    run["rows"].append([cells[("", "size")], cells[("", "type")], None if op == "none" else op,
                                        None if root in (None, "-1") else root, place] +
                                       [cells.get((place, name)) for name in ("time", "algbw", "busbw", "wrong")])
        if re.search(r"# Collective test concluded: (\w+)_perf", line) and run:
            run["collective"] = nccl_collective(line)
    for run in runs:
        seen = run.pop("seen")
        run.pop("over")
        if seen and (run["copies"] == 1 or max(seen) == 0):
            run["ranks"], run["nodes"] = max(seen) + 1, len(set(seen.values()))
        run.pop("copies")
        run["collective"] = run["collective"] or named
    return runs


# OSU and IMB


def read_osu(text):
    runs, columns, kind, launched = [], [], None, None
    for _, line in lines_of(text):
        command = re.search(r"\b(?:mpirun|mpiexec)\b.* -n(?:p)? (\d+)\b.*\bosu_", line)
        launched = int(command.group(1)) if command else launched
        title = re.match(r"\s*# OSU (MPI|NCCL|RCCL)\S*(?: MANAGED)? (.+?) Test(?: v(\S+))?\s*$", line)
        if title:
            runs.append({"tool": "OSU", "collective": title.group(2).lower(), "ranks": launched, "nodes": None, "rows": [],
                         "columns": ["size", "type", "time", "MB/s", "rate", "valid"]})
            columns, kind, launched = [], None, None
        if not runs:
            continue
        kind = (re.findall(r"^\s*# Datatype: (\w+)", line) or [kind])[0]
        pairs = re.match(r"\s*# \[ pairs: (\d+) \]", line)
        if pairs:
            runs[-1]["ranks"] = 2 * int(pairs.group(1))
        if re.search(r"(\(us\)|\((?i:mb)/s\)|MB/s)", line) and not re.match(r"\s*\d", line):
            columns = [re.sub(r"\s", "", name).lower() for name in re.split(r"\s{2,}|\t", line.strip(" #\t"))]
            continue
        cells = line.split()
        if columns and len(cells) == len(columns) and re.match(r"[\d. ]+", line) and NUMBER.match(cells[0]):
            row = dict(zip(columns, cells))
            time = next((row[c] for c in ("avglatency(us)", "latency(us)", "purecomm.(us)") if c in row), None)
            runs[-1]["rows"].append([row.get("size"), kind, time, row.get("bandwidth(mb/s)", row.get("mb/s")),
                                     row.get("messages/s"), row.get("validation")])
    for run in runs:
        if re.fullmatch(r"(latency|bandwidth|bi-directional bandwidth|multi-(threaded|process) latency)", run["collective"]):
            run["ranks"] = 2
    return runs


def read_imb(text):
    runs, columns, name, processes, groups, waiting, mode = [], [], "", None, None, 0, None
    for _, line in lines_of(text):
        if re.match(r"\s*#\s+Intel ?\(R\) MPI Bench", line) or (not runs and "# Benchmarking" in line):
            version = re.findall(r"(?:Benchmarks|Suite|Benchmark) V?(\d[\w.]*)", line)
            runs.append({"tool": "IMB", "collective": None, "ranks": None, "nodes": None, "rows": [],
                         "version": version[0] if version else None,
                         "columns": "benchmark processes groups size time MB/s rate group defects mode".split()})
        started = re.match(r"\s*# Benchmarking (\S+)", line)
        if started:
            name, columns, groups, mode = re.sub("^Multi-", "", started.group(1)), [], None, None
        processes = int((re.findall(r"^\s*# #processes = (\d+)", line) or [processes or 0])[0]) or None
        grouped = re.match(r"\s*# \( (\d+) groups of (\d+) processes", line)
        if grouped:
            groups, processes = int(grouped.group(1)), int(grouped.group(2))
        mode = (re.findall(r"#\s+MODE: (\S+)", line) or [mode])[0]
        if "#repetitions" in line:
            columns = line.split()
            continue
        cells = line.split()
        if len(cells) < len(columns) and len(line) == 13 * len(columns):
            cells = [line[i:i + 13].strip() for i in range(0, len(line), 13)]  # numbers that touch
        if columns and len(cells) == len(columns) and (NUMBER.match(cells[0]) or columns[0] == "#Benchmarking"):
            row = dict(zip(columns, cells))
            time = next((row[c] for c in ("t_max[usec]", "t[usec]", "t_pure[usec]") if c in row), None)
            runs[-1]["rows"].append([name, processes, groups, row.get("#bytes"), time, row.get("Mbytes/sec"),
                                     row.get("Msg/sec"), row.get("Group"), row.get("defects"), mode])
    return runs


# Training


def read_training(text):
    """One run per training: a header, steps or iterations, and a total."""
    runs, run = [], None
    command16 = False
    for _, line in lines_of(text):
        command16 |= bool(re.search(r"--use_fp16(=True)?\b(?!=)", line))
        said = re.match(r"\s*(Model|TensorFlow):\s+(\S+)", line)
        if said and (run is None or any(row[0] == "total" for row in run["rows"])):
            run = {"tool": "training", "collective": None, "ranks": None, "nodes": None, "batch": None, "global": None,
                   "variables": None, "rows": [], "columns": ["kind", "rate", "step"]}
            runs.append(run)
        if run is None:
            continue
        if said and said.group(1) == "Model":
            run["collective"] = said.group(2).lower()
        for key, pattern in (("global", r"Batch size:\s+(\d+)(?:\.0)? global"), ("batch", r"^\s*(\d+)(?:\.0)? per device"),
                             ("batch", r"Batch size:\s+(\d+)\s*$"), ("ranks", r"Number of [GC]PUs:\s+(\d+)"),
                             ("ranks", r"Total img/sec on (\d+) [GC]PU"), ("variables", r"Variables:\s+(\S+)")):
            found = re.search(pattern, line)
            if found and run[key] is None:
                run[key] = found.group(1) if key == "variables" else int(found.group(1))
        devices = re.search(r"Devices:\s+(\[.*\])", line)
        if devices:
            run["devices"] = len(re.findall(r"[gc]pu:", devices.group(1)))
        total = re.search(r"total images/sec: (\d+\.\d\d)$", line.rstrip()) or \
            re.search(r"Total img/sec on \d+ [GC]PU\(s\): (\d+\.\d) \+-", line)
        if total:
            run["rows"].append(["total", total.group(1), None])
        step = re.match(r"\s*(\d+)\s+images/sec: (\d+\.\d) \+/-", line)
        if step:
            run["rows"].append(["step", step.group(2), int(step.group(1))])
    for run in runs:
        if run["ranks"] is None and run["global"] and run["batch"]:
            run["ranks"] = run["global"] // run["batch"]
        run["ranks"] = run["ranks"] or run.pop("devices", None)
        run.pop("devices", None)
    return [run for run in runs if run["rows"]]


# Others


def read_param(text):
    run = {"tool": "PARAM", "collective": None, "ranks": None, "nodes": None, "rows": [],
           "columns": ["name", "size", "time", "algbw", "busbw"]}
    columns = []
    for line in text.split("\n"):
        world = re.search(r"'world_size': (\d+), 'local_size': (\d+)", line)
        if world:
            run["ranks"], run["nodes"] = int(world.group(1)), int(world.group(1)) // int(world.group(2))
        if "(B)" in line and ":p50" in line and "BusBW" in line:
            columns = re.sub(r" \(B\)", "(B)", line).split()
            continue
        cells = line.split()
        if columns and cells and cells[0].startswith("COMMS-RES") and len(cells) == len(columns):
            row = dict(zip((re.sub(r"\W.*", "", c) for c in columns), cells))
            time = row.get("Time", row.get("Latency"))
            run["rows"].append([cells[0], cells[1], time, row.get("AlgBW"), row.get("BusBW")])
    return [run]


def read_json(text):
    """Google Benchmark, nvbandwidth, nccl-tests and rccl-tests."""
    try:
        data = json.loads(text)
    except ValueError:
        try:
            data = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            return []
    run = {"collective": None, "ranks": None, "nodes": None, "rows": []}
    if isinstance(data, dict) and "benchmarks" in data:
        run.update(tool="google-benchmark", columns=["name", "kind", "real_time", "unit"])
        for b in data["benchmarks"]:
            run["rows"].append([b.get("run_name", b["name"]), b.get("aggregate_name", b.get("run_type", "iteration")),
                                b.get("real_time"), b.get("time_unit", "ns")])
    elif isinstance(data, dict) and "nvbandwidth" in data:
        run.update(tool="nvbandwidth", columns=["test", "row", "column", "value"])
        for test in data["nvbandwidth"].get("testcases", []):
            for i, row in enumerate(test.get("bandwidth_matrix", [])):
                run["rows"] += [[test["name"], i, j, cell] for j, cell in enumerate(row) if cell != "N/A"]
    elif isinstance(data, dict) and "results" in data:
        run.update(tool="nccl-tests JSON", columns="size type redop root place time algbw busbw wrong".split())
        run["collective"] = nccl_collective(" ".join(data["args"]))
        devices, config = data["config"]["devices"], data["config"]
        each = config["nthreads"] * config["ngpus"] if data["version"] < 4 else 1
        run["ranks"], run["nodes"] = len(devices) * each, len({d["hostname"] for d in devices})
        for row in data["results"]:
            for place, half in (("out", row["out_of_place"]), ("in", row["in_place"])):
                if half:
                    run["rows"].append([str(row["size"]), row["type"], None if row["redop"] == "none" else row["redop"],
                                        None if int(row["root"]) < 0 else row["root"].strip(), place] +
                                       [str(half[k]) for k in ("time", "alg_bw", "bus_bw", "nwrong")])
    else:
        run.update(tool="rccl-tests JSON", columns="size type redop root place time algbw busbw wrong".split())
        for row in data:
            run["collective"], run["ranks"] = plain(row["name"]), int(row.get("ranks", row.get("gpus", 0))) or None
            run["rows"].append([str(row["size"]), row["type"], row.get("redop"), None, ("out", "in")[int(row["inPlace"])]] +
                               [str(row[k]) for k in ("time", "algBw", "busBw", "#wrong")])
    return [run]


def read_nvbandwidth(text):
    run = {"collective": None, "ranks": None, "nodes": None, "rows": [], "tool": "nvbandwidth",
           "columns": ["test", "row", "column", "value"]}
    test, heads = None, None
    for _, line in lines_of(text):
        cells = line.split()
        running = re.match(r"\s*Running (\w+)\.\s*$", line)
        if running or not cells:
            test, heads = running.group(1) if running else test, None
        elif test and heads is None and all(cell.isdigit() for cell in cells):
            heads = cells
        elif test and heads and len(cells) == len(heads) + 1 and cells[0].isdigit():
            run["rows"] += [[test, int(cells[0]), int(column), cell] for column, cell in zip(heads, cells[1:]) if cell != "N/A"]
    return [run]


READERS = (
    (re.compile(r"\A\s*(\{|\[\s*\{)"), read_json),
    (re.compile(r"# nThread |#.*\balgbw\b"), read_nccl),
    (re.compile(r"# OSU (MPI|NCCL|RCCL)"), read_osu),
    (re.compile(r"Intel ?\(R\) MPI Bench|#repetitions"), read_imb),
    (re.compile(r"COMMS-RES"), read_param),
    (re.compile(r"^SUM \w+_(?:ce|sm|latency)", re.M), read_nvbandwidth),
    (re.compile(r"images/sec:|img/sec on "), read_training),
)


def read(text, file=""):
    """All runs that a log states; empty if it is of none of these tools. The file's name may tell the collective."""
    for pattern, reader in READERS:
        if pattern.search(text):
            runs = reader(text)
            for run in runs:
                if run["collective"] is None and run["tool"].startswith("nccl"):
                    run["collective"] = nccl_collective_in_name(file)
            return runs
    return []


def nccl_collective_in_name(file):
    found = re.findall(r"all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|broadcast|sendrecv|(?<![a-z])(?:reduce|gather|scatter)",
                       file.lower())
    return plain(found[0]) if found else None


def facts():
    return {log["name"]: read(log["text"], log["file"]) for log in corpus()}


def written(all_facts):
    """One run a line: short, and fit for a diff."""
    logs = []
    for name, runs in sorted(all_facts.items()):
        inner = ",\n".join("  " + json.dumps(run, separators=(",", ":")) for run in runs)
        logs.append(f"{json.dumps(name)}: [\n{inner}\n]" if runs else f"{json.dumps(name)}: []")
    return "{\n" + ",\n".join(logs) + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--write", action="store_true", help="rewrite facts.json")
    parser.add_argument("--check", action="store_true", help="fail if facts.json differs")
    options = parser.parse_args()
    text = written(facts())
    path = HERE / "facts.json"
    if options.write:
        path.write_text(text, encoding="utf-8")
    elif options.check:
        if text != path.read_text(encoding="utf-8"):
            sys.exit("facts.json is not what read_tables.py reads: check the difference, then read_tables.py --write")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
