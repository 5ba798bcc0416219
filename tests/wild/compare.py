# SPDX-License-Identifier: Apache-2.0
"""Imports logs with busbar and compares the records with what read_tables.py reads; for wild_test.py and mutate_test.py."""
import json
import re
import subprocess

TYPES = {"float": "fp32", "half": "fp16", "bfloat16": "bf16", "double": "fp64", "char": "int8", "int": "int32",
         "long": "int64", "MPI_CHAR": "int8", "MPI_INT": "int32", "MPI_FLOAT": "fp32", "MPI_DOUBLE": "fp64",
         "MPI_BYTE": "byte"}
PAIRS = {"latency": "pingpong", "bandwidth": "unidirectional", "bi-directional bandwidth": "bidirectional",
         "multi latency": "multi_pingpong", "multiple bandwidth / message rate": "multi_pair",
         "multi-threaded latency": "pingpong_threads", "multi-process latency": "pingpong_processes"}
IMB_PAIRS = {"PingPong": "pingpong", "PingPing": "pingping", "PingPongSpecificSource": "pingpong_specific_source",
             "PingPongAnySource": "pingpong_any_source", "PingPingSpecificSource": "pingping_specific_source",
             "PingPingAnySource": "pingping_any_source"}
BLOCKS = re.compile(r"^i?(allgather|alltoall|gather|scatter)[vw]?(_init)?$")  # sizes are those of one rank's block
FACTORS = {"allreduce": lambda n: 2 * (n - 1) / n, "allgather": lambda n: (n - 1) / n, "alltoall": lambda n: (n - 1) / n,
           "reduce_scatter": lambda n: (n - 1) / n, "broadcast": lambda n: 1, "reduce": lambda n: 1, "sendrecv": lambda n: 1,
           "gather": lambda n: (n - 1) / n, "scatter": lambda n: (n - 1) / n}


# Running busbar


def import_logs(busbar, paths, args, out_dir):
    """What `busbar import` makes of each path: its records, its warnings, and the line that refuses it."""
    command = [busbar, "import", *map(str, paths), "--out-dir", str(out_dir), "--format", "json", "--overwrite", *args]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"busbar import ended with {done.returncode}: {done.stderr[-2000:]}")
    outcomes = {str(path): {"records": [], "warnings": [], "refused": []} for path in paths}
    for run in json.loads(done.stdout)["imported"] if done.stdout.strip() else []:
        of_log = outcomes[run["log"]]
        of_log["warnings"] += run["warnings"]
        with open(run["record"], encoding="utf-8") as lines:
            of_log["records"].append([json.loads(line) for line in lines])
    for line in done.stderr.splitlines():
        for path in re.findall(r"^busbar: (\S+?): ", line):
            if path in outcomes and not outcomes[path]["records"]:
                outcomes[path]["refused"].append(line)
    return outcomes


# What a record may hold


def close(a, b, slack=1e-9):
    return abs(a - b) <= slack * max(abs(a), abs(b), 1e-300)


def rounds_to(value, printed):
    """Whether the printed number is this one rounded to its digits."""
    digits = len(printed.partition(".")[2]) if "e" not in printed.lower() else 0
    return abs(value - float(printed)) <= 0.5000001 * 10**-digits + 1e-9 * abs(value)


def agrees_with(entry, case, partial):
    """Why a case differs from an entry; empty if it does not. `partial`: what is unknown in the record is no difference."""
    wrong = []
    unknown = partial and case["time_s"] is None
    by_bandwidth = entry["bytes"] / float(entry["MBps"]) if partial and entry.get("rate") and float(entry["MBps"]) else None
    if entry.get("time_us") is not None and not unknown and \
            not (by_bandwidth and case["time_s"] and close(case["time_s"], by_bandwidth * 1e-6)) and (case["time_s"] is None or not close(case["time_s"], entry["time_us"] * 1e-6)):
        wrong.append(f"time {case['time_s']} s for {entry['time_us']} us")
    for name in ("algbw_GBps", "busbw_GBps"):
        printed = entry.get(name)
        if printed is not None and (case[name] is None or not rounds_to(case[name], printed)):
            wrong.append(f"{name} {case[name]} for {printed}")
    if case["algbw_GBps"] is not None and entry.get("algbw_GBps") is None:
        stated, computed = entry.get("MBps"), entry["bytes"] / entry["time_us"] * 1e-3 if entry["time_us"] else None
        good = (stated is not None and rounds_to(case["algbw_GBps"] * 1e3, stated)) or \
            (computed is not None and (stated is None or entry.get("twice")) and close(case["algbw_GBps"], computed, 1e-6))
        expected = case["algbw_GBps"]
        if not good:
            wrong.append(f"algbw {case['algbw_GBps']} for {stated} MB/s and {computed} GB/s")
        factor = FACTORS.get(re.sub("^i(?=all|red|bro|ga|sc)|[vw]?(_init)?$", "", entry["collective"]))
        if case["busbw_GBps"] is not None and not (factor and close(case["busbw_GBps"], expected * factor(entry["ranks"]), 1e-6)):
            wrong.append(f"busbw {case['busbw_GBps']}")
    for name in ("samples_per_s", "batch"):
        if entry.get(name) is not None:
            has = case["training"]["samples_per_s"] if name == "samples_per_s" else case["key"]["training"]["batch"]
            if not (partial and has is None) and (has is None or not close(has, entry[name])):
                wrong.append(f"{name} {has} for {entry[name]}")
    if entry.get("failed") and case["status"] != "failed":
        wrong.append("a case with wrong data is not failed")
    for name in ("ranks", "nodes"):
        if entry.get(name) is not None and case["key"][name] != entry[name] and not (partial and case["key"][name] is None):
            wrong.append(f"{name} {case['key'][name]} for {entry[name]}")
    return wrong


def name_of_call(k):
    """As MPI names it: iallreduce, allreduce_init."""
    return {"nonblocking": "i"}.get(k["form"], "") + k["collective"] + {"persistent": "_init"}.get(k["form"], "")


def key_of_case(case):
    k = case["key"]
    return (name_of_call(k), k["bytes"], k["type"], k["op"] or None, k["root"], k["in_place"], case["key"]["ranks"],
            k["group"] if k["group"] not in (None, "world") else None)


def nccl_entries(run, told):
    for size, kind, op, root, place, time, algbw, busbw, wrong in run["rows"]:
        entry = {"collective": run["collective"], "bytes": int(size), "time_us": float(time), "ranks": run["ranks"] or told,
                 "nodes": run["nodes"], "failed": wrong not in (None, "N/A") and "e" not in wrong and float(wrong) > 0}
        if entry["bytes"] > 0 and not run["tool"].endswith("JSON"):
            entry.update(algbw_GBps=algbw, busbw_GBps=busbw)
        yield entry, (entry["collective"], entry["bytes"], TYPES.get(kind, kind), op, None if root is None else int(root),
                      place == "in", entry["ranks"], None)


def osu_entries(run, told):
    title = run["collective"]
    non_blocking, again = "non-blocking " in title, " persistent" in title
    title = title.replace("non-blocking ", "").replace(" persistent", "")
    name = PAIRS.get(title) or re.sub(r"[-_ ]", "", title.replace(" personalized exchange", "").replace(" latency", ""))
    name = {"reducescatter": "reduce_scatter"}.get(name, name)
    name = ("i" if non_blocking else "") + name + ("_init" if again else "")
    ranks = run["ranks"] if title in PAIRS else told or run["ranks"] or 1  # what the user states wins
    for size, kind, time, MBps, rate, valid in run["rows"]:
        size = int(size or 0)
        bytes_ = size * (ranks if BLOCKS.match(name) else 1) if "barrier" not in name else 0
        entry = {"collective": name, "bytes": bytes_, "ranks": ranks, "nodes": None, "failed": valid == "Fail", "rate": rate}
        if MBps is not None:
            entry["MBps"] = MBps
            entry["time_us"] = 1e6 / float(rate) if rate and float(rate) else size / float(MBps) if float(MBps) else None
        else:
            entry["time_us"] = float(time)
        op = "sum" if re.match(r"i?(allreduce|reduce|scan|exscan)", name) else None
        typed = TYPES.get(kind, kind and kind.removeprefix("MPI_")) if "barrier" not in name else None
        yield entry, (name, bytes_, typed, op, None, None, ranks, None)


def imb_entries(run, told):
    year = re.match(r"\d{4}", run["version"] or "2021")
    for benchmark, processes, groups, size, time, MBps, rate, group, defects, mode in run["rows"]:
        if mode:
            continue
        name = benchmark.removesuffix("_pure")
        ranks = processes or told
        if name in IMB_PAIRS:
            name = IMB_PAIRS[name]
        elif name in ("Uniband", "Biband"):
            name = {"Uniband": "unidirectional", "Biband": "bidirectional"}[name] if ranks == 2 else \
                   {"Uniband": "multi_pair", "Biband": "multi_pair_bidirectional"}[name]
        else:
            name = name.lower()
            name = {"bcast": "broadcast", "ibcast": "ibroadcast"}.get(name, name)
        blocks = BLOCKS.match(name) or ("reduce_scatter" in name and year and int(year.group(0)) >= 2019)
        bytes_ = int(size or 0) * (ranks if blocks else 2 if name == "exchange" else 1)
        entry = {"collective": name, "bytes": bytes_, "ranks": ranks, "nodes": None, "rate": rate,
                 "failed": defects is not None and float(defects) > 1e-5}
        entry["time_us"] = 1e6 / float(rate) if rate and float(rate) else float(time) if time else None
        entry["MBps"] = MBps
        entry["twice"] = name in ("sendrecv", "exchange")  # both directions count
        where = group if group is not None else groups
        yield entry, (name, bytes_, None, "sum" if "reduce" in name else None, None, None, ranks, where)


def training_entries(run, told):
    ranks = run["ranks"] or told or 1
    batch = run["batch"] or (run["global"] // ranks if run["global"] and ranks else None)
    totals = [float(rate) for kind, rate, _ in run["rows"] if kind == "total"]
    if not totals:  # the running mean so far, over processes
        last = max(step for _, _, step in run["rows"])
        means = [float(rate) for _, rate, step in run["rows"] if step == last]
        totals = [sum(means) / len(means) * (ranks if run["variables"] == "horovod" else 1)]
    one_job = run["variables"] == "horovod" or len(totals) == 1 or run["variables"] is None
    entry = {"collective": run["collective"], "bytes": 0, "ranks": ranks, "nodes": None, "batch": batch,
             "samples_per_s": min(totals) if one_job else totals[0]}
    entry["time_us"] = batch * ranks / entry["samples_per_s"] * 1e6 if batch and ranks else None
    yield entry, (run["collective"], 0, None, None, None, None, ranks, None)


def param_entries(run, told):
    for name, size, time, algbw, busbw in run["rows"]:
        words = re.match(r"COMMS-RES-(\w+)-(\w+)", name)
        collective = words.group(1) if words else None
        collective = {"all_reduce": "allreduce", "all_gather": "allgather", "all_gather_base": "allgather",
                      "all_to_all": "alltoall", "all_to_all_single": "alltoall", "all_to_allv": "alltoallv",
                      "reduce_scatter_base": "reduce_scatter"}.get(collective, collective)
        entry = {"collective": collective, "bytes": int(size), "ranks": run["ranks"] or told, "nodes": run["nodes"],
                 "time_us": float(time), "algbw_GBps": algbw, "busbw_GBps": busbw}
        reduces = collective in ("allreduce", "reduce", "reduce_scatter")
        yield entry, (collective, int(size), TYPES.get(words.group(2), {"float32": "fp32", "float16": "fp16"}.get(
            words.group(2), words.group(2))) if words else None, "sum" if reduces else None, None, None, entry["ranks"], None)


BUILDERS = {"nccl-tests": nccl_entries, "nccl-tests JSON": nccl_entries, "rccl-tests JSON": nccl_entries, "OSU": osu_entries,
            "IMB": imb_entries, "training": training_entries, "PARAM": param_entries}


def told_ranks(args):
    return int(args[args.index("--ranks") + 1]) if "--ranks" in args else None


def entries_of(run, args):
    """The figures of a run by the key of the case that should hold them: lists, as a key may repeat."""
    by_key = {}
    if run["collective"] is None and "--collective" in args:
        run = dict(run, collective=args[args.index("--collective") + 1])
    for entry, key in BUILDERS[run["tool"]](run, told_ranks(args)):
        by_key.setdefault(key, []).append(entry)
    return by_key


def loose(key):
    """A key without the group, whose name is busbar's own."""
    return key[:7]


def without_type(key):
    return key[:2] + (None,) + key[3:]


def json_problems(run, records):
    """Google Benchmark and nvbandwidth: every value of a record stands in the file, and each of the file in a record."""
    cases = [c for record in records for c in record if c["record"] == "case"]
    if run["tool"] == "nvbandwidth":
        stated = [(row[0], float(row[3])) for row in run["rows"]]
        held = [(c["key"]["collective"], c["algbw_GBps"] if c["algbw_GBps"] is not None else (c["time_s"] or 0) * 1e9)
                for c in cases if c["status"] == "ok"]
        wrong = [h for h in held if not any(h[0] == s[0] and close(h[1], s[1], 1e-9) for s in stated)]
        missing = [s for s in stated if not any(h[0] == s[0] and close(h[1], s[1], 1e-9) for h in held)]
        return [f"{w} is not in the file" for w in wrong], [f"{m} is in no record" for m in missing]
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    stated = {}
    for name, kind, time, scale in run["rows"]:
        if kind in ("iteration", "median", "mean") and time is not None and scale in unit:
            stated.setdefault(name, []).append(time * unit[scale])
    wrong, seen = [], set()
    for c in cases:
        name = c["key"]["collective"]
        seen.add(name)
        values = c["samples_s"] or ([c["time_s"]] if c["time_s"] is not None else [])
        wrong += [f"{name}: {v} s is not in the file" for v in values
                  if not any(close(v, s) for s in stated.get(name, []))]
    return wrong, [f"{name} is in no record" for name in stated if name not in seen]


def merged(parts):
    whole = {}
    for part in parts:
        for key, entries in part.items():
            whole.setdefault(key, []).extend(entries)
    return whole


def compare_record(by_key, record, partial):
    """Two lists: figures of the record that the run does not state, and keys of the run that the record lacks."""
    wrong, seen = [], set()
    known, by_key_loosely = {}, {loose(key) for key in by_key}
    for key, entries in by_key.items():
        known.setdefault(loose(key), []).extend(entries)
        if partial:
            known.setdefault(without_type(loose(key)), []).extend(entries)
    for case in record:
        if case["record"] != "case" or case["status"] == "skipped":
            continue
        key = loose(key_of_case(case))
        if key not in known:
            wrong.append(f"{case['id']}: not in the log")
            continue
        seen.update({key} if key in by_key_loosely else (k for k in by_key_loosely if without_type(k) == key))
        reasons = [agrees_with(entry, case, partial) for entry in known[key]]
        if all(reasons):
            wrong.append(f"{case['id']}: " + "; ".join(min(reasons, key=len)))
    return wrong, [key for key in by_key_loosely if key not in seen]


def judge(runs, args, outcome, partial=False):
    """Outcome of a log: (verdict, lines that explain it). `runs`: what the log truly states. `partial`: the log that was
    imported may state less."""
    records = outcome["records"]
    if not records:
        return ("refused", outcome["refused"][:1]) if outcome["refused"] else ("WRONG", ["neither a record nor a message"])
    wrong, missing = [], []
    if runs and runs[0]["tool"] in ("google-benchmark", "nvbandwidth"):
        wrong, missing = json_problems(runs[0], records)
    else:
        runs = [run for run in runs if run["tool"] in BUILDERS]
        expected = [entries_of(run, args) for run in runs]
        for tool in ("training", "IMB") if partial else ("training",):
            parts = [part for part, run in zip(expected, runs) if run["tool"] == tool]
            if tool == "training" and parts:  # one record of all
                expected = [part for part, run in zip(expected, runs) if run["tool"] != tool] + [merged(parts)]
            elif len(parts) > 1:  # tables behind a program whose title is lost are those of the one before
                expected.append(merged(parts))
        lacking = set(range(len(expected)))
        for record in records:
            cases = any(c["record"] == "case" for c in record)
            results = [compare_record(by_key, record, partial) for by_key in expected] or [(["a record of no run"] * cases, [])]
            best = min(range(len(results)), key=lambda i: (len(results[i][0]), len(results[i][1]), i not in lacking))
            wrong += results[best][0]
            missing += [str(key) for key in results[best][1]]
            lacking.discard(best)
        missing += [f"run {i + 1}, with {len(expected[i])} cases" for i in lacking if expected[i]]
    if wrong:
        return "WRONG", wrong
    if missing:
        return "missing", missing
    return "right", []
