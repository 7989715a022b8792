/* The handler of handler.c as a program on stdio, a message a line: for `jrpcheck fuzz -- PROGRAM`. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/jrpcheck_fuzz.h"

static void write_line(void *context, const uint8_t *bytes, size_t size) {
  fwrite(bytes, 1, size, context);
  fputc('\n', context);
  fflush(context);
}

int main(void) {
  char *line = NULL;
  size_t room = 0;
  ssize_t size;
  if (jrpcheck_fuzz_init() != 0) return 1;
  while ((size = getline(&line, &room, stdin)) > 0) {
    if (line[size - 1] == '\n') --size;
    if (size > 0) jrpcheck_fuzz_handle((const uint8_t *)line, (size_t)size, write_line, stdout);
  }
  free(line);
  return 0;
}
