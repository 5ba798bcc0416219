/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plug-ins for busbar-bench: a communication library that busbar measures without being built for it.
 *
 * A plug-in is a shared object busbar-NAME.so. `busbar-bench --backend NAME` looks for it in the folders of the
 * environment variable BUSBAR_BACKENDS (separated by colons), then in lib/busbar/backends/ beside busbar's bin/. It
 * exports one function, busbar_backend(). docs/backends.md shows how to build one; examples/backend-loopback is a
 * complete one.
 *
 * Every rank is a process. All functions of a plug-in are called from one thread of it, one at a time, in the same
 * order on every rank unless stated otherwise. busbar checks the data, times the calls, and ends the job if a rank
 * hangs, crashes, or fails: a plug-in only reports errors.
 *
 * Codes: 0 is success, BUSBAR_UNSUPPORTED is stated below, all other values are errors of the plug-in's own, which its
 * error_text() explains. Texts that a plug-in returns are UTF-8 without line ends, and stay valid until the next call
 * of one of its functions. Texts that busbar passes are valid until the function returns.
 */
#ifndef BUSBAR_BACKEND_H
#define BUSBAR_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. busbar refuses plug-ins that were built for another one. New members at the end of a
 * struct do not change it: each struct has its size in the first member, and members beyond that do not exist. */
#define BUSBAR_BACKEND_VERSION 1

/* The call is valid, but this library or machine cannot make it. busbar skips the case, with the reason. */
#define BUSBAR_UNSUPPORTED (-1)

/* --backend-option KEY=VALUE */
typedef struct busbar_option {
  const char* key;
  const char* value;
} busbar_option;

/* The ranks that a context spans, and the user's wishes. It stays valid until close(). */
typedef struct busbar_job {
  size_t size; /* of this struct, in bytes */
  int rank, ranks;
  int local_rank, local_ranks; /* among the ranks of this host; it chooses the device of this rank */
  const char* memory;          /* --memory: "host" or "device"; NULL: the plug-in's choice */
  double timeout_s;            /* a call may take this long; 0: no limit */
  const busbar_option* options;
  size_t number_of_options;
  /* Gives every rank the `bytes` bytes of all ranks, in rank order, in `all` (ranks x bytes). Collective over the ranks
   * of the context, with equal `bytes`, from any function of the plug-in. Slow: it is busbar's own channel. Returns 0;
   * if ranks fail, busbar ends the job. */
  int (*exchange)(void* channel, const void* mine, size_t bytes, void* all);
  void* channel;
} busbar_job;

/* One call of a collective, as this rank sees it. Sizes are in elements of `type`. Which blocks are sent and received
 * is as in MPI, with equal blocks; reduce_scatter is MPI_Reduce_scatter_block. */
typedef struct busbar_call {
  size_t size;      /* of this struct, in bytes */
  const char* name; /* allreduce, allgather, broadcast, reduce_scatter, reduce_scatter_block, alltoall, reduce, gather,
                       scatter, sendrecv, incast (all ranks send to the root at once), barrier */
  const char* type; /* int8, int32, int64, uint8, uint32, uint64, fp16, bf16, fp32, fp64, fp8_e4m3, fp8_e5m2 */
  size_t type_size; /* bytes of an element */
  const char* op;   /* sum, prod, min, max, avg, mulsum (NCCL's pre-multiplied sum); NULL if nothing is reduced */
  const char* algorithm; /* --algorithm; NULL: the library chooses */
  size_t count;          /* elements: of the whole buffer, or of one rank's block, like MPI's count */
  int root;              /* of broadcast, reduce, gather, scatter, incast */
  int to, from;          /* of sendrecv */
  int in_place;          /* 1: input and result are in one buffer, as NCCL defines it: a gathered block is where it ends
                            up in the result, and reduce_scatter's result is at this rank's block of the input */
  const void* send;      /* input; NULL if this rank contributes nothing */
  void* recv;            /* result; NULL if this rank gets none */
  size_t send_bytes, recv_bytes;
} busbar_call;

/* What the library chose for a call; NULL or 0 where it does not tell. */
typedef struct busbar_choice {
  size_t size; /* of this struct, in bytes */
  const char* algorithm;
  const char* protocol;
  int channels;
} busbar_choice;

typedef struct busbar_plugin {
  uint32_t version;         /* BUSBAR_BACKEND_VERSION */
  uint32_t size;            /* sizeof(busbar_plugin) */
  const char* library;      /* in messages and records: "oneCCL" */
  const char* const* calls; /* names of the collectives that it has, with NULL at the end */

  /* Creates a context for the ranks of `job`; *context is passed to all other functions. Collective. busbar creates
   * one for all ranks, and more for subsets if the user asks for pairs or levels. On failure, *context may be set for
   * error_text(), and close() is not called. */
  int (*open)(const busbar_job* job, void** context);
  /* Collective. */
  void (*close)(void* context);
  /* What went wrong in the last function that returned `code`. */
  const char* (*error_text)(void* context, int code);

  /* Prepares for calls like this one; its buffers are those of the calls. Never timed. Local. Returns
   * BUSBAR_UNSUPPORTED if the library has no such call, and says why in *reason: "no sum of fp16". */
  int (*prepare)(void* context, const busbar_call* call, const char** reason);
  /* Starts a call that is like the one that was prepared last. Timed. If wait is NULL, it returns when the call is
   * complete on this rank. Several may be started before wait(). */
  int (*start)(void* context, const busbar_call* call);

  /* Optional functions: NULL if the plug-in has none. */

  /* Waits until all started calls are complete on this rank. Timed. After `timeout_s` seconds (0: no limit) it returns
   * an error. */
  int (*wait)(void* context, double timeout_s);
  /* Returns an error that occurred in the background, or 0. Called between calls. Never timed. */
  int (*poll)(void* context);

  /* Memory of the buffers, all four or none: without them, buffers are in host memory. Local. */
  int (*allocate)(void* context, size_t bytes, void** memory); /* aligned to 4096 bytes */
  void (*release)(void* context, void* memory);
  int (*write)(void* context, void* to, const void* from_host, size_t bytes);
  int (*read)(void* context, void* to_host, const void* from, size_t bytes);

  /* Facts for the record: the value of "version" (of the library), "device", "device_bus" (0000:3b:00.0),
   * "device_uuid", or "note" (a sentence for readers); NULL if there is none. */
  const char* (*fact)(void* context, const char* name);
  /* The function of the library that the last call used: "ncclAllReduce". */
  const char* (*function)(void* context);
  /* What the library chose for the last call. Returns BUSBAR_UNSUPPORTED if it does not tell. */
  int (*choice)(void* context, busbar_choice* choice);
} busbar_plugin;

/* Exported by every plug-in. The result stays valid as long as the program runs. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const busbar_plugin*
busbar_backend(void);

#ifdef __cplusplus
}
#endif

#endif
