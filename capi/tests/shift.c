/* Every function of the interface once: what it gives, and that misuse is told. */
#include <pld-c/pld.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct said {
  int count;
  uint32_t code;
  uint32_t line;
  int notes;
  char text[4096];
};

static void listen(const pld_diagnostic *diagnostic, void *user) {
  struct said *said = user;
  said->count += 1;
  said->code = diagnostic->code;
  said->line = diagnostic->position.line;
  said->notes = (int)diagnostic->note_count;
  snprintf(said->text, sizeof said->text, "%s", diagnostic->text);
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  CHECK(file);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*length + 1);
  CHECK(text && fread(text, 1, *length, file) == *length);
  fclose(file);
  return text;
}

enum { RANKS = 4, SIZE = 64 };

static void run(pld_module *module, struct said *said) {
  pld_simulation *simulation = NULL;
  CHECK(pld_simulation_create(module, 0, &simulation) == PLD_MISUSE);
  CHECK(pld_simulation_create(module, RANKS, &simulation) == PLD_OK);
  float x[RANKS * SIZE], shifted[RANKS * SIZE];
  for (int i = 0; i < RANKS * SIZE; i++) {
    x[i] = (float)i;
    shifted[i] = (float)((i + SIZE) % (RANKS * SIZE));
  }
  const size_t shape[] = {RANKS, 1, SIZE};
  const void *data = NULL;
  size_t bytes = 0;
  pld_artifact *report = NULL;
  CHECK(pld_simulation_result(simulation, 1, &data, &bytes) == PLD_MISUSE); /* not run yet */
  CHECK(pld_simulation_report(simulation, &report) == PLD_MISUSE);
  CHECK(pld_simulation_entry(simulation, "main") == PLD_OK);
  CHECK(pld_simulation_seed(simulation, 3) == PLD_OK);
  CHECK(pld_simulation_schedules(simulation, 4) == PLD_OK);
  CHECK(pld_simulation_checks(simulation, 1, 1, 1) == PLD_OK);
  CHECK(pld_simulation_weak(simulation, 1) == PLD_OK);
  CHECK(pld_simulation_cost(simulation, 1) == PLD_OK);
  CHECK(pld_simulation_tolerance(simulation, 0, 0) == PLD_OK);
  CHECK(pld_simulation_input(simulation, 0, PLD_F32, shape, 3, x) == PLD_OK);
  CHECK(pld_simulation_input(simulation, 0, (pld_element)99, shape, 3, x) == PLD_MISUSE);
  CHECK(pld_simulation_input(simulation, 0, PLD_F32, shape, 3, NULL) == PLD_MISUSE);
  CHECK(pld_simulation_expect(simulation, 1, PLD_F32, shape, 3, shifted) == PLD_OK);
  CHECK(pld_simulation_run(simulation) == PLD_OK);
  CHECK(pld_simulation_result(simulation, 1, &data, &bytes) == PLD_OK);
  CHECK(bytes == sizeof shifted && memcmp(data, shifted, bytes) == 0);
  CHECK(pld_simulation_result(simulation, 9, &data, &bytes) == PLD_MISUSE);

  size_t length = 0;
  CHECK(pld_simulation_report(simulation, &report) == PLD_OK);
  CHECK(strstr(pld_artifact_data(report, 0, &length), "\"verdict\": \"agrees\""));
  CHECK(pld_artifact_destroy(report) == PLD_OK);
  CHECK(pld_simulation_cost_card(simulation, &report) == PLD_OK);
  CHECK(strstr(pld_artifact_data(report, 0, NULL), "rounds"));
  CHECK(pld_artifact_destroy(report) == PLD_OK);

  /* The other way round is a wrong result, and the text tells how far it is turned. */
  said->count = 0;
  CHECK(pld_simulation_expect(simulation, 1, PLD_F32, shape, 3, x) == PLD_OK);
  CHECK(pld_simulation_run(simulation) == PLD_WRONG_RESULT);
  CHECK(said->count >= 1 && strstr(said->text, "rotated by +"));

  /* What fits no argument is refused with its code. */
  said->count = 0;
  CHECK(pld_simulation_input_fill(simulation, 0, "ramp") == PLD_OK);
  CHECK(pld_simulation_input_fill(simulation, 0, "no such fill:") != PLD_MISUSE);
  CHECK(pld_simulation_input_integer(simulation, 0, 7) == PLD_OK);
  CHECK(pld_simulation_run(simulation) == PLD_INVALID && said->code == 405);
  CHECK(pld_simulation_input_float(simulation, 0, 7.5) == PLD_OK);
  CHECK(pld_simulation_run(simulation) == PLD_INVALID && said->code == 405);
  CHECK(pld_simulation_result(simulation, 1, &data, &bytes) == PLD_MISUSE);
  CHECK(pld_simulation_destroy(simulation) == PLD_OK);
  CHECK(pld_simulation_destroy(simulation) == PLD_MISUSE);
}

static void print(pld_module *module, const char *folder) {
  pld_artifact *artifact = NULL;
  size_t length = 0;
  CHECK(pld_module_text(module, 0, &artifact) == PLD_OK);
  CHECK(strstr(pld_artifact_data(artifact, 0, &length), "pld.remote_load") && length > 100);
  CHECK(pld_artifact_count(artifact) == 1 && strcmp(pld_artifact_name(artifact, 0), "") == 0);
  CHECK(pld_artifact_name(artifact, 1) == NULL && pld_artifact_data(artifact, 1, &length) == NULL);
  CHECK(pld_artifact_write(artifact, folder) == PLD_MISUSE); /* it is no project */
  CHECK(pld_artifact_destroy(artifact) == PLD_OK);
  CHECK(pld_artifact_count(artifact) == 0); /* dead */
  CHECK(pld_module_text(module, 1, &artifact) == PLD_OK);
  CHECK(strstr(pld_artifact_data(artifact, 0, NULL), "loc("));
  CHECK(pld_artifact_destroy(artifact) == PLD_OK);
  CHECK(pld_module_lower(module, "lower-pld-to-tile", &artifact) == PLD_OK);
  CHECK(strstr(pld_artifact_data(artifact, 0, NULL), "pld.notify"));
  CHECK(pld_artifact_destroy(artifact) == PLD_OK);
  CHECK(pld_module_lower(module, "no-such-pass", &artifact) == PLD_INVALID);
  CHECK(pld_module_lower(module, NULL, &artifact) == PLD_MISUSE);

  CHECK(pld_module_project(module, "main", NULL, &artifact) == PLD_OK);
  int kernels = 0;
  for (size_t i = 0; i < pld_artifact_count(artifact); i++)
    kernels += strstr(pld_artifact_data(artifact, i, NULL), "AscendC::DataCopyPad") != NULL;
  CHECK(kernels >= 1);
  CHECK(pld_artifact_write(artifact, folder) == PLD_OK);
  CHECK(pld_artifact_destroy(artifact) == PLD_OK);
  CHECK(pld_module_project(module, "nobody", "a2a3", &artifact) == PLD_INVALID);
  CHECK(pld_module_project(module, "main", "a4", &artifact) == PLD_INVALID);
  CHECK(pld_module_project(module, "main", "a5", &artifact) == PLD_OK);
  CHECK(pld_artifact_destroy(artifact) == PLD_OK);
}

/* Broken modules are refused one after another: the code and the line are told. */
static void refuse(pld_session *session, struct said *said, int count) {
  static const char text[] =
      "func.func @f(%x: memref<1x8xf32>) attributes {pl.incore} {\n"
      "  %t = pl.load %x[0, 4] : memref<1x8xf32> -> !pl.tile<1x8xf32>\n"
      "  return\n"
      "}\n";
  for (int i = 0; i < count; i++) {
    pld_module *module = NULL;
    said->count = 0;
    CHECK(pld_module_parse(session, text, sizeof text - 1, "bad.mlir", &module) == PLD_INVALID);
    CHECK(module == NULL && said->count == 1 && said->code == 104 && said->line == 2);
    CHECK(said->notes >= 1 && strstr(said->text, "bad.mlir:2:"));
    CHECK(pld_module_parse(session, "((", 2, NULL, &module) == PLD_INVALID);
  }
}

static void misuse(pld_session *session, const char *text, size_t length) {
  pld_module *module = NULL;
  int not_a_handle = 0;
  CHECK(pld_session_create(NULL) == PLD_MISUSE);
  CHECK(pld_session_destroy(NULL) == PLD_MISUSE);
  CHECK(pld_session_on_diagnostic(NULL, listen, NULL) == PLD_MISUSE);
  CHECK(pld_module_parse(NULL, text, length, NULL, &module) == PLD_MISUSE);
  CHECK(pld_module_parse(session, NULL, 3, NULL, &module) == PLD_MISUSE);
  CHECK(pld_module_parse(session, text, length, NULL, NULL) == PLD_MISUSE);
  CHECK(pld_module_parse((pld_session *)&not_a_handle, text, length, NULL, &module) == PLD_MISUSE);
  CHECK(pld_module_check((pld_module *)session) == PLD_MISUSE); /* of another kind */
  CHECK(pld_module_destroy((pld_module *)session) == PLD_MISUSE);
  CHECK(pld_simulation_run(NULL) == PLD_MISUSE);
  CHECK(pld_simulation_entry(NULL, "main") == PLD_MISUSE);
  CHECK(pld_artifact_data(NULL, 0, NULL) == NULL);
}

int main(int argc, char **argv) {
  CHECK(argc == 4); /* program, folder, how many broken modules */
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", PLD_VERSION_MAJOR, PLD_VERSION_MINOR,
           PLD_VERSION_PATCH);
  CHECK(pld_api_version() == PLD_API_VERSION);
  CHECK(strcmp(version, pld_version()) == 0 && strcmp(PLD_VERSION, pld_version()) == 0);
  size_t length = 0;
  char *text = read_file(argv[1], &length);
  pld_session *session = NULL;
  pld_module *module = NULL;
  struct said said = {0};
  CHECK(pld_session_create(&session) == PLD_OK);
  CHECK(pld_session_on_diagnostic(session, listen, &said) == PLD_OK);
  misuse(session, text, length);
  refuse(session, &said, atoi(argv[3]));

  CHECK(pld_module_parse(session, text, length, "shift.mlir", &module) == PLD_OK);
  said.count = 0;
  CHECK(pld_module_check(module) == PLD_OK && said.count == 0);
  print(module, argv[2]);

  /* Bytecode is read back as the same program. */
  pld_artifact *bytecode = NULL;
  pld_module *again = NULL;
  CHECK(pld_module_bytecode(module, &bytecode) == PLD_OK);
  const char *bytes = pld_artifact_data(bytecode, 0, &length);
  CHECK(pld_module_parse(session, bytes, length, NULL, &again) == PLD_OK);
  CHECK(pld_artifact_destroy(bytecode) == PLD_OK);
  CHECK(pld_module_destroy(module) == PLD_OK);
  CHECK(pld_module_destroy(module) == PLD_MISUSE);
  CHECK(pld_module_check(module) == PLD_MISUSE);

  run(again, &said);
  CHECK(pld_module_destroy(again) == PLD_OK);
  CHECK(pld_session_destroy(session) == PLD_OK);
  CHECK(pld_session_destroy(session) == PLD_MISUSE);
  free(text);
  puts("OK");
  return 0;
}
