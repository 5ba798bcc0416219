#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the made-up records that the golden reports are drawn from into the folder input/ beside this file.

Nothing in them was measured: the times come from a formula.
"""
import json
import pathlib

folder = pathlib.Path(__file__).resolve().parent / "input"
sizes = [0] + [1 << n for n in range(3, 25, 3)]


def key(collective, size, ranks, nodes, **more):
    reduces = collective in ("allreduce", "reduce_scatter")
    base = dict(kind="collective", collective=collective, backend="mpi", memory="host", type="fp32",
                op="sum" if reduces else None, root=None, bytes=size, in_place=False, ranks=ranks, nodes=nodes,
                ranks_per_node=ranks // nodes, cadence="barrier", algorithm=None, group="world")
    return base | more


def factor(collective, ranks):
    return (2 if collective == "allreduce" else 1) * (ranks - 1) / ranks


def ok_case(k, latency_s, gbps, samples=True):
    time_s = round(latency_s + k["bytes"] / (gbps * 1e9), 9)
    algbw = k["bytes"] / time_s * 1e-9 if k["bytes"] else None
    bus = factor(k["collective"], k["ranks"])
    spread = [round(time_s * f, 9) for f in (0.97, 1.0, 1.03)]
    case = dict(status="ok", key=k, count=k["bytes"] // 4, time_s=time_s, algbw_GBps=algbw,
                busbw_GBps=algbw and algbw * bus, bus_factor=bus,
                check=dict(state="passed", calls_checked=3, wrong_ranks=[], first=None))
    if samples:
        case |= dict(samples_s=spread, samples_taken=3, ended_by="count",
                     statistics=dict(over="iterations, slowest rank of each", min_s=spread[0], mean_s=time_s,
                                     median_s=time_s, p95_s=spread[2], p99_s=spread[2], max_s=spread[2]))
    return case


def write(name, head, cases, status="ok", reason=None):
    count = {s: sum(c["status"] == s for c in cases) for s in ("ok", "skipped", "failed")}
    end = dict(record="end", status=status, reason=reason, exit_code=0 if status == "ok" else 1, cases=count,
               end_utc="2026-01-31T12:01:00Z", wall_s=60.0)
    lines = [dict(record="run", schema=1) | head] + [dict(record="case", index=i) | c for i, c in enumerate(cases)] + [end]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def host(name, virtualisation):
    return dict(name=name, cpu_model="Made-up CPU 9000", sockets=2, cores=32, threads=64, memory_bytes=256 << 30,
                kernel="6.1.0-18-amd64", os="Debian GNU/Linux 12 (bookworm)", governor="performance",
                virtualisation=virtualisation, container=None, gpu_driver=None, gpus=[],
                interfaces=[dict(name="eth0", kind="ethernet", driver="virtio_net" if virtualisation == "KVM" else "mlx5_core",
                                 state="up", speed_Gbps=None if virtualisation == "KVM" else 100.0, mtu=9000)],
                rdma=[] if virtualisation == "KVM" else [dict(device="mlx5_0", port=1, link_layer="Ethernet",
                                                              state="ACTIVE", rate_Gbps=100.0)])


def head(platform, virtualisation):
    hosts = [host(f"{platform}-{n}", virtualisation) for n in (1, 2)]
    return dict(id=f"20260131T120000Z-{platform}", origin="measured",
                tool=dict(name="golden", version="0.1.0", revision="0123456789ab", compiler="GNU 12.2.0", build_type="Release"),
                argv=["golden", "--sizes", "8:16M"], start_utc="2026-01-31T12:00:00Z", labels=dict(platform=platform),
                ranks=4, nodes=2,
                method=dict(cadence="barrier", rank_rule="slowest", statistic="median", warmup_iterations=None,
                            iterations=3, aggregated_iterations=1, check="every_call"),
                mpi=dict(library="Open MPI 4.1.4", standard="3.1", thread_level="MPI_THREAD_FUNNELED"), hosts=hosts,
                placement=[dict(rank=r, host=f"{platform}-{r // 2 + 1}", local_rank=r % 2, cpus=str(r % 2), bound=True,
                                device=None, device_bus=None) for r in range(4)],
                environment=dict(OMPI_MCA_btl="tcp,self") if platform == "vm" else {}, source=None, notes=[])


def measured(platform, virtualisation, latency_s, gbps):
    cases = []
    for collective, slower in (("allreduce", 2.0), ("allgather", 1.0), ("broadcast", 0.7)):
        for in_place in (False, True) if collective == "allreduce" else (False,):
            for size in sizes:
                k = key(collective, size, 4, 2, in_place=in_place, root=0 if collective == "broadcast" else None)
                faster = 0.85 if in_place else 1.0
                cases.append(ok_case(k, latency_s * slower * faster, gbps / slower / faster))
    for size in sizes[-2:]:
        cases.append(dict(status="skipped", key=key("allreduce", size * 1024, 4, 2), check=dict(state="off"),
                          reason="rank 1: needs 32 GiB of host memory, 12 GiB are free"))
    wrong = dict(rank=2, index=17, expected="6", found="0", call=5, phase="timed")
    cases.append(dict(status="failed", key=key("reduce_scatter", 1024, 4, 2), reason="rank 2: wrong data",
                      check=dict(state="failed", calls_checked=5, wrong_ranks=[2], first=wrong)))
    cases.append(dict(status="ok", key=key("barrier", 0, 4, 2, type=None, in_place=None), time_s=latency_s,
                      check=dict(state="off")))
    write(platform, head(platform, virtualisation), cases, "failed", "1 case failed")


def imported(nodes):
    ranks = 4 * nodes
    cases = [ok_case(key("allreduce", size, ranks, nodes, backend="nccl", memory="device", cadence="streaming",
                         in_place=in_place), 20e-6 * nodes, 40.0 / nodes, samples=False)
             for size in [4, 4096, 4 << 20, 1 << 30] for in_place in (False, True)]
    for case in cases:
        case["check"] = dict(state="passed", wrong_elements=0)
    hosts = [dict(name=f"node{n}", virtualisation="unknown") for n in range(nodes)]
    write(f"imported-n{nodes}",
          dict(id=f"imported-{nodes}", origin="imported", tool=dict(name="nccl-tests"), ranks=ranks, nodes=nodes,
               method=dict(cadence="streaming", rank_rule="mean", statistic="mean", warmup_iterations=5, iterations=20,
                           aggregated_iterations=1, check="some_calls"),
               hosts=hosts, source="all_reduce.log", notes=["the log does not name the MPI library"]), cases)


def hostile():
    """Every text of a record that may hold markup, does."""
    bad = "</script><img src=x onerror=\"window.pwned=1\">'&amp;|`*\u2028\u2029"
    h = head("vm", "KVM")
    h |= dict(labels={f"a{bad}": bad}, notes=[bad], argv=[bad], environment={"NCCL_X": bad}, source=bad)
    h["hosts"][0] |= dict(name=bad, cpu_model=bad, os=bad)
    h["tool"]["name"] = bad
    cases = [ok_case(key("allreduce", size, 4, 2, type=bad, algorithm=a), 1e-5, 2.0) for size in (8, 1024) for a in (bad, "ring")]
    cases.append(dict(status="failed", key=key(bad, 8, 4, 2), reason=bad, check=dict(state=bad)))
    write("hostile", h, cases, "failed", bad)


if __name__ == "__main__":
    folder.mkdir(exist_ok=True)
    measured("vm", "KVM", 30e-6, 1.2)
    measured("metal", "bare metal", 8e-6, 10.5)
    imported(2)
    imported(8)
    hostile()
