# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 (v1.5) with PyTorch on the CPU, in fp32, on one synthetic batch; prints step times in s as JSON.

scripts/compare-pytorch runs it in a separate process. The timed part is what a training loop does with a batch in
memory:

    optimiser.zero_grad(set_to_none=True); loss = cross_entropy(network(images), labels); loss.backward();
    optimiser.step()

The loss and the process's CPU time are read after the timed part (cpu_s: less than the step if other processes used the
core). On the CPU these calls are synchronous, so no work is pending afterwards. Images and labels are generated once,
before timing. The optimiser is SGD with momentum 0.9 and weight decay 1e-4, in the fused form, PyTorch's fastest, if
this PyTorch has it.

Variants with the same results (--path):
  channels_last  activations and weights are channels last; oneDNN uses this layout directly
  contiguous     PyTorch's default layout; ATen calls the same oneDNN convolutions and converts layouts around each
  mkldnn         activations stay in oneDNN's blocked layouts from the images to the average pool
  compiled       channels_last with torch.compile, which fuses batch norm, ReLU and sums; needs a C++ compiler

With --ranks, each process under mpirun trains a replica, and DistributedDataParallel averages gradients over gloo. Batch
norm's running means stay local (as with broadcast_buffers=False) and gradients are views of the buckets, both of which favour
PyTorch. A step is then that of the slowest rank. Rank 0 prints.

Exit code 77: torch cannot be imported.
"""
import argparse
import inspect
import json
import math
import os
import pathlib
import re
import sys
import time

from allocator import allocator_settings

try:
    import torch
    from torch import distributed, nn
except (ImportError, OSError) as error:
    print(f"{type(error).__name__}: {error}", file=sys.stderr)
    sys.exit(77)

PARAMETERS = 25_557_032  # of ResNet-50 with 1000 classes
STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))  # (inner channels, blocks)


def convolution(inputs: int, outputs: int, kernel: int, stride: int = 1) -> nn.Conv2d:
    layer = nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False)
    nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")
    return layer


class Bottleneck(nn.Module):
    """1x1, 3x3 (with the stride: v1.5), 1x1 to four times the channels; plus the input, projected if shapes differ."""

    def __init__(self, inputs: int, inner: int, stride: int) -> None:
        super().__init__()
        outputs = 4 * inner
        self.branch = nn.Sequential(
            convolution(inputs, inner, 1), nn.BatchNorm2d(inner), nn.ReLU(inplace=True),
            convolution(inner, inner, 3, stride), nn.BatchNorm2d(inner), nn.ReLU(inplace=True),
            convolution(inner, outputs, 1), nn.BatchNorm2d(outputs))
        same = inputs == outputs and stride == 1
        projection = nn.Sequential(convolution(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))
        self.shortcut = None if same else projection
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.branch(x)
        y += x if self.shortcut is None else self.shortcut(x)
        return self.relu(y)


class ResNet50(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        layers = [convolution(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
        channels = 64
        for stage, (inner, blocks) in enumerate(STAGES):
            for block in range(blocks):
                layers.append(Bottleneck(channels, inner, 2 if stage > 0 and block == 0 else 1))
                channels = 4 * inner
        self.features = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1))
        self.classes = nn.Linear(channels, 1000)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        features = self.features(images)
        return self.classes((features.to_dense() if features.is_mkldnn else features).flatten(1))


def sgd(network: nn.Module) -> tuple[torch.optim.Optimizer, str]:
    rule = {"lr": 0.01, "momentum": 0.9, "weight_decay": 1e-4}
    try:
        return torch.optim.SGD(network.parameters(), **rule, fused=True), "fused"
    except (TypeError, RuntimeError):  # before PyTorch 2.4
        return torch.optim.SGD(network.parameters(), **rule), "plain"


def own_rank() -> int:
    """This process's rank, as Open MPI, Hydra or Slurm say."""
    for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"):
        if name in os.environ:
            return int(os.environ[name])
    sys.exit("--ranks: none of OMPI_COMM_WORLD_RANK, PMI_RANK, PMIX_RANK, SLURM_PROCID is set; start it with mpirun")


def join(ranks: int, rendezvous: pathlib.Path) -> int:
    """Joins the ranks of this host; returns this one's number."""
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    rank = own_rank()
    distributed.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=ranks)
    return rank


def data_parallel(network: nn.Module) -> nn.Module:
    parallel = nn.parallel.DistributedDataParallel
    new = "forward_sync_buffers" in inspect.signature(parallel).parameters  # the new name
    local = {"forward_sync_buffers" if new else "broadcast_buffers": False}
    return parallel(network, gradient_as_bucket_view=True, **local)


def slowest(step_s: list[float]) -> list[float]:
    """The times of the slowest rank, step by step."""
    times = torch.tensor(step_s, dtype=torch.float64)
    distributed.all_reduce(times, distributed.ReduceOp.MAX)
    return times.tolist()


def finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    paths = ("channels_last", "contiguous", "mkldnn", "compiled")
    parser.add_argument("--path", choices=paths, default=paths[0])
    parser.add_argument("--batch", type=int, default=8, help="batch size (8)")
    parser.add_argument("--image", type=int, default=224, help="height and width (224)")
    parser.add_argument("--threads", type=int, default=1, help="compute threads (1)")
    parser.add_argument("--warmup", type=int, default=3, help="warm-up steps (3)")
    parser.add_argument("--steps", type=int, default=10, help="timed steps (10)")
    parser.add_argument("--ranks", type=int, default=1, help="data-parallel ranks under mpirun, over gloo (1)")
    parser.add_argument("--rendezvous", type=pathlib.Path, help="--ranks: a file that does not exist, in which ranks meet")
    parser.add_argument("--version", action="store_true", help="print the version of PyTorch")
    want = parser.parse_args()
    if want.version:
        print(torch.__version__)
        return 0

    torch.set_num_threads(want.threads)
    torch.manual_seed(1)
    rank = join(want.ranks, want.rendezvous) if want.ranks > 1 else 0
    network = ResNet50()
    parameters = sum(p.numel() for p in network.parameters())
    assert parameters == PARAMETERS, f"{parameters} parameters are not ResNet-50's {PARAMETERS}"
    torch.manual_seed(1 + rank)  # replicas are alike, images are not
    images = torch.randn(want.batch, 3, want.image, want.image)
    labels = torch.randint(1000, (want.batch,))
    if want.path in ("channels_last", "compiled"):
        network = network.to(memory_format=torch.channels_last)
        images = images.to(memory_format=torch.channels_last)
    if want.path == "mkldnn":
        images = images.to_mkldnn()
    network.train()
    optimiser, form = sgd(network)
    model = data_parallel(network) if want.ranks > 1 else network
    if want.path == "compiled":
        model = torch.compile(model)
    loss_of = nn.CrossEntropyLoss()

    step_s, cpu_s, losses = [], [], []
    for _ in range(want.warmup + want.steps):
        cpu_begin, begin = time.process_time(), time.perf_counter()
        optimiser.zero_grad(set_to_none=True)
        loss = loss_of(model(images), labels)
        loss.backward()
        optimiser.step()
        step_s.append(time.perf_counter() - begin)
        cpu_s.append(time.process_time() - cpu_begin)
        losses.append(finite(loss.item()))

    if want.ranks > 1:
        step_s = slowest(step_s)
        distributed.destroy_process_group()
    if rank > 0:
        return 0
    onednn = re.search(r"(?:MKL-DNN|oneDNN)\S* v([0-9.]+)", torch.__config__.show())
    print(json.dumps({"path": want.path, "step_s": step_s[want.warmup:], "cpu_s": cpu_s[want.warmup:],
                      "warmup_s": step_s[:want.warmup], "batch": want.batch, "image": want.image,
                      "threads": torch.get_num_threads(), "ranks": want.ranks,
                      "allocator": allocator_settings(os.environ), "parameters": parameters, "optimiser": form,
                      "loss_first": losses[0], "loss_last": losses[-1], "torch": torch.__version__,
                      "onednn": onednn[1] if onednn else None,
                      "instructions": torch.backends.cpu.get_cpu_capability()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
