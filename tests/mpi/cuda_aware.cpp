// SPDX-License-Identifier: Apache-2.0
// An MPI that says it is CUDA-aware, for tests over a fake GPU, whose memory is the host's.
extern "C" {
int MPIX_Query_cuda_support();
int MPIX_Query_cuda_support() { return 1; }
}
