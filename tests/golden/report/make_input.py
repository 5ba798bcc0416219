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
    if collective in ("broadcast", "reduce", "sendrecv"):
        return 1.0
    return (2 if collective == "allreduce" else 1) * (ranks - 1) / ranks


def in_rounds(time_s, width, ranks, rounds=7):
    """What a case has that was measured in rounds: their medians lie evenly within `width` (relative) of its time."""
    medians = [round(time_s * (1 + width * (2 * i / (rounds - 1) - 1)), 10) for i in range(rounds)]
    interval = dict(low=medians[0], high=medians[-1], confidence=0.95) if rounds >= 6 else None
    return dict(interval_s=interval, samples_s=medians, samples_taken=8 * rounds, calls_per_sample=1,
                ended_by="converged" if width < 0.05 else "time_budget", modes=None, invalid_samples=None, overhead=None,
                contention=dict(contended=False, reasons=[]), remarks=[],
                arrival=dict(skew_s=2e-7, transfer_s=0.9 * time_s, late=[]),
                rounds=[dict(at_s=0.5 * (i + 1), samples=8, kept=1, median_s=m, early_s=m, contended=False,
                             pace_s=(1.2 + 0.4 * (i == 4)) * 1e-6)
                        for i, m in enumerate(medians)],
                usage=[dict(wall_s=0.1, cpu_s=0.1, waited_s=0.0, voluntary_switches=0, involuntary_switches=1,
                            host_busy_s=0.4, host_stolen_s=0.0, throttled_periods=None)] * ranks)


def with_remarks(cases):
    """Gives some of the cases what a reader should stop at, one kind each."""
    cases[1] |= dict(calls_per_sample=8)
    cases[2] |= dict(contention=dict(contended=True, reasons=["runnable but not running 12 % of the time",
                                                              "other processes used 0.4 of 64 CPUs"]))
    fast, slow = cases[3]["rounds"][1]["median_s"], cases[3]["rounds"][5]["median_s"]
    cases[3] |= dict(modes=dict(low=dict(median_s=fast, rounds=4), high=dict(median_s=slow, rounds=3)),
                     remarks=["rounds fall into two groups: 4 fast, 3 slow; the median is of both together",
                              "times rose by 6 % from the first round to the last"])
    cases[4]["arrival"]["late"] = [dict(rank=3, host="vm-2", cpus="1", device=None, last_share=0.875, behind_s=4e-6)]
    cases[5] |= dict(invalid_samples=3, overhead=dict(inside_s=0.5, start_s=0.25, data_s=0.125, other_s=0.125))
    cases[6] |= dict(interval_s=None, rounds=cases[6]["rounds"][:3])


def ok_case(k, latency_s, gbps, width=None):
    """`width`: of the interval, relative; None: only a mean is known, as in an import."""
    time_s = round(latency_s + k["bytes"] / (gbps * 1e9), 9)
    algbw = k["bytes"] / time_s * 1e-9 if k["bytes"] else None
    bus = factor(k["collective"], k["ranks"])
    case = dict(status="ok", key=k, count=k["bytes"] // 4, time_s=time_s, algbw_GBps=algbw,
                busbw_GBps=algbw and algbw * bus, bus_factor=bus,
                check=dict(state="passed", calls_checked=3, wrong_ranks=[], first=None))
    if width:
        longest = round(time_s * 1.03, 9)
        case |= in_rounds(time_s, width, k["ranks"])
        case |= dict(statistics=dict(over="iterations, slowest rank of each", min_s=round(time_s * 0.97, 9), mean_s=time_s,
                                     median_s=time_s, p95_s=longest, p99_s=longest, max_s=longest),
                     ranks=[dict(rank=r, min_s=round(time_s * 0.9, 9), median_s=round(time_s * (0.97 + 0.02 * (r == 3)), 9),
                                 max_s=longest) for r in range(k["ranks"])])
    return case


def write(name, head, cases, status="ok", reason=None, clock=None, settling=None):
    count = {s: sum(c["status"] == s for c in cases) for s in ("ok", "skipped", "failed")}
    end = dict(record="end", status=status, reason=reason, exit_code=0 if status == "ok" else 1, cases=count,
               end_utc="2026-01-31T12:01:00Z", wall_s=60.0, clock=clock, settling=settling)
    lines = [dict(record="run", schema=1) | head] + [dict(record="case", index=i) | c for i, c in enumerate(cases)] + [end]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def host(name, virtualisation):
    return dict(name=name, cpu_model="Made-up CPU 9000", sockets=2, cores=32, threads=64, memory_bytes=256 << 30,
                kernel="6.1.0-18-amd64", os="Debian GNU/Linux 12 (bookworm)",
                governor=None if virtualisation == "KVM" else "performance",
                cpufreq_driver=None if virtualisation == "KVM" else "acpi-cpufreq",
                turbo=None if virtualisation == "KVM" else True, smt=virtualisation != "KVM",
                cpu_quota=1.5 if virtualisation == "KVM" else None,
                clock_source="kvm-clock" if virtualisation == "KVM" else "tsc", transparent_huge_pages="madvise",
                virtualisation=virtualisation, container=None, gpu_driver=None, gpus=[],
                interfaces=[dict(name="eth0", kind="ethernet", driver="virtio_net" if virtualisation == "KVM" else "mlx5_core",
                                 state="up", speed_Gbps=None if virtualisation == "KVM" else 100.0, mtu=9000)],
                rdma=[] if virtualisation == "KVM" else [dict(device="mlx5_0", port=1, link_layer="Ethernet",
                                                              state="ACTIVE", rate_Gbps=100.0)])


def head(platform, virtualisation):
    hosts = [host(f"{platform}-{n}", virtualisation) for n in (1, 2)]
    stop = dict(confidence=0.95, relative_half_width=0.02, least_rounds=20, least_span_s=5.0, case_budget_s=3.0,
                run_budget_s=60.0 if platform == "metal" else None, most_samples=100000)
    clock = dict(method="HCA3", reference_rank=0, residual_s=3.5e-8, uncertainty_s=1.2e-6, took_s=0.2,
                 ranks=[dict(rank=r, offset_s=0.5 * r, drift_ppm=-0.3 * r, residual_s=r and 3.5e-8,
                             uncertainty_s=r and 1.2e-6) for r in range(4)])
    return dict(id=f"20260131T120000Z-{platform}", origin="measured",
                tool=dict(name="golden", version="0.1.0", revision="0123456789ab", compiler="GNU 12.2.0", build_type="Release"),
                argv=["golden", "--sizes", "8:16M"], start_utc="2026-01-31T12:00:00Z", labels=dict(platform=platform),
                ranks=4, nodes=2,
                method=dict(cadence="barrier", rank_rule="slowest", statistic="median_of_rounds", warmup_iterations=5,
                            iterations=None, aggregated_iterations=None, check="every_call_sampled", stop=stop,
                            buffers=dict(alignment_bytes=4096, send_offset_bytes=0,
                                         recv_offset_bytes=64 if platform == "vm" else 0)),
                mpi=dict(library="Open MPI 4.1.4", standard="3.1", thread_level="funneled", yields=platform == "vm",
                         yield_asked_by="busbar: more ranks than CPUs" if platform == "vm" else "nobody"),
                hosts=hosts, timer=dict(resolution_s=1e-8 if platform == "vm" else 1e-9, cost_s=2.4e-8), clock=clock,
                noise=[dict(measured_s=1.0, stolen_share=0.002 * (r + 1), longest_s=1e-4 * (r + 1), detours=100 * r,
                            speed_ratio=1.02) for r in range(4)],
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
                width = 0.01 if platform == "metal" else 0.02 + 0.03 * sizes.index(size)
                cases.append(ok_case(k, latency_s * slower * faster, gbps / slower / faster, width))
    with_remarks(cases if platform == "vm" else cases[-len(sizes):])
    for size in sizes[-2:]:
        cases.append(dict(status="skipped", key=key("allreduce", size * 1024, 4, 2), check=dict(state="off"),
                          reason="rank 1: needs 32 GiB of host memory, 12 GiB are free"))
    wrong = dict(rank=2, index=17, expected="6", found="0", call=5, phase="timed")
    cases.append(dict(status="failed", key=key("reduce_scatter", 1024, 4, 2), reason="rank 2: wrong data",
                      check=dict(state="failed", calls_checked=5, wrong_ranks=[2], first=wrong)))
    cases.append(dict(status="ok", key=key("barrier", 0, 4, 2, type=None, in_place=None), time_s=latency_s,
                      check=dict(state="off")))
    checks = [dict(at_s=5.0 * n, residual_s=2e-8 * n, uncertainty_s=1.2e-6) for n in (1, 2, 3)]
    write(platform, head(platform, virtualisation), cases, "failed", "1 case failed",
          dict(checks=checks, worst_residual_s=6e-8, resynchronised=1),
          dict(first_barrier_s=4.4e-7, best_barrier_s=1.3e-7, seconds=0.7, times=2, wakes=700, looks=69, far=1)
          if platform == "vm" else None)


def imported(nodes):
    ranks = 4 * nodes
    cases = [ok_case(key("allreduce", size, ranks, nodes, backend="nccl", memory="device", cadence="streaming",
                         in_place=in_place), 20e-6 * nodes, 40.0 / nodes)
             for size in [4, 4096, 4 << 20, 1 << 30] for in_place in (False, True)]
    for case in cases:
        case["check"] = dict(state="passed", wrong_elements=0)
    hosts = [dict(name=f"node{n}", virtualisation="unknown") for n in range(nodes)]
    write(f"imported-n{nodes}",
          dict(id=f"imported-{nodes}", origin="imported", tool=dict(name="nccl-tests"), ranks=ranks, nodes=nodes,
               method=dict(cadence="streaming", rank_rule="mean", statistic="mean", warmup_iterations=5, iterations=20,
                           aggregated_iterations=1, check="some_calls"),
               hosts=hosts, source="all_reduce.log", notes=["the log does not name the MPI library"]), cases)


def training_key(ranks, nodes=1, **more):
    """Keys of a training: `more` are those of its own."""
    reduces = ranks > 1 and more.get("parallel", "data") == "data"
    own = dict(parallel="data", compute="onednn", computed_on="cpu", batch=8, micro_batches=1, image=64, threads=1,
               scaling="weak", layout="packed", overlap="poll" if reduces else None,
               first_bucket_bytes=1 << 20 if reduces else 0, bucket_bytes=25 << 20 if reduces else 0, hierarchical=False,
               sharded=False, jobs=1, schedule=None) | more
    return key("resnet50", 102228128, ranks, nodes, kind="training", type="fp32", op="sum" if reduces else None,
               in_place=None, ranks_per_node=ranks // nodes, cadence="streaming", training=own)


def around(middle, width):
    return dict(low=middle * (1 - width), high=middle * (1 + width), confidence=0.95)


def training_case(k, forward_s, exposed_s, hidden_s, width=0.01, baseline=None, loss=(6.93, 6.41), **more):
    """A step: backward takes twice as long as forward. `baseline`: the case that scaling is measured from."""
    optimiser_s, other_s = 0.04 * forward_s, 0.01 * forward_s
    step_s = 3 * forward_s + exposed_s + optimiser_s + other_s
    own = k["training"]
    rate = own["batch"] * (1 if own["parallel"] == "pipeline" else k["ranks"]) / step_s
    trained = dict(sample="image", samples_per_s=rate, samples_per_s_interval=around(rate, width), scaling=None,
                   split=dict(step_s=step_s, forward_s=forward_s, backward_s=2 * forward_s, exposed_s=exposed_s,
                              optimiser_s=optimiser_s, other_s=other_s, hidden_s=hidden_s),
                   wire_bytes=2 * (k["ranks"] - 1) * k["bytes"] // k["ranks"], buckets=5 if own["overlap"] else 0,
                   loss_first=loss and loss[0], loss_last=loss and loss[1], weights_hash=loss and "0123456789abcdef",
                   memory=None, arithmetic=None, slow_ranks=[], jobs=[], pipeline=None)
    if baseline:
        before = baseline["training"]["samples_per_s"]
        ratio = k["ranks"] / baseline["key"]["ranks"]
        trained["scaling"] = dict(baseline_ranks=baseline["key"]["ranks"], baseline_samples_per_s=before,
                                  speed_up=rate / before, efficiency=rate / before / ratio,
                                  efficiency_interval=around(rate / before / ratio, 0.8 * width))
    longest = step_s * 1.03
    return dict(status="ok", key=k, time_s=step_s, algbw_GBps=None, busbw_GBps=None, bus_factor=None,
                check=dict(state="passed", calls_checked=24, wrong_ranks=[], first=None), training=trained | more,
                statistics=dict(over="steps, slowest rank of each", min_s=step_s * 0.97, mean_s=step_s, median_s=step_s,
                                p95_s=longest, p99_s=longest, max_s=longest)) | in_rounds(step_s, width, k["ranks"])


def memory_of_rank(activations_bytes):
    w = 102228128
    needed = 3 * w + activations_bytes
    return dict(peak_bytes=int(1.37 * needed) + (60 << 20), before_bytes=60 << 20, weights_bytes=w, gradients_bytes=w,
                momenta_bytes=w, activations_bytes=activations_bytes, needed_bytes=needed)


def arithmetic_of_rank(forward_s):
    flop = 15.9e9
    kinds = [("convolution", 53, 0.985 * flop, 0.74), ("norm", 53, 0, 0.15), ("relu", 49, 0, 0.05), ("pool", 2, 0, 0.02),
             ("add", 16, 0, 0.03), ("linear", 1, 0.015 * flop, 0.01)]
    return dict(flop_per_step=flop, peak_flop_per_s=102.4e9, peak_instructions="AVX-512 FMA", reorder_s=0.06 * forward_s,
                layers=[dict(kind=kind, layers=n, flop=f, forward_s=share * forward_s, backward_s=2 * share * forward_s)
                        for kind, n, f, share in kinds])


def training_head(what, ranks, nodes, note):
    h = head("metal", "bare metal")
    names = ["made-up"] if nodes == 1 else [f"made-up-{n}" for n in range(nodes)]
    stop = h["method"]["stop"] | dict(least_rounds=8)
    h |= dict(id=f"20260131T120000Z-{what}", labels=dict(made_up=what), ranks=ranks, nodes=nodes, clock=None, noise=[],
              argv=["golden", "--train", what], hosts=[host(name, "bare metal") for name in names], notes=[note],
              placement=[dict(rank=r, host=names[r * nodes // ranks], local_rank=r % (ranks // nodes),
                              cpus=str(r % (ranks // nodes)), bound=True, device=None, device_bus=None)
                         for r in range(ranks)],
              method=h["method"] | dict(cadence="streaming", warmup_iterations=2, stop=stop, buffers=None))
    return h


def schedule_1f1b(stages, micro_batches, forward_s, backward_s):
    """Passes of one step, each as early as the ones that it needs allow."""
    ended, free = {}, [0.0] * stages
    queues = []
    for s in range(stages):
        ahead = min(stages - s, micro_batches)
        order = [("forward", m) for m in range(ahead)]
        for m in range(micro_batches):
            order += [("backward", m)] + [("forward", m + ahead)] * (m + ahead < micro_batches)
        queues.append(order)
    operations = []
    while any(queues):
        for s, order in enumerate(queues):
            needed = order and {"forward": (s - 1, "forward"), "backward": (s + 1, "backward")}[order[0][0]]
            if not order or (0 <= needed[0] < stages and (*needed, order[0][1]) not in ended):
                continue
            what, m = order.pop(0)
            start = max(free[s], ended.get((*needed, m), 0.0))
            free[s] = ended[s, what, m] = round(start + (forward_s if what == "forward" else backward_s), 6)
            operations.append({"stage": s, "pass": what, "micro_batch": m, "start_s": start, "end_s": free[s]})
    return operations


def trained():
    """Weak scaling in two ways of overlap, above 100 % once, and one slow rank; jobs side by side; a pipeline."""
    alone = training_case(training_key(1), 0.35, 0, 0, memory=memory_of_rank(712 << 20), arithmetic=arithmetic_of_rank(0.35))
    cases = [alone]
    for overlap, ranks, forward_s, exposed_s, hidden_s in (("poll", 2, 0.349, 0.0, 0.071), ("poll", 4, 0.362, 0.052, 0.094),
                                                           ("none", 2, 0.351, 0.083, 0.0), ("none", 4, 0.364, 0.171, 0.0)):
        cases.append(training_case(training_key(ranks, overlap=overlap), forward_s, exposed_s, hidden_s, 0.005 * ranks, alone,
                                   memory=memory_of_rank(712 << 20), arithmetic=arithmetic_of_rank(forward_s)))
    cases[1]["training"]["scaling"] |= dict(speed_up=2.014, efficiency=1.007, efficiency_interval=around(1.007, 0.011))
    cases[4]["training"]["slow_ranks"] = [dict(rank=3, host="made-up", cpus="3", compute_s=1.21, others_compute_s=1.09)]
    two = cases[1]
    rates = (two["training"]["samples_per_s"] / 1.12, two["training"]["samples_per_s"] / 1.17)
    jobs = [dict(ranks=[0, 1], samples_per_s=rates[0], samples_per_s_interval=around(rates[0], 0.014), slow_down=1.12),
            dict(ranks=[2, 3], samples_per_s=rates[1], samples_per_s_interval=around(rates[1], 0.02), slow_down=1.17)]
    cases.append(training_case(training_key(4, jobs=2), 0.371, 0.075, 0.06, 0.015, jobs=jobs))
    cases[-1]["training"] |= dict(samples_per_s=sum(rates), samples_per_s_interval=around(sum(rates), 0.012))
    stages = [0.262, 0.281, 0.244, 0.301]
    cases.append(training_case(training_key(4, parallel="pipeline", micro_batches=8, schedule="1f1b"), 0.095, 0.13, 0.0, 0.02,
                               pipeline=dict(stages=4, micro_batches=8, bubble=0.331, ideal_bubble=3 / 11,
                                             stage_compute_s=stages, most_in_flight=4,
                                             operations=schedule_1f1b(4, 8, 0.011, 0.022))))
    cases.append(dict(status="failed", key=training_key(4, overlap="thread"), reason="rank 2: weights differ from rank 0's",
                      check=dict(state="failed")))
    write("training", training_head("measured", 4, 1, "made up: nothing of this was measured"), cases, "failed",
          "1 case failed")


def replayed():
    """Weak scaling over nodes, of which only the communication would be measured."""
    own = dict(compute="replay", computed_on="a100-pcie", batch=1024, image=224, threads=None)
    alone = training_case(training_key(1, **own), 0.1254, 0, 0, 0.004, loss=None)
    cases = [alone] + [training_case(training_key(n, n, **own), 0.1254, 0.004 * n ** 1.2, 0.03, 0.003 * n, alone, None)
                       for n in (2, 4, 8)]
    write("training-replayed", training_head("replayed", 8, 8, "made up: nothing of this was measured"), cases)


def hostile_training(bad):
    own = {text: bad for text in ("parallel", "compute", "computed_on", "scaling", "layout", "overlap", "schedule")}
    alone = training_case(training_key(1, **own), 0.1, 0, 0)
    cases = [alone, training_case(training_key(2, **own), 0.1, 0.01, 0, 0.01, alone),
             training_case(training_key(4, **own | dict(jobs=2, compute="replay")), 0.1, 0.01, 0)]
    job = dict(samples_per_s=20.0, samples_per_s_interval=None, slow_down=None)
    cases[1]["training"] |= dict(arithmetic=arithmetic_of_rank(0.1) | dict(peak_instructions=bad),
                                 slow_ranks=[dict(rank=1, host=bad, cpus=bad, compute_s=0.4, others_compute_s=0.3)],
                                 pipeline=dict(stages=2, micro_batches=2, bubble=0.4, ideal_bubble=1 / 3,
                                               stage_compute_s=[0.1, 0.2], most_in_flight=2,
                                               operations=[{"stage": 0, "pass": bad, "micro_batch": 0, "start_s": 0.0,
                                                            "end_s": 0.1}]))
    alone["training"]["arithmetic"] = dict(flop_per_step=1e9, reorder_s=0.0, layers=[dict(kind=bad, layers=1, flop=1e9,
                                                                                        forward_s=0.1, backward_s=0.2)])
    cases[2]["training"]["jobs"] = [job | dict(ranks=[0, 1]), job | dict(ranks=[2, 3])]
    for case in cases:
        case["key"]["collective"] = f"<script>window.pwned=1</script>{bad}"
        case["training"]["sample"] = bad
    return cases


def hostile():
    """Every text of a record that may hold markup, does."""
    bad = "</script><img src=x onerror=\"window.pwned=1\">'&amp;|`*\u2028\u2029"
    h = head("vm", "KVM")
    h |= dict(labels={f"a{bad}": bad}, notes=[bad], argv=[bad], environment={"NCCL_X": bad}, source=bad)
    h["hosts"][0] |= dict(name=bad, cpu_model=bad, os=bad)
    h["hosts"][0] |= dict(governor=bad, cpufreq_driver=bad, clock_source=bad, transparent_huge_pages=bad)
    h["tool"]["name"] = bad
    h["mpi"]["yield_asked_by"] = bad
    h["clock"]["method"] = bad
    h["method"]["check"] = bad
    h["placement"][3]["host"] = bad
    cases = [ok_case(key("allreduce", size, 4, 2, type=bad, algorithm=a), 1e-5, 2.0, 0.1)
             for size in (8, 1024) for a in (bad, "ring")]
    cases[0] |= dict(remarks=[bad, bad], contention=dict(contended=True, reasons=[bad]))
    cases[0]["arrival"]["late"] = [dict(rank=1, host=bad, cpus=bad, device=None, last_share=1, behind_s=1e-6),
                                   dict(rank=2, host="b", cpus="0", device=bad, last_share=1, behind_s=1e-6)]
    cases.append(dict(status="failed", key=key(bad, 8, 4, 2), reason=bad, check=dict(state=bad)))
    cases[1]["ranks"] = [dict(rank=r, min_s=1e-5, median_s=2e-5, max_s=3e-5) for r in range(4)]
    for group in (f"{bad}->GPU1", f"GPU0->{bad}"):
        cases.append(dict(status="ok", key=key(bad, 0, 1, 1, kind="copy", type=None, group=group), algbw_GBps=3.0,
                          time_s=None, check=dict(state="unknown")))
    cases += hostile_training(bad)
    write("hostile", h, cases, "failed", bad)


unread = dict(uuid=None, readings=0, clock_reasons=[]) | {k: None for k in (
    "sm_clock_MHz", "memory_clock_MHz", "power_W", "temperature_C", "busy_percent", "sm_clock_max_MHz", "memory_clock_max_MHz",
    "power_limit_W", "throttled", "nvlink_tx_bytes", "nvlink_rx_bytes", "pcie_tx_bytes", "pcie_rx_bytes", "ecc_corrected",
    "ecc_uncorrected", "pcie_gen", "pcie_width", "pcie_gen_max", "pcie_width_max", "nvlinks", "nvlink_version")}


def telemetry(rank, nth=0):
    """Of the nth case. Rank 1 was throttled; rank 2's driver tells little."""
    spread = lambda low, high: dict(min=low, median=(low + high) / 2, max=high)
    little = unread | dict(uuid=f"GPU-{rank}", readings=20, sm_clock_MHz=spread(345.0 + 300 * nth - 100 * rank, 1980.0),
                           temperature_C=spread(31.0, 62.0 + nth))
    if rank == 2:  # its counter lacks in the first case; the visits of the last one are short
        return little | ({} if nth == 0 else dict(span_s=6.0 if nth < 3 else 1.0, calls=1200, energy_J=600.0))
    reasons = [dict(reason="gpu_idle", share=0.5)] + [dict(reason="sw_power_cap", share=0.25)] * rank
    counted = dict(span_s=6.0, calls=1200, energy_J=2100.0 + 100 * rank, throttle_time_s=dict(sw_power_cap=1.5 * rank, sync_boost=0.0))
    return little | counted | dict(memory_clock_MHz=spread(2619.0, 2619.0), power_W=spread(71.3, 699.8), sm_clock_max_MHz=1980.0,
                         memory_clock_max_MHz=2619.0, power_limit_W=700.0, throttled=rank == 1, clock_reasons=reasons,
                         nvlink_tx_bytes=123456789012, pcie_tx_bytes=4096, ecc_corrected=rank, ecc_uncorrected=0, pcie_gen=5,
                         pcie_width=16 - 8 * rank, pcie_gen_max=5, pcie_width_max=16, nvlinks=18, nvlink_version="4.0")


def gpus():
    """Hosts with GPUs: two alike, of which NVML told all, and one of which the kernel's files told a little."""
    modes = dict(name="Made-up GPU", memory_bytes=80 << 30, mig=False, virtualisation="none", ecc=True, persistence=True,
                 compute_mode="default", power_limit_W=700.0, sm_clock_max_MHz=1980.0, memory_clock_max_MHz=2619.0,
                 pcie_gen=5, pcie_width=16, pcie_gen_max=5, pcie_width_max=16, nvlinks=18, nvlink_version="4.0")
    cards = [modes | dict(bus=f"0000:{n}b:00.0", uuid=f"GPU-{n}", numa_node=n // 2) for n in range(3)]
    cards[2] |= dict(pcie_width=8)
    for card in cards:
        card |= dict(ats=False, acs_redirect=card is cards[2])
    links = dict(columns=["GPU0", "GPU1", "GPU2", "mlx5_0", "eth|0"],
                 rows=[["X", "NV18", "NV18", "PIX", "SYS"], ["NV18", "X", "NV18", "PXB", "SYS"],
                       ["NV18", "NV18", "X", "SYS", None]])
    h = head("metal", "bare metal")
    h["hosts"].append(host("metal-3", "KVM"))
    for known in h["hosts"][:2]:
        known |= dict(gpu_driver="570.00.01", gpus=cards, gpu_links=links, iommu="DMA-FQ")
    h["hosts"][2] |= dict(gpus=[dict(name="Made-up GPU", bus="0000:05:00.0", uuid=None, pcie_gen=1, pcie_width=16)],
                          gpu_links=dict(columns=["GPU0", "eth0"], rows=[["X", "PHB"]]))
    h["libraries"] = dict(nccl="2.28.9", cuda_runtime="13.0")
    h["method"] |= dict(clock="host", graph_calls=20, shared_gpu=True)
    cases = [ok_case(key("allreduce", 8 << 5 * nth, 4, 2), 1e-5, 2.0, 0.01) for nth in range(4)]
    for nth, case in enumerate(cases):
        case |= dict(time_by_clock_s=dict(host=case["time_s"], cuda_events=7e-6), started_s=1.5 * nth,
                     telemetry=[telemetry(r, nth) for r in range(3)] + [unread],
                     library_choice=dict(algorithm="ring", protocol="ll", channels=None), throttled=True)
    write("gpus", h, cases, "ok")


def pairs():
    """What is copied between 12 GPUs, one of which is slow to send, and from the host to each of them."""
    h = head("metal", "bare metal") | dict(id="pairs", origin="imported", tool=dict(name="nvbandwidth"), labels={}, ranks=1, nodes=1)
    copy = lambda test, group, gbps: dict(status="ok", time_s=None, algbw_GBps=gbps, check=dict(state="unknown"), key=key(
        test, 0, 1, 1, kind="copy", backend="nvbandwidth", memory=None, type=None, in_place=None, cadence=None, group=group))
    cases = [copy("host_to_device_memcpy_ce", f"CPU->GPU{b}", 55.0 + 0.1 * b) for b in range(12)]
    cases += [copy("device_to_device_memcpy_read_ce", f"GPU{a}<-GPU{b}", 390.0 + a - b if b != 9 else 201.5 + a)
              for a in range(12) for b in range(12) if a != b]
    write("pairs", h, cases)


if __name__ == "__main__":
    folder.mkdir(exist_ok=True)
    measured("vm", "KVM", 30e-6, 1.2)
    measured("metal", "bare metal", 8e-6, 10.5)
    imported(2)
    imported(8)
    trained()
    replayed()
    hostile()
    gpus()
    pairs()
