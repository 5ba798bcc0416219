#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""replay_traces.py FOLDER COUNT_TRACE -- COMMAND...: writes made-up traces of each format, replays them with
`COMMAND replay ...`, and compares bytes and calls with COUNT_TRACE's. {np} in COMMAND is the number of ranks."""
import json
import pathlib
import shutil
import subprocess
import sys


def param_trace(ranks):
    """One rank's view: all ranks, pairs of neighbours, pairs at a distance, and what cannot be replayed."""
    half = ranks // 2
    entries = [{"comms": "init", "pg_id": 0, "global_ranks": list(range(ranks)), "world_size": ranks, "req": -1},
               {"comms": "init", "pg_id": 1, "global_ranks": [0, 1], "world_size": 2, "req": -1},
               {"comms": "init", "pg_id": 2, "global_ranks": [0, half], "world_size": 2, "req": -1}]

    def add(comms, sent=None, received=None, dtype="float32", group=0, **more):
        size = ranks if group == 0 else 2
        entry = {"comms": comms, "pg_id": group, "world_size": size, "req": [len(entries), False],
                 "startTime_ns": 1000000 * len(entries), "markers": ["## forward ##"], **more}
        if sent is not None:
            entry |= {"in_msg_size": sent, "out_msg_size": received, "dtype": dtype}
        entries.append(entry)

    for _ in range(3):
        add("all_reduce", 1000, 1000)
        add("wait")
    add("all_gather_base", 300, 300 * ranks, "bfloat16")
    add("reduce_scatter_base", 128 * ranks, 128, "Half")
    add("all_to_all", 64 * ranks, 64 * ranks, "Long")
    add("all_to_allv", 32 * ranks, 32 * ranks, "int", in_split=[32] * ranks, out_split=[32] * ranks)
    add("broadcast", 77, 77, "byte", root=ranks - 1)
    add("reduce", 50, 50, "double", root=1)
    add("barrier")
    add("all_reduce", 10, 10, group=1)
    add("all_reduce", 10, 10, group=2)
    entries.append({"compute": "gemm", "mm_dim": 100, "dtype": "float32", "count": 1})
    add("all_to_allv", 3 * ranks - 2, 2 * ranks, "int", in_split=[1] + [3] * (ranks - 1), out_split=[2] * ranks)
    add("send", 5, 5, "float", src_rank=0, dst_rank=1, use_batch=False)
    return entries


def execution_traces(ranks):
    """One trace of each rank: tensor-parallel pairs, data-parallel pairs across them, all ranks."""
    traces = []
    for rank in range(ranks):
        pair = [rank - rank % 2, rank - rank % 2 + 1]
        across = list(range(rank % 2, ranks, 2))
        groups = [{"pg_name": "0", "pg_desc": "default_pg", "ranks": [], "group_size": ranks, "group_count": 3},
                  {"pg_name": "1", "pg_desc": "tensor_parallel", "ranks": pair, "group_size": 2, "group_count": 3},
                  {"pg_name": "2", "pg_desc": "data_parallel", "ranks": across, "group_size": len(across), "group_count": 3}]
        nodes = [{"id": 1, "name": "## process_group:init ##", "inputs": {"values": [json.dumps(groups)], "shapes": [[]],
                  "types": ["String"]}, "outputs": {"values": [], "shapes": [], "types": []}, "attrs": []}]

        def add(name, sent, received, group, position, members, splits=([], [])):
            tensor = [[7, 8, 0, sent, 4, "cuda:0"]]
            attributes = {"collective_name": name, "dtype": "Float", "in_msg_nelems": sent, "out_msg_nelems": received,
                          "in_split_size": str(splits[0]), "out_split_size": str(splits[1]), "pg_name": group, "pg_size": len(members)}
            nodes.append({"id": len(nodes) + 1, "name": "record_param_comms", "inputs": {
                "values": [tensor, [len(nodes), False], [group, ""], position, name, *splits, 0, 1, len(members)],
                "shapes": [], "types": ["GenericList[Tensor(float)]"]},
                "outputs": {"values": [[[7, 8, 0, received, 4, "cuda:0"]]], "shapes": [], "types": []},
                "attrs": [{"name": key, "type": "string", "value": value} for key, value in attributes.items()]})

        world = list(range(ranks))
        for _ in range(2):
            add("allreduce", 500, 500, "1", pair.index(rank), pair)
            add("_allgather_base", 40, 40 * len(across), "2", across.index(rank), across)
        add("allreduce", 2048, 2048, "0", rank, world)
        blocks = list(range(1, ranks + 1))  # uneven: rank r receives r + 1 elements from each
        add("all_to_allv", sum(blocks), ranks * blocks[rank], "0", rank, world, (blocks, [blocks[rank]] * ranks))
        blocks = list(range(ranks))  # rank r sends r elements to each
        add("all_to_allv", ranks * rank, sum(blocks), "0", rank, world, ([rank] * ranks, blocks))
        if rank == 0:  # the others' traces end earlier
            add("allreduce", 9, 9, "0", rank, world)
        traces.append({"schema": "1.1.0-chakra.0.0.4", "nodes": nodes})
    return traces


def kineto_trace(ranks):
    def event(i, name, sent, received, dtype="Float"):
        return {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_" + name, "ts": 1000.0 + 500 * i, "dur": 100.5,
                "args": {"Collective name": name, "In msg nelems": sent, "Out msg nelems": received, "dtype": dtype,
                         "In split size": "[]", "Out split size": "[]", "Group size": ranks, "Process Group Name": "0",
                         "Process Group Description": "default_pg", "Process Group Ranks": str(list(range(ranks)))}}
    names = [("allreduce", 100, 100), ("_allgather_base", 10, 10 * ranks), ("allreduce", 100, 100), ("broadcast", 6, 6)]
    return {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": ranks},
            "traceEvents": [event(i, *name) for i, name in enumerate(names)]}


def write_traces(folder, ranks):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "param.json").write_text(json.dumps(param_trace(ranks)))
    (folder / "kineto.json").write_text(json.dumps(kineto_trace(ranks)))
    each = folder / "each"
    each.mkdir()
    for rank, trace in enumerate(execution_traces(ranks)):
        (each / f"et_rank-{rank}.json").write_text(json.dumps(trace))


def run(words):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(f"$ {' '.join(str(word) for word in words)}\n{done.stdout}")
    return done


def replay(command, trace, record, *more):
    return run([*command, "replay", trace, "-n", "3", "--settle", "no", "--noise", "0", "--progress", "never", "--out", record,
                "--overwrite", *more])


def expect(true, what):
    if not true:
        sys.exit(f"replay_traces.py: {what}")


def check(folder, count_trace, command, ranks):
    """What each replay prints, and its totals against the other script's."""
    wanted = {"param.json": ["12 calls in a pass", "2 not replayed", "uneven splits", "point-to-point", "1 compute entries"],
              "kineto.json": ["4 calls in a pass, 0 not replayed", "in trace"],
              "each": ["6 calls in a pass, 2 not replayed", "alltoallv", "send different totals", "data_parallel", "end before it"]}
    if ranks > 2:  # the pair is not all ranks
        wanted["each"].append("tensor_parallel")
        del wanted["kineto.json"]  # its second launch tells nothing new
    for name, texts in wanted.items():
        record = folder / f"{name}.jsonl"
        done = replay(command, folder / name, record)
        expect(done.returncode == 0, f"{name}: exit code {done.returncode}")
        missing = [text for text in texts if text not in done.stdout]
        expect(not missing, f"{name}: the output lacks {missing}")
        counted = run([sys.executable, "-B", count_trace, folder / name, "--ranks", ranks, "--record", record])
        expect(counted.returncode == 0, f"{name}: other totals than count-trace's")
    if ranks > 2:
        return
    rows = [json.loads(line) for line in (folder / "kineto.json.jsonl").read_text().splitlines()]
    total = next(row["replay"] for row in rows if row.get("replay"))
    expect(abs(total["trace_s"] - 4 * 100.5e-6) < 1e-9 and total["ratio"] > 0, f"times of the trace: {total}")


def check_gaps(folder, command):
    """A pass with gaps takes at least the trace's 400 us between three pairs of calls."""
    record = folder / "gaps.jsonl"
    expect(replay(command, folder / "kineto.json", record, "--gaps").returncode == 0, "--gaps fails")
    rows = [json.loads(line) for line in record.read_text().splitlines()]
    total = next(row for row in rows if row.get("replay"))
    expect(total["time_s"] >= 3 * (500 - 100.5) * 1e-6, f"a pass with gaps takes {total['time_s']} s")
    expect(total["key"]["cadence"] == "replay_gaps", "the key does not say that there were gaps")
    done = replay(command, folder / "each", record, "--gaps")
    expect(done.returncode == 2 and "does not say when its calls began" in done.stdout, "--gaps without times")


def check_refusals(folder, command, ranks):
    other = folder / "other"
    write_traces(other, ranks + 2)
    done = replay(command, other / "param.json", folder / "x.jsonl")
    expect(done.returncode == 2 and f"was recorded with {ranks + 2} ranks" in done.stdout, "another number of ranks")
    done = replay(command, other / "param.json", folder / "x.jsonl", "--rescale")
    expect(done.returncode == 0 and "its group is a part of the ranks" in done.stdout, "--rescale")
    mixed = json.loads((folder / "each" / "et_rank-0.json").read_text())
    mixed["nodes"][1]["attrs"][2]["value"] = 501
    (folder / "each" / "et_rank-0.json").write_text(json.dumps(mixed))
    done = replay(command, folder / "each", folder / "x.jsonl")
    expect(done.returncode == 2 and "do not fit each other" in done.stdout, "traces that differ")
    (folder / "cut.json").write_text((folder / "param.json").read_text()[:500])
    done = replay(command, folder / "cut.json", folder / "x.jsonl")
    expect(done.returncode == 2 and done.stdout.count("busbar-bench:") == 1 and "cut.json: " in done.stdout, "a cut file")


def main():
    folder, count_trace, command = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[sys.argv.index("--") + 1:]
    for ranks in (2, 4):
        launch = [word.replace("{np}", str(ranks)) for word in command]
        here = folder / f"np{ranks}"
        write_traces(here, ranks)
        check(here, count_trace, launch, ranks)
        if ranks == 2:
            check_gaps(here, launch)
            check_refusals(here, launch, ranks)
    return 0


if __name__ == "__main__":
    sys.exit(main())
