/* Lets `jrpcheck fuzz` see the edges of a program that is not built by AFL++. Compile the program with
 *   gcc -fsanitize-coverage=trace-pc   or   clang -fsanitize-coverage=trace-pc-guard
 * and link this file to it, compiled without these flags.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/shm.h>

static uint8_t *map;
static size_t map_size = 65536;

__attribute__((constructor)) static void attach(void) {
  const char *id = getenv("__AFL_SHM_ID");
  const char *size = getenv("AFL_MAP_SIZE");
  void *bytes = id ? shmat(atoi(id), 0, 0) : (void *)-1;
  if (bytes == (void *)-1) return;
  if (size) map_size = strtoul(size, 0, 10);
  map = bytes;
}

/* gcc: told apart by where it is called from, wherever the program has been loaded. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
  const uintptr_t here = (uintptr_t)&__sanitizer_cov_trace_pc;
  const uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  if (map) ++map[(caller > here ? caller - here : here - caller) % map_size];
}

/* clang: each edge has a number, given here. */
void __sanitizer_cov_trace_pc_guard_init(uint32_t *begin, uint32_t *end);
void __sanitizer_cov_trace_pc_guard_init(uint32_t *begin, uint32_t *end) {
  static uint32_t count;
  for (; begin < end && !*begin; ++begin) *begin = ++count;
}
void __sanitizer_cov_trace_pc_guard(uint32_t *edge);
void __sanitizer_cov_trace_pc_guard(uint32_t *edge) {
  if (map) ++map[*edge % map_size];
}
