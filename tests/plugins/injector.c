/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breaks another plug-in, whose file BUSBAR_TEST_WRAPPED names, as BUSBAR_TEST_FAULT says: what tests/mpi/faults.cpp does
 * to MPI. Data is broken when a call is complete; buffers must be in host memory.
 */
#include <busbar/backend.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const busbar_plugin* wrapped;
static int rank;
static long calls;
static busbar_call started; /* the last one; busbar makes one at a time here */

static int fault_is(const char* name) {
  const char* wanted = getenv("BUSBAR_TEST_FAULT");
  return wanted != NULL && strcmp(wanted, name) == 0;
}

static int open_wrapped(const busbar_job* job, void** context) {
  rank = job->rank;
  return wrapped->open(job, context);
}

static void flip(size_t at) {
  if (started.recv != NULL && at < started.recv_bytes) ((unsigned char*)started.recv)[at] ^= 1U;
}

static void break_result(void) {
  const float no_number = NAN;
  if (fault_is("last_byte")) flip(started.recv_bytes - 1);
  if (fault_is("one_rank") && rank == 1) flip(0);
  if (fault_is("second_block")) flip(started.recv_bytes / 2);
  if (fault_is("once_in_500") && calls % 500 == 0) flip(started.recv_bytes / 2);
  if (fault_is("nan") && started.recv != NULL && started.recv_bytes >= sizeof no_number)
    memcpy(started.recv, &no_number, sizeof no_number);
}

static int start(void* context, const busbar_call* call) {
  started = *call;
  ++calls;
  if (fault_is("nothing")) return 0;
  if (fault_is("error") && rank == 1) return 1;
  if (fault_is("abort") && rank == 1 && calls > 20) abort();
  while (fault_is("hang") && rank == 1 && calls > 20) pause();
  const int code = wrapped->start(context, call);
  if (wrapped->wait == NULL && code == 0) break_result();
  return code;
}

static int wait_for(void* context, double timeout_s) {
  const int code = wrapped->wait(context, timeout_s);
  if (code == 0) break_result();
  return code;
}

/* A plug-in that was built against an older header may have a shorter table. */
const busbar_plugin* busbar_backend(void) {
  static busbar_plugin table;
  const char* file = getenv("BUSBAR_TEST_WRAPPED");
  void* library = file == NULL ? NULL : dlopen(file, RTLD_NOW | RTLD_LOCAL);
  const busbar_plugin* (*get)(void) = NULL;
  if (library != NULL) *(void**)&get = dlsym(library, "busbar_backend");
  if (get == NULL) return NULL;
  wrapped = get();
  memcpy(&table, wrapped, wrapped->size < sizeof table ? wrapped->size : sizeof table);
  table.open = open_wrapped;
  table.start = start;
  if (table.wait != NULL) table.wait = wait_for;
  return &table;
}
