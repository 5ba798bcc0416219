# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 (v1.5) with PyTorch on one GPU, channels last, on one synthetic batch; prints step seconds as JSON.

scripts/compare-pytorch-gpu runs it in a separate process. A step is what a training loop does with a batch on the
device:

    optimiser.zero_grad(set_to_none=True)
    with autocast: loss = cross_entropy(network(images), labels)
    loss.backward(); optimiser.step()

Weights are fp32; layers compute in --precision (autocast). With fp16, a constant scales the loss and the learning rate
undoes it: GradScaler would synchronise with the device to search for a scale. The clock is read before and after a
block of --block steps, with one synchronisation at its end, so PyTorch can queue work ahead. The step time is the
block's time over its steps. cudnn.benchmark is on: cuDNN selects algorithms by timing them during the warm-up. The
optimiser is SGD with momentum 0.9 and weight decay 1e-4, fused if this PyTorch has it.

Variants with the same results (--path):
  eager           eager mode
  graph           the whole step captured once in a CUDA graph and replayed
  compiled        torch.compile, mode max-autotune-no-cudagraphs: fuses batch norm, ReLU and sums; needs Triton
  compiled_graph  torch.compile, mode reduce-overhead: the same with CUDA graphs

Exit code 77: torch cannot be imported or has no GPU.
"""
import argparse
import json
import sys
import time

sys.dont_write_bytecode = True
from pytorch_step import PARAMETERS, ResNet50, finite, nn, sgd, torch  # noqa: E402  (exits with 77 where there is no torch)

PATHS = ("eager", "graph", "compiled", "compiled_graph")
MODES = {"compiled": "max-autotune-no-cudagraphs", "compiled_graph": "reduce-overhead"}
PRECISIONS = {"bf16": torch.bfloat16, "fp16": torch.float16}
FP16_SCALE = 1024.0


def captured(step, warmup: int):
    """Captures `step` in a CUDA graph, after warm-up steps on a side stream (algorithm choice, allocation)."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(max(warmup, 3)):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()

    def launch() -> torch.Tensor:
        graph.replay()
        return loss
    return launch


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path", choices=PATHS, default=PATHS[0])
    parser.add_argument("--batch", type=int, default=256, help="batch size (256)")
    parser.add_argument("--image", type=int, default=224, help="height and width (224)")
    parser.add_argument("--precision", choices=PRECISIONS, default="bf16", help="precision of the layers (bf16)")
    parser.add_argument("--warmup", type=int, default=20, help="warm-up steps (20)")
    parser.add_argument("--blocks", type=int, default=10, help="timed blocks (10)")
    parser.add_argument("--block", type=int, default=10, help="steps per block (10)")
    parser.add_argument("--version", action="store_true", help="print the version of PyTorch")
    want = parser.parse_args()
    if not torch.cuda.is_available():
        print(f"PyTorch {torch.__version__} finds no GPU", file=sys.stderr)
        return 77
    if want.version:
        print(torch.__version__)
        return 0

    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.manual_seed(1)
    network = ResNet50().to(device="cuda", memory_format=torch.channels_last)
    parameters = sum(p.numel() for p in network.parameters())
    assert parameters == PARAMETERS, f"{parameters} parameters are not ResNet-50's {PARAMETERS}"
    images = torch.randn(want.batch, 3, want.image, want.image, device="cuda")
    images = images.to(memory_format=torch.channels_last)
    labels = torch.randint(1000, (want.batch,), device="cuda")
    network.train()
    optimiser, form = sgd(network)
    scale = FP16_SCALE if want.precision == "fp16" else 1.0
    for group in optimiser.param_groups:  # gradients and momenta are scaled; the learning rate undoes it
        group["lr"] /= scale
        group["weight_decay"] *= scale
    model = torch.compile(network, mode=MODES[want.path]) if want.path in MODES else network
    loss_of = nn.CrossEntropyLoss()

    def step() -> torch.Tensor:
        optimiser.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=PRECISIONS[want.precision]):
            loss = loss_of(model(images), labels)
        (loss * scale if scale != 1 else loss).backward()
        optimiser.step()
        return loss.detach()

    first = finite(step().item())
    launch = captured(step, want.warmup) if want.path == "graph" else step
    for _ in range(want.warmup):
        launch()
    step_s = []
    torch.cuda.synchronize()
    for _ in range(want.blocks):
        begin = time.perf_counter()
        for _ in range(want.block):
            loss = launch()
        torch.cuda.synchronize()
        step_s.append((time.perf_counter() - begin) / want.block)

    print(json.dumps({"path": want.path, "step_s": step_s, "block": want.block, "batch": want.batch, "image": want.image,
                      "precision": want.precision, "parameters": parameters, "optimiser": form, "loss_first": first,
                      "loss_last": finite(loss.item()), "torch": torch.__version__, "cuda": torch.version.cuda,
                      "cudnn": torch.backends.cudnn.version(), "gpu": torch.cuda.get_device_name(),
                      "memory_bytes": torch.cuda.max_memory_allocated()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
