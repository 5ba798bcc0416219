// SPDX-License-Identifier: Apache-2.0
#include "reports/text/glossary.hpp"

namespace busbar::report {
namespace {

constexpr Term measuring[] = {
    {"size", "the larger of a rank's send and receive buffer, as nccl-tests prints it; binary: 1 KiB = 1024 B", true},
    {"time", "of one call. Each run has a statistic over iterations and ranks, listed under \"Method and units\"",
     true},
    {"round",
     "one visit of a case: consecutive samples. All cases are visited in turn, so the rounds of a case cover different "
     "states of the machine",
     true},
    {"interval, +-%",
     "confidence interval of the median over rounds, at the confidence of the stop rule and from the rounds of this "
     "launch; other launches can differ by more. +-% is its half-width in per cent. Charts show it as a band along the "
     "line. \"-\": too few rounds",
     true},
    {"bimodal", "the rounds of a case are either fast or slow: the median depends on how many there are of each", true},
    {"contended", "other processes used the CPUs while the case was measured; the case is kept", true},
    {"late", "a rank that starts last more often than chance allows", true},
    {"p99", "99th percentile of the samples by nearest rank; unknown without samples", true},
    {"algbw", "size / time; decimal: 1 GB/s = 1e9 B/s", true},
    {"busbw",
     "algbw times the factor of nccl-tests for the collective and the number of ranks: the data rate per link of a "
     "flat ring. Other algorithms send other amounts, so busbw can exceed the rate of the links",
     true},
    {"cadence",
     "barrier: ranks wait for each other before each iteration; synchronised: each iteration starts on all ranks at "
     "the same time by their synchronised clocks; streaming: iterations back to back; cold: caches are emptied before "
     "each iteration, ranks start up to 100 us apart, and time counts from the start of the last rank; replay: the "
     "calls of a trace one after another, and time counts from the start of the last rank; replay_gaps: the same with "
     "the time between calls that the trace has",
     true},
    {"rank clocks",
     "residual: largest remaining error of a rank's clock after correction; uncertainty: half of the shortest round "
     "trip, which messages cannot resolve. Start times of ranks are accurate to their sum",
     true},
    {"OS noise", "CPU time lost to the rest of the machine while each rank kept its CPU fully busy", true},
    {"rank settling",
     "on virtual machines, ranks of a host wake one another so that the hypervisor puts their CPUs near each other: "
     "before the first round unless barriers take what is usual in earlier launches, and between rounds when they take "
     "1.8 times as long",
     true},
    {"data check",
     "every_call: each whole result; every_call_sampled: one element in 4 KiB of each result, and the whole first and "
     "last result of a round; some_calls: only after some calls",
     true},
    {"algorithm bandwidth", "size / time; the column algbw"},
    {"bus bandwidth",
     "algorithm bandwidth times a factor of the collective and the number of ranks; the column busbw. It compares "
     "collectives with each other and with the rate of the links"},
    {"arrival skew", "time between the first and the last rank that enters a call"},
    {"transfer time", "time of a call from the entry of its last rank"},
    {"bisection, incast",
     "patterns of messages: each rank of one half exchanges with a rank of the other half; all ranks send to one"},
    {"case",
     "one point of measurement: a collective with its library, memory, data type, operation, placement, ranks and "
     "size"},
    {"sample", "time of one call on its slowest rank"},
    {"launch",
     "one start of the program by mpirun or srun. Launches differ from each other by more than the samples of one "
     "launch"},
    {"launch-to-launch variation", "standard deviation of a case's time between launches, relative to the time"},
    {"undisturbed round",
     "a round in which nothing slowed the ranks' CPUs, and in which they were near each other if all ranks are on one "
     "host. busbar repeat leaves out the others if at least 30 % are undisturbed and the others took at least "
     "1.1 times as long"},
    {"run", "one launch in a record, with its method, machine and cases"},
    {"record", "file of JSON Lines that a program writes: one line for the run, one per case, one for the end"},
    {"rank, node, host", "a rank is a process of the MPI job. A node or host is the machine that ranks share"},
    {"level", "part of a machine by distance: within a node, between nodes"},
    {"group", "ranks that measure together while the others sleep: node, leaders, world"},
    {"layout", "number of nodes x ranks per node: 2x4"},
    {"pair", "two ranks or two hosts that exchange messages"},
    {"placement, in place", "in place: the send and receive buffer are the same memory"},
    {"half-width", "half the width of a confidence interval, in per cent of its middle"},
    {"target precision", "half-width at which a case ends: 2 % by default (--width)"},
    {"budget",
     "limit on wall time: of a case (--time-budget) or of a launch (--run-budget). A case that meets its budget first "
     "has a wider interval"},
    {"effective sample size", "number of independent rounds that correlated rounds are worth"},
    {"CPU contention", "a rank was runnable, but another process had its CPU"},
    {"pace", "speed of a rank's CPU, from a fixed piece of work around each round"},
    {"drift", "a case becomes slower or faster from round to round"},
    {"outlier", "a sample or launch far from the others"},
    {"eager limit", "largest message that a library sends without a handshake. Above it latency jumps"},
    {"overlap, hidden share",
     "share of a call's time that work hides: 100 % if the call and the work together take as long as the longer of "
     "the two"},
    {"origin",
     "how a figure was obtained: measured, imported (from the log of another tool), simulated (SimGrid's clock), "
     "predicted (by a model)"},
    {"lab", "hosts that are namespaces or virtual machines of one machine; their links are emulated"},
};

constexpr Term training[] = {
    {"images/s",
     "samples of all ranks per step time, from one weight update to the next; sequences/s for language models. +-% is "
     "the half-width of its interval over rounds",
     true},
    {"replayed",
     "nothing was computed: a rank waits for the times in a profile of the device in brackets, but really "
     "communicates. All other cases were computed on the machine that was measured",
     true},
    {"speedup", "rate over the rate of the baseline: the smallest group of the same launch", true},
    {"efficiency",
     "speedup over the ratio of ranks; 100 % is ideal. Its interval is over rounds in which both groups were measured, "
     "so a slowdown of both does not widen it",
     true},
    {"weak scaling", "the batch size per rank is fixed, so more ranks train on more samples per step", true},
    {"strong scaling", "the batch size of all ranks together is fixed, so the share of each rank shrinks", true},
    {"step",
     "forward and backward are computing; optimiser updates the weights; other is the rest. These and exposed "
     "communication add up to the step",
     true},
    {"exposed communication",
     "time in which the training thread communicates, or waits for communication or other ranks", true},
    {"hidden communication", "time in which communication overlaps with computing", true},
    {"bubble", "share of the ranks' time, without the update, in which pipeline stages have nothing to compute", true},
    {"GFLOP/s", "decimal: 1e9 floating-point operations per second; a multiply-add counts as two", true},
    {"baseline of a training", "the smallest group of ranks of the same launch"},
    {"batch size per rank", "samples that a rank trains on in one step"},
    {"bucket", "gradients that are fused into one reduction"},
    {"micro-batch", "part of a batch that passes through a pipeline on its own"},
    {"profile", "times of a device, layer by layer, from a file; a replay waits for them"},
};

constexpr Term deciding[] = {
    {"baseline", "the runs that others are compared with"},
    {"ceiling", "upper bound of a figure, from the rate of the links, memory or CPU"},
    {"finding",
     "a problem that the record shows, with evidence and what to try. Confirmed: shown by the record or its intervals. "
     "Likely: several figures agree"},
    {"grade",
     "how far to trust a figure. A: a later launch will give about this figure; B: usable; C: doubtful; D: disturbed "
     "or wrong, measure again"},
    {"margin",
     "two sides are the same if the interval of their ratio is within the margin of 1: 2 % by default (--margin)"},
    {"verdict", "slower, faster, same, inconclusive or disturbed, for each point of a comparison"},
    {"inconclusive", "the interval neither shows a difference nor excludes one"},
    {"disturbed", "a side has grade D, so the point gets no other verdict"},
    {"point", "a case that both sides of a comparison have"},
    {"regression", "a point whose slowdown is above the limit of the gate with confidence"},
    {"gate", "comparison with a baseline that ends with an exit code for CI"},
    {"change point", "launch of a history from which on a case is slower or faster"},
    {"acceptance profile", "file of limits that a cluster must meet"},
    {"similarity", "1 minus the area between two cumulative distributions, relative to the slower one: 1 is equal"},
    {"slow host, slow link, slow rail",
     "one whose times exceed those of its kind in all tests, by the statistics of many pairs or runs"},
    {"fit", "latency and bandwidth of each level, from times over sizes and scales"},
    {"scenario", "one set of assumptions of a prediction, with its weight"},
    {"label", "name=value that the user gives a run: platform=vm"},
};

}  // namespace

std::span<const Term> terms_of_measuring() { return measuring; }
std::span<const Term> terms_of_training() { return training; }
std::span<const Term> terms_of_deciding() { return deciding; }

std::vector<std::pair<std::string, std::string>> terms_on_page(std::span<const Term> terms) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Term& term : terms)
    if (term.on_page) rows.emplace_back(term.name, term.meaning);
  return rows;
}

}  // namespace busbar::report
