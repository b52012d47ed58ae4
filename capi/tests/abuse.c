/* A program that does everything wrong: threads that share handles and end them under each other,
 * a callback that calls back, sizes that are none, and as many broken modules as it is told. Each
 * is told by a status; nothing hangs, and memory does not grow. */
#define _POSIX_C_SOURCE 200809L
#include <pld-c/pld.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static const char good[] = "func.func @k(%x: memref<1x8xf32>, %y: memref<1x8xf32> {pl.out}) "
                           "attributes {pl.incore} {\n"
                           "  %t = pl.load %x[0, 0] : memref<1x8xf32> -> !pl.tile<1x8xf32>\n"
                           "  pl.store %t, %y[0, 0] : !pl.tile<1x8xf32>, memref<1x8xf32>\n"
                           "  return\n}\n"
                           "func.func @d(%x: memref<1x8xf32>, %y: memref<1x8xf32> {pl.out}) "
                           "attributes {pl.device} {\n"
                           "  call @k(%x, %y) : (memref<1x8xf32>, memref<1x8xf32>) -> ()\n"
                           "  return\n}\n"
                           "func.func @main(%x: memref<?x1x8xf32>, %y: memref<?x1x8xf32> {pl.out}) "
                           "attributes {pl.host} {\n"
                           "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                           "  %n = pld.world_size\n  scf.for %r = %c0 to %n step %c1 {\n"
                           "    %a = pl.shard %x[%r] : memref<?x1x8xf32> -> memref<1x8xf32>\n"
                           "    %b = pl.shard %y[%r] : memref<?x1x8xf32> -> memref<1x8xf32>\n"
                           "    pld.dispatch @d(%a, %b) on %r : (memref<1x8xf32>, memref<1x8xf32>)\n"
                           "  }\n  return\n}\n";

static pld_module *parsed(pld_session *session) {
  pld_module *module = NULL;
  CHECK(pld_module_parse(session, good, sizeof good - 1, "good.mlir", &module) == PLD_OK);
  return module;
}

/* Sizes that no machine has, and lists that are not there. */
static void sizes(pld_session *session) {
  pld_module *module = parsed(session), *none = NULL;
  pld_simulation *simulation = NULL;
  pld_artifact *artifact = NULL;
  float x[16] = {0};
  const size_t shape[] = {2, 1, 8}, huge[] = {SIZE_MAX, 1, 8}, large[] = {(size_t)1 << 50, 1, 8};
  CHECK(pld_module_parse(session, good, SIZE_MAX, NULL, &none) == PLD_MISUSE && !none);
  CHECK(pld_module_parse(session, good, 0, NULL, &none) == PLD_OK); /* an empty module */
  CHECK(pld_module_destroy(none) == PLD_OK);
  CHECK(pld_module_project(module, "main", "\xff\xfe", &artifact) == PLD_MISUSE); /* no UTF-8 */
  CHECK(pld_module_text(module, 0, NULL) == PLD_MISUSE);
  CHECK(pld_simulation_create(module, SIZE_MAX, &simulation) == PLD_OK);
  CHECK(pld_simulation_run(simulation) != PLD_OK);
  CHECK(pld_simulation_destroy(simulation) == PLD_OK);
  CHECK(pld_simulation_create(module, 2, &simulation) == PLD_OK);
  CHECK(pld_simulation_input(simulation, 0, PLD_F32, huge, 3, x) == PLD_INVALID);
  CHECK(pld_simulation_input(simulation, 0, PLD_F32, large, 3, x) == PLD_INVALID);
  CHECK(pld_simulation_input(simulation, 0, PLD_F32, shape, SIZE_MAX, x) == PLD_MISUSE);
  CHECK(pld_simulation_input(simulation, 0, PLD_F32, NULL, 3, x) == PLD_MISUSE);
  CHECK(pld_simulation_input(simulation, SIZE_MAX, PLD_F32, shape, 3, x) == PLD_OK);
  CHECK(pld_simulation_run(simulation) == PLD_INVALID); /* no such argument */
  CHECK(pld_simulation_destroy(simulation) == PLD_OK);
  CHECK(pld_simulation_create(module, 2, &simulation) == PLD_OK);
  CHECK(pld_simulation_tolerance(simulation, -1.0, 0.0 / 1e-300 - 1.0) == PLD_OK);
  CHECK(pld_simulation_entry(simulation, "") == PLD_OK);
  CHECK(pld_simulation_run(simulation) == PLD_INVALID);
  CHECK(pld_simulation_destroy(simulation) == PLD_OK);
  CHECK(pld_module_destroy(module) == PLD_OK);
}

/* Every function with every handle that is none of its kind. */
static void strangers(pld_session *session) {
  pld_module *module = parsed(session);
  pld_artifact *artifact = NULL;
  CHECK(pld_module_text(module, 0, &artifact) == PLD_OK);
  uint64_t random = 12345;
  for (int i = 0; i < 200000; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    void *handle = i % 4 ? (void *)(uintptr_t)(random >> (i % 60)) : i % 8 ? (void *)session : (void *)module;
    pld_artifact *out = NULL;
    if (handle == (void *)artifact)
      continue;
    CHECK(pld_artifact_count(handle) == 0 && pld_artifact_data(handle, 0, NULL) == NULL);
    CHECK(pld_artifact_destroy(handle) == PLD_MISUSE);
    CHECK(pld_simulation_run(handle) == PLD_MISUSE);
    CHECK(pld_simulation_destroy(handle) == PLD_MISUSE);
    if (handle != (void *)session)
      CHECK(pld_session_on_diagnostic(handle, NULL, NULL) == PLD_MISUSE);
    if (handle != (void *)module)
      CHECK(pld_module_text(handle, 0, &out) == PLD_MISUSE && !out);
  }
  CHECK(pld_artifact_destroy(artifact) == PLD_OK);
  /* A handle is not another's after its place is taken again. */
  for (int i = 0; i < 1000; i++) {
    pld_session *next = NULL;
    CHECK(pld_session_create(&next) == PLD_OK && (void *)next != (void *)artifact);
    CHECK(pld_artifact_count(artifact) == 0);
    CHECK(pld_session_destroy(next) == PLD_OK);
  }
  CHECK(pld_module_destroy(module) == PLD_OK);
}

/* The callback uses what is being used, and ends it. */
struct caller {
  pld_session *session;
  pld_module *module;
  pld_simulation *simulation;
  int calls;
};

static void call_back(const pld_diagnostic *diagnostic, void *user) {
  struct caller *caller = user;
  pld_artifact *artifact = NULL;
  const void *data = NULL;
  size_t bytes = 0;
  caller->calls += 1;
  CHECK(diagnostic->text[0]);
  if (caller->module) {
    CHECK(pld_module_text(caller->module, 0, &artifact) == PLD_OK);
    CHECK(pld_artifact_destroy(artifact) == PLD_OK);
  }
  if (caller->simulation) {
    CHECK(pld_simulation_result(caller->simulation, 1, &data, &bytes) == PLD_OK);
    CHECK(pld_simulation_destroy(caller->simulation) == PLD_OK);
    caller->simulation = NULL;
  }
  CHECK(pld_session_on_diagnostic(caller->session, call_back, user) == PLD_OK);
}

static void callbacks(pld_session *session) {
  struct caller caller = {session, parsed(session), NULL, 0};
  pld_artifact *artifact = NULL;
  float x[16] = {1, 2};
  const size_t shape[] = {2, 1, 8};
  CHECK(pld_session_on_diagnostic(session, call_back, &caller) == PLD_OK);
  CHECK(pld_module_lower(caller.module, "no-such-pass", &artifact) == PLD_INVALID);
  CHECK(caller.calls >= 1);
  CHECK(pld_simulation_create(caller.module, 2, &caller.simulation) == PLD_OK);
  CHECK(pld_simulation_expect(caller.simulation, 1, PLD_F32, shape, 3, x) == PLD_OK);
  CHECK(pld_simulation_run(caller.simulation) == PLD_WRONG_RESULT && !caller.simulation);
  CHECK(pld_session_on_diagnostic(session, NULL, NULL) == PLD_OK);
  CHECK(pld_module_destroy(caller.module) == PLD_OK);
}

/* Threads that use one module, and end it while others do. */
static pld_session *shared_session;
static pld_module *shared;

static void *use(void *last) {
  for (int i = 0; i < 40; i++) {
    pld_artifact *artifact = NULL;
    pld_status status = pld_module_lower(shared, "canonicalize", &artifact);
    CHECK(status == PLD_OK || status == PLD_MISUSE);
    if (status == PLD_OK)
      CHECK(pld_artifact_destroy(artifact) == PLD_OK);
    pld_module *own = parsed(shared_session);
    CHECK(pld_module_check(own) == PLD_OK);
    CHECK(pld_module_destroy(own) == PLD_OK);
    if (last && i == 20)
      CHECK(pld_module_destroy(shared) == PLD_OK);
  }
  return NULL;
}

static void threads(pld_session *session) {
  pthread_t all[8];
  shared_session = session;
  shared = parsed(session);
  for (int i = 0; i < 8; i++)
    CHECK(pthread_create(&all[i], NULL, use, i == 7 ? session : NULL) == 0);
  for (int i = 0; i < 8; i++)
    CHECK(pthread_join(all[i], NULL) == 0);
  CHECK(pld_module_destroy(shared) == PLD_MISUSE);
}

static void *endless(void *simulation) {
  return (void *)(uintptr_t)pld_simulation_run(simulation);
}

/* A run without end is ended from another thread, and so is each later one. */
static void cancelled(pld_session *session) {
  pld_module *module = parsed(session);
  pld_simulation *simulation = NULL;
  pthread_t thread;
  void *status = NULL;
  CHECK(pld_simulation_create(module, 2, &simulation) == PLD_OK);
  CHECK(pld_simulation_schedules(simulation, UINT64_MAX) == PLD_OK);
  CHECK(pthread_create(&thread, NULL, endless, simulation) == 0);
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  CHECK(pld_simulation_cancel(simulation) == PLD_OK);
  CHECK(pthread_join(thread, &status) == 0);
  CHECK((uintptr_t)status == PLD_CANCELLED);
  CHECK(pld_simulation_run(simulation) == PLD_CANCELLED);
  CHECK(pld_simulation_destroy(simulation) == PLD_OK);
  CHECK(pld_simulation_cancel(simulation) == PLD_MISUSE);
  CHECK(pld_module_destroy(module) == PLD_OK);
}

static long resident(void) {
  long pages = 0, used = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file) {
    CHECK(fscanf(file, "%ld %ld", &pages, &used) == 2);
    fclose(file);
  }
  return used * sysconf(_SC_PAGESIZE) / 1024;
}

/* Modules that do not parse, do not verify, are refused by the lint, and by the run. */
static void broken(pld_session *session, int count) {
  long before = 0;
  char text[4096];
  for (int i = 0; i < count; i++) {
    pld_module *module = NULL;
    pld_artifact *artifact = NULL;
    int length = 0;
    switch (i % 4) {
    case 0:
      length = snprintf(text, sizeof text, "func.func @f%d(", i);
      break;
    case 1:
      length = snprintf(text, sizeof text,
                        "func.func @f%d(%%x: memref<%dx8xf32>) attributes {pl.incore} {\n"
                        "  %%t = pl.load %%x[0, 4] : memref<%dx8xf32> -> !pl.tile<1x8xf32>\n"
                        "  return\n}",
                        i, i + 1, i + 1);
      break;
    case 2:
      length = snprintf(text, sizeof text, "%s// %d\n", good, i);
      break;
    default:
      length = snprintf(text, sizeof text, "ML\xefR%d", i);
    }
    pld_status status = pld_module_parse(session, text, (size_t)length, NULL, &module);
    CHECK(status == (i % 4 == 2 ? PLD_OK : PLD_INVALID));
    if (module) {
      pld_simulation *simulation = NULL;
      CHECK(pld_module_lower(module, "no-such-pass", &artifact) == PLD_INVALID);
      CHECK(pld_module_project(module, "nobody", NULL, &artifact) == PLD_INVALID);
      CHECK(pld_simulation_create(module, 2, &simulation) == PLD_OK);
      CHECK(pld_simulation_input_integer(simulation, 0, i) == PLD_OK);
      CHECK(pld_simulation_run(simulation) == PLD_INVALID);
      CHECK(pld_simulation_destroy(simulation) == PLD_OK);
      CHECK(pld_module_destroy(module) == PLD_OK);
    }
    /* What the allocator and LLVM keep is there by then. */
    if (i == count / 5)
      before = resident();
  }
  long grown = resident() - before;
  if (count >= 1000 && grown > 8 * 1024) {
    fprintf(stderr, "%d broken modules: %ld KiB before, %ld KiB more after\n", count, before, grown);
    exit(1);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 2); /* how many broken modules */
  pld_session *session = NULL;
  CHECK(pld_session_create(&session) == PLD_OK);
  sizes(session);
  strangers(session);
  callbacks(session);
  threads(session);
  cancelled(session);
  broken(session, atoi(argv[1]));
  CHECK(pld_session_destroy(session) == PLD_OK);
  puts("OK");
  return 0;
}
