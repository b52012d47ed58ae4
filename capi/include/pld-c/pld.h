/* pld in C: programs of the MLIR dialects `pl` and `pld`, from text or bytecode, are checked,
 * lowered, printed as an AscendC and HCCL project, and run on simulated ranks.
 *
 * - Handles are opaque. A handle that is null, was destroyed, or is of another kind is refused
 *   with PLD_MISUSE; it is never followed. Handles may be used from any thread, one call at a time
 *   for each; a call on a handle that another thread is using waits.
 * - Functions return a pld_status. Diagnostics go to the callback of the session, before the
 *   function returns.
 * - Memory that a function hands out belongs to its handle, and lives until that is destroyed, or
 *   for a simulation until it runs again. Memory that is handed in is copied.
 * - Text need not end with a zero: its length is given.
 *
 * PLD_API_VERSION grows by one when a function, a field or a constant is added; nothing is
 * removed or changed within one version of the shared library's name.
 */
#ifndef PLD_C_PLD_H
#define PLD_C_PLD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLD_API_VERSION 2

/* The version of pld that this header came with; a build can ask for it with #if. */
#define PLD_VERSION_MAJOR 0
#define PLD_VERSION_MINOR 1
#define PLD_VERSION_PATCH 0
#define PLD_VERSION "0.1.0"

/* The version that the library was built with. */
uint32_t pld_api_version(void);
/* The version of pld, as "0.1.0". */
const char *pld_version(void);

/* What a function answers; the first five are the exit codes of pld-run. */
typedef enum pld_status {
  PLD_OK = 0,
  PLD_WRONG_RESULT = 1, /* a run went to its end, and a comparison failed */
  PLD_INVALID = 2,      /* the program, an input or an option is refused */
  PLD_FINDING = 3,      /* a run found a deadlock, a race, an access out of bounds */
  PLD_INTERNAL = 4,     /* a fault of the library or the machine */
  PLD_MISUSE = 5,       /* a null or dead handle, a null pointer, an order that makes no sense */
  PLD_CANCELLED = 6     /* a run was ended by pld_simulation_cancel */
} pld_status;

typedef struct pld_session pld_session;
typedef struct pld_module pld_module;
typedef struct pld_artifact pld_artifact;
typedef struct pld_simulation pld_simulation;

/* Diagnostics */

typedef enum pld_severity { PLD_ERROR = 0, PLD_WARNING = 1, PLD_REMARK = 2 } pld_severity;

/* A place in a source; line and column count from 1, and are 0 where there is none. */
typedef struct pld_position {
  const char *file; /* null if there is none */
  uint32_t line;
  uint32_t column;
} pld_position;

typedef struct pld_note {
  const char *message;
  pld_position position;
} pld_note;

typedef struct pld_diagnostic {
  pld_severity severity;
  uint32_t code; /* 104 for pld-104, 0 if there is none */
  const char *message;
  pld_position position;
  const pld_note *notes;
  size_t note_count;
  const char *text; /* all of it as a tool prints it, with source lines */
} pld_diagnostic;

/* Everything is valid during the call only. */
typedef void (*pld_diagnostic_callback)(const pld_diagnostic *diagnostic, void *user);

/* Sessions */

pld_status pld_session_create(pld_session **session);
/* Its modules, artifacts and simulations live on. */
pld_status pld_session_destroy(pld_session *session);
/* Null takes the callback away. */
pld_status pld_session_on_diagnostic(pld_session *session, pld_diagnostic_callback callback,
                                     void *user);

/* Modules */

/* Parses and verifies text or bytecode; `name` is the file of its places, null for "<memory>". */
pld_status pld_module_parse(pld_session *session, const void *data, size_t length,
                            const char *name, pld_module **module);
pld_status pld_module_destroy(pld_module *module);
/* Lints: warnings and errors go to the callback. */
pld_status pld_module_check(pld_module *module);
/* The IR as text; with places where `locations` is not 0. */
pld_status pld_module_text(pld_module *module, int locations, pld_artifact **artifact);
pld_status pld_module_bytecode(pld_module *module, pld_artifact **artifact);
/* The IR after a pass pipeline of pld-opt, such as "lower-pld-to-tile". */
pld_status pld_module_lower(pld_module *module, const char *pipeline, pld_artifact **artifact);
/* The files of the AscendC and HCCL project of an entry (null for the only one, or @main) for a
 * target profile, "a2a3" or "a5" (null for the first). */
pld_status pld_module_project(pld_module *module, const char *entry, const char *target,
                              pld_artifact **artifact);

/* Artifacts: one or more named pieces of bytes. */

size_t pld_artifact_count(const pld_artifact *artifact); /* 0 for a dead handle */
/* A path for a file of a project, "" else. Null if there is no such piece. */
const char *pld_artifact_name(const pld_artifact *artifact, size_t index);
/* Followed by a zero, which `length` does not count. Null if there is no such piece. */
const char *pld_artifact_data(const pld_artifact *artifact, size_t index, size_t *length);
/* Writes the files below a folder: a new or empty one, or one of an earlier project. */
pld_status pld_artifact_write(const pld_artifact *artifact, const char *folder);
pld_status pld_artifact_destroy(pld_artifact *artifact);

/* Simulations */

typedef enum pld_element {
  PLD_F32 = 0,
  PLD_F16 = 1,
  PLD_BF16 = 2,
  PLD_I8 = 3,
  PLD_I16 = 4,
  PLD_I32 = 5,
  PLD_I64 = 6,
  PLD_I1 = 7 /* a byte, 0 or 1 */
} pld_element;

/* A run on `world` ranks, with protocol, races and bounds checked. The module may be destroyed before it. */
pld_status pld_simulation_create(pld_module *module, size_t world, pld_simulation **simulation);
pld_status pld_simulation_destroy(pld_simulation *simulation);

pld_status pld_simulation_entry(pld_simulation *simulation, const char *name);
pld_status pld_simulation_seed(pld_simulation *simulation, uint64_t seed);
pld_status pld_simulation_schedules(pld_simulation *simulation, uint64_t count);
/* Before the run what ranks say to each other, for all schedules; in the run races, and bounds. */
pld_status pld_simulation_checks(pld_simulation *simulation, int protocol, int races, int bounds);
pld_status pld_simulation_weak(pld_simulation *simulation, int weak);
pld_status pld_simulation_cost(pld_simulation *simulation, int cost);
pld_status pld_simulation_tolerance(pld_simulation *simulation, double rtol, double atol);

/* What an argument starts as: an array in row-major order, a number, or a fill such as "ramp"
 * (see `pld-run --help`). Without one it is filled as its pl.arg says, or with a ramp. */
pld_status pld_simulation_input(pld_simulation *simulation, size_t argument, pld_element element,
                                const size_t *shape, size_t rank, const void *data);
pld_status pld_simulation_input_integer(pld_simulation *simulation, size_t argument, int64_t value);
pld_status pld_simulation_input_float(pld_simulation *simulation, size_t argument, double value);
pld_status pld_simulation_input_fill(pld_simulation *simulation, size_t argument, const char *fill);
/* What an argument should be after the run. */
pld_status pld_simulation_expect(pld_simulation *simulation, size_t argument, pld_element element,
                                 const size_t *shape, size_t rank, const void *data);

/* PLD_OK, PLD_WRONG_RESULT or PLD_FINDING after a run, else why there was none. What went wrong
 * in it goes to the callback as errors. */
pld_status pld_simulation_run(pld_simulation *simulation);
/* Ends the run that another thread is in, which answers PLD_CANCELLED, and each later one of this
 * simulation; does not wait for it. Compiling goes on to its end, and so does a loop of the program
 * that neither waits nor touches a window. Not for signal handlers. */
pld_status pld_simulation_cancel(pld_simulation *simulation);

/* An argument's array after the run. */
pld_status pld_simulation_result(pld_simulation *simulation, size_t argument, const void **data,
                                 size_t *bytes);
/* Findings, comparisons and counters of the last run as JSON; docs/simulator.md has the keys. */
pld_status pld_simulation_report(pld_simulation *simulation, pld_artifact **artifact);
/* The cost card of the last run as text, if it was asked for. */
pld_status pld_simulation_cost_card(pld_simulation *simulation, pld_artifact **artifact);

#ifdef __cplusplus
}
#endif

#endif
