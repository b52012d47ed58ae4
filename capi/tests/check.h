/* What the test programs expect: the first that is not so is printed, and ends them. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                       \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)

#endif
