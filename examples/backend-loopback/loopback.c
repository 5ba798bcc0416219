/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A complete plug-in without a library: every collective goes through busbar's own exchange of bytes, and each rank
 * computes its result from the inputs of all. It is slow and only shows the interface. It reduces int32 and fp64.
 */
#include <busbar/backend.h>
#include <stdlib.h>
#include <string.h>

typedef struct loopback {
  const busbar_job* job;
  char* inputs; /* of all ranks, one after another */
  size_t room;  /* bytes in inputs */
  const char* problem;
} loopback;

static const char* const calls[] = {"allreduce", "allgather", "broadcast", "reduce_scatter", "reduce_scatter_block",
                                    "alltoall",  "reduce",    "gather",    "scatter",        "incast",
                                    "sendrecv",  "barrier",   NULL};

static int open_loopback(const busbar_job* job, void** context) {
  loopback* self = calloc(1, sizeof *self);
  if (self == NULL) return 1;
  self->job = job;
  *context = self;
  if (job->number_of_options == 0) return 0;
  self->problem = "it has no options";
  return BUSBAR_UNSUPPORTED;
}

static void close_loopback(void* context) {
  free(((loopback*)context)->inputs);
  free(context);
}

static const char* error_text(void* context, int code) {
  (void)code;
  return context == NULL ? "out of memory" : ((loopback*)context)->problem;
}

/* Whether this rank's result has the blocks of all ranks, or one block (or the whole buffer). */
static int is_one_of(const char* name, const char* const* names) {
  for (; *names != NULL; ++names)
    if (strcmp(name, *names) == 0) return 1;
  return 0;
}

static int prepare(void* context, const busbar_call* call, const char** reason) {
  loopback* self = context;
  if (call->algorithm != NULL) {
    *reason = "loopback has no algorithms";
    return BUSBAR_UNSUPPORTED;
  }
  if (call->op != NULL &&
      (strcmp(call->op, "sum") != 0 || (strcmp(call->type, "int32") != 0 && strcmp(call->type, "fp64") != 0))) {
    *reason = "loopback only has the sums of int32 and fp64";
    return BUSBAR_UNSUPPORTED;
  }
  /* The largest input is a block for every rank. */
  const size_t input = call->count * call->type_size * (size_t)self->job->ranks;
  const size_t room = (input == 0 ? 1 : input) * (size_t)self->job->ranks;
  char* inputs = room <= self->room ? self->inputs : realloc(self->inputs, room);
  if (inputs == NULL) {
    self->problem = "out of memory";
    return 1;
  }
  self->inputs = inputs;
  self->room = room > self->room ? room : self->room;
  return 0;
}

/* The sum of `count` elements of all ranks, from byte `at` of each input of `input` bytes. */
static void sum(const loopback* self, const busbar_call* call, size_t input, size_t at) {
  for (size_t i = 0; i < call->count; ++i) {
    int32_t whole = 0;
    double real = 0;
    for (int rank = 0; rank < self->job->ranks; ++rank) {
      const char* from = self->inputs + (size_t)rank * input + at + i * call->type_size;
      int32_t w;
      double r;
      if (call->type_size == sizeof w)
        memcpy(&w, from, sizeof w), whole += w;
      else
        memcpy(&r, from, sizeof r), real += r;
    }
    char* to = (char*)call->recv + i * call->type_size;
    if (call->type_size == sizeof whole)
      memcpy(to, &whole, sizeof whole);
    else
      memcpy(to, &real, sizeof real);
  }
}

static int start(void* context, const busbar_call* call) {
  static const char* const by_blocks[] = {"alltoall", "scatter", "reduce_scatter", "reduce_scatter_block", NULL};
  static const char* const to_one[] = {"reduce", "gather", "incast", NULL};
  static const char* const from_one[] = {"broadcast", "scatter", NULL};
  loopback* self = context;
  const size_t block = call->count * call->type_size, ranks = (size_t)self->job->ranks, own = (size_t)self->job->rank;
  const size_t input = is_one_of(call->name, by_blocks) ? block * ranks : block; /* the same on all ranks */
  const size_t my_at = own * block;
  char* recv = call->recv;

  /* Ranks that send nothing, or a part in place, give bytes that nobody reads. */
  char* mine = calloc(1, input == 0 ? 1 : input);
  if (mine == NULL) return 1;
  if (call->send != NULL) memcpy(mine, call->send, call->send_bytes < input ? call->send_bytes : input);
  const int code = self->job->exchange(self->job->channel, mine, input, self->inputs);
  free(mine);
  if (code != 0) return code;

  if (recv == NULL || block == 0 || (is_one_of(call->name, to_one) && self->job->rank != call->root)) return 0;
  if (call->op != NULL) {
    sum(self, call, input, is_one_of(call->name, by_blocks) ? my_at : 0);
  } else if (is_one_of(call->name, from_one)) {
    const char* from = self->inputs + (size_t)call->root * input;
    memcpy(recv, is_one_of(call->name, by_blocks) ? from + my_at : from, block);
  } else if (strcmp(call->name, "sendrecv") == 0) {
    memcpy(recv, self->inputs + (size_t)call->from * input, block);
  } else { /* allgather, gather, incast, alltoall */
    const size_t from = strcmp(call->name, "alltoall") == 0 ? my_at : 0;
    for (size_t rank = 0; rank < ranks; ++rank) memcpy(recv + rank * block, self->inputs + rank * input + from, block);
  }
  return 0;
}

static const char* fact(void* context, const char* name) {
  (void)context;
  return strcmp(name, "version") == 0 ? "1.0" : NULL;
}

const busbar_plugin* busbar_backend(void) {
  static const busbar_plugin plugin = {
      .version = BUSBAR_BACKEND_VERSION,
      .size = sizeof(busbar_plugin),
      .library = "loopback",
      .calls = calls,
      .open = open_loopback,
      .close = close_loopback,
      .error_text = error_text,
      .prepare = prepare,
      .start = start,
      .fact = fact,
  };
  return &plugin;
}
