# SPDX-License-Identifier: Apache-2.0
"""What commands of a page read and no command of the page writes before."""
import pathlib

EXAMPLES = ("quickstart", "nccl-tests-logs")  # archives of reports/examples; their records: NAME/records
POLARIS = "nccl-tests-logs/records/polaris-{}.jsonl"
VM = "reports/examples/published/records/dell_r750xa_vm_bare_metal.VM.jsonl"
QUICKSTART = "quickstart/records/quickstart.jsonl"
N2, N8 = (f"tests/golden/report/input/imported-{nodes}.jsonl" for nodes in ("n2", "n8"))
NCCL = POLARIS.format("n2.all_reduce.setting4")
MADE = '"$PYTHON" -B tests/cli/make_launches.py made && mkdir -p results && '

# page: {name on the page: file or folder of the repository, or of EXAMPLES}
FILES = {
    "docs/accept.md": {"results": "quickstart/records"},
    "docs/expected.md": {"results/nccl.jsonl": NCCL, "results/run.jsonl": QUICKSTART},
    "docs/explain.md": {"results/quickstart.jsonl": QUICKSTART},
    "docs/figures.md": {"results/a.jsonl": "tests/golden/report/input/metal.jsonl", "results/b.jsonl": "tests/golden/report/input/vm.jsonl"},
    "docs/watch.md": {"results/x.jsonl": QUICKSTART},
    "docs/predicting.md": {"n2.jsonl": N2, "n8.jsonl": N8, "one-node.jsonl": VM} |
                          {f"polaris-{name}.jsonl": POLARIS.format(name) for name in
                           ("n2.all_reduce.setting4", "n8.all_reduce.setting4", "n2.all_gather.setting4", "n8.all_gather.setting4")},
    "docs/python.md": {"results/quickstart.jsonl": QUICKSTART},
    "docs/records.md": {"run.jsonl": QUICKSTART},
}

# page: commands that make what it needs. $RANKS: the most that mpirun starts.
COMMANDS = {
    "docs/accept.md": MADE + "mv made/base fleet",
    "docs/comparing.md": MADE + """cp -r made/base made/slow made/shared.jsonl . && cp base/* results && cp slow/0.jsonl results/vm.jsonl &&
        mkdir -p baselines && cp -r base baselines/a100 && cp made/same/1.jsonl results/now-1.jsonl &&
        for n in 0 1 2; do cp base/$n.jsonl a-$n.jsonl && cp made/same/$n.jsonl b-$n.jsonl; done""",
    "docs/predicting.md": """busbar platform --topology single-switch --nodes 128 --gpus 4 --interconnect hdr -o made.xml &&
        for n in 8 32 512; do busbar-bench-sim --platform made.xml -np $n --cfg smpi/allreduce:rdb allreduce --sizes 8,1G --out simulated/$n.jsonl; done""",
    "docs/replay.md": """PYTHONPATH=tests/mpi "$PYTHON" -B -c 'import pathlib, sys, replay_traces as r; r.write_traces(pathlib.Path("made"), int(sys.argv[1]))' $RANKS &&
        mv made/each traces && cp traces/et_rank-0.json et_rank_0.json""",
    "docs/reports.md": MADE + "cp made/base/0.jsonl results/metal.jsonl && cp made/slow/0.jsonl results/vm.jsonl",
    "docs/watch.md": MADE + "mv made/nightly nightly",
    "docs/uneven.md": "seq -s ' ' $RANKS > counts.txt",
}

# page: what its fragments in Python continue.
PYTHON = {
    "docs/records.md": "import json\ncase = next(c for c in map(json.loads, open('run.jsonl')) if c['record'] == 'case')\n",
}


def pages() -> set[str]:
    return {*FILES, *COMMANDS, *PYTHON}


def files_of(page: str, source: pathlib.Path, examples: pathlib.Path) -> dict[str, pathlib.Path]:
    return {name: (source if file.startswith(("tests/", "reports/")) else examples) / file for name, file in FILES.get(page, {}).items()}
