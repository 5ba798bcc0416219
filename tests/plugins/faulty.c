/* SPDX-License-Identifier: Apache-2.0 */
/* The loopback plug-in with what the environment variable FAULT names: an optional part of the interface, or a fault on
 * rank 1. */
#define _POSIX_C_SOURCE 200809L
#include <busbar/backend.h>
#define busbar_backend busbar_loopback
#include "../../examples/backend-loopback/loopback.c"
#undef busbar_backend
#include <signal.h>
#include <unistd.h>

const busbar_plugin* busbar_loopback(void);

static const char* fault;
static int calls_made; /* since open() */

static int is_fault(const char* name) { return strcmp(fault, name) == 0; }

static int open_faulty(const busbar_job* job, void** context) {
  const int code = open_loopback(job, context);
  if (code != 0 || job->rank != 1) return code;
  if (is_fault("open fails")) {
    ((loopback*)*context)->problem = "no such device";
    return 7;
  }
  while (is_fault("open hangs")) pause();
  if (is_fault("open crashes")) raise(SIGSEGV);
  return 0;
}

static int start_faulty(void* context, const busbar_call* call) {
  loopback* self = context;
  const int due = self->job->rank == 1 && ++calls_made > 50;
  if (due && is_fault("call fails")) {
    self->problem = "link down";
    return 5;
  }
  while (due && is_fault("call hangs")) pause();
  if (due && is_fault("call aborts")) abort();
  if (due && is_fault("call exits")) _exit(0);
  const int code = start(context, call);
  if (due && is_fault("wrong data") && call->recv_bytes > 0) ((char*)call->recv)[call->recv_bytes - 1] ^= 1;
  return code;
}

/* Memory of its own: each byte is stored inverted, so that whoever does not use write() and read() finds other values.
 */

static int allocate_own(void* context, size_t bytes, void** memory) {
  (void)context;
  return posix_memalign(memory, 4096, bytes);
}

static void release_own(void* context, void* memory) {
  (void)context;
  free(memory);
}

static int copy_inverted(void* context, void* to, const void* from, size_t bytes) {
  (void)context;
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)to)[i] = (unsigned char)~((const unsigned char*)from)[i];
  return 0;
}

static int start_on_own(void* context, const busbar_call* call) {
  busbar_call on_host = *call;
  char *send = malloc(call->send_bytes + 1), *recv = malloc(call->recv_bytes + 1);
  copy_inverted(context, send, call->send, call->send_bytes);
  if (call->send != NULL) on_host.send = send;
  if (call->recv != NULL) on_host.recv = recv;
  copy_inverted(context, recv, call->recv, call->recv_bytes);
  const int code = start(context, &on_host);
  copy_inverted(context, call->recv, recv, call->recv_bytes);
  free(send);
  free(recv);
  return code;
}

/* Calls that wait() makes. */

static busbar_call queue[1000];
static int queued;

static int start_later(void* context, const busbar_call* call) {
  (void)context;
  queue[queued++] = *call;
  return 0;
}

static int wait_for_all(void* context, double timeout_s) {
  int code = timeout_s > 0 ? 0 : 1;
  for (int i = 0; i < queued && code == 0; ++i) code = start(context, &queue[i]);
  queued = 0;
  return code;
}

static const char* function(void* context) {
  (void)context;
  return "exchange";
}

static int choice(void* context, busbar_choice* choice) {
  (void)context;
  choice->algorithm = "star";
  choice->protocol = "simple";
  choice->channels = 3;
  return 0;
}

static int poll_faulty(void* context) {
  loopback* self = context;
  if (!is_fault("background error") || self->job->rank != 1 || calls_made <= 50) return 0;
  self->problem = "a NIC was reset";
  return 9;
}

const busbar_plugin* busbar_backend(void) {
  static busbar_plugin plugin;
  const char* told = getenv("FAULT");
  fault = told == NULL ? "" : told;
  plugin = *busbar_loopback();
  plugin.open = open_faulty;
  plugin.start = start_faulty;
  plugin.poll = poll_faulty;
  if (is_fault("own memory")) {
    plugin.allocate = allocate_own;
    plugin.release = release_own;
    plugin.write = plugin.read = copy_inverted;
    plugin.start = start_on_own;
  }
  if (is_fault("asynchronous")) {
    plugin.start = start_later;
    plugin.wait = wait_for_all;
    plugin.function = function;
    plugin.choice = choice;
  }
  if (is_fault("other version")) plugin.version = BUSBAR_BACKEND_VERSION + 1;
  if (is_fault("other table")) plugin.size = 40;
  if (is_fault("older table")) plugin.size = offsetof(busbar_plugin, wait);
  if (is_fault("no start")) plugin.start = NULL;
  if (is_fault("half a memory")) plugin.write = (int (*)(void*, void*, const void*, size_t))abort;
  if (is_fault("no table")) return NULL;
  return &plugin;
}
