#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mpijob_test.py SOURCE_FOLDER BIN: checks scripts/launch/mpijob.yaml against a schema of the used parts of MPIJob, its parts
against each other, and its command lines against the programs. It needs no Kubernetes. Exit code 77 without PyYAML or
jsonschema."""
import copy
import json
import pathlib
import re
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing} (python3-yaml, python3-jsonschema)")
    sys.exit(77)

source, programs = map(pathlib.Path, sys.argv[1:])
claim, job = yaml.safe_load_all((source / "scripts/launch/mpijob.yaml").read_text(encoding="utf-8"))
schema = json.loads((source / "tests/launch/mpijob.schema.json").read_text(encoding="utf-8"))
validator = jsonschema.Draft7Validator(schema)
problems = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in validator.iter_errors(job)]


def expect(holds: bool, what: str) -> None:
    if not holds:
        problems.append(what)


def refused(what: str, change) -> None:
    """The schema finds what is broken."""
    broken = copy.deepcopy(job)
    change(broken["spec"])
    expect(not validator.is_valid(broken), f"the schema takes {what}")


def options_known(words: list[str], program: str) -> None:
    said = subprocess.run([programs / program, "--help-all"], capture_output=True, text=True, check=True).stdout
    flags = set(re.findall(r"(?<=[ ,])--?[\w-]+", said))
    for word in words:
        if word.startswith("-"):
            expect(word in flags, f"args: {program} has no {word}")


def pod(replica: dict) -> tuple[dict, dict]:
    spec = replica["template"]["spec"]
    return spec, spec["containers"][0]


refused("a misspelt key", lambda spec: spec.update(slotPerWorker=8))
refused("a number as text", lambda spec: spec.update(slotsPerWorker="8"))
refused("a job without workers", lambda spec: spec["mpiReplicaSpecs"].pop("Worker"))
refused("an unknown policy", lambda spec: spec["runPolicy"].update(cleanPodPolicy="Some"))
refused("a number among args", lambda spec: pod(spec["mpiReplicaSpecs"]["Launcher"])[1]["args"].append(8))

spec = job["spec"]
for replica in spec["mpiReplicaSpecs"].values():
    described, container = pod(replica)
    volumes = {volume["name"]: volume for volume in described["volumes"]}
    expect({mount["name"] for mount in container["volumeMounts"]} == set(volumes), f"{container['name']}: mounts and volumes differ")
    expect(volumes["results"]["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"], f"{container['name']}: another claim")
    expect({"name": "results", "mountPath": f"{container['workingDir']}/results"} in container["volumeMounts"],
           f"{container['name']}: results/ is not on the claim")
_, launcher = pod(spec["mpiReplicaSpecs"]["Launcher"])
described, worker = pod(spec["mpiReplicaSpecs"]["Worker"])
expect(launcher["image"] == worker["image"], "launcher and workers have unlike images")
expect(worker["resources"]["limits"]["nvidia.com/gpu"] == spec["slotsPerWorker"], "slotsPerWorker is not the number of GPUs")
expect(claim["spec"]["accessModes"] == ["ReadWriteMany"], "launcher and worker both mount the claim: ReadWriteMany")
labels = described["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][0]["labelSelector"]["matchLabels"]
expect(labels["training.kubeflow.org/job-name"] == job["metadata"]["name"], "workers keep away from those of another job")
script, hosts = launcher["command"]
expect((source / "scripts/launch" / script).is_file() and hosts == "/etc/mpi/hostfile", "the launcher's command is not hostfile.sh's")
split = launcher["args"].index("--")
options_known(launcher["args"][:split], "busbar-bench")
options_known(launcher["args"][split + 1:], "busbar-train")
sys.exit("\n".join(problems) if problems else 0)
