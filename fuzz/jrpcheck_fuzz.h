/* What a JSON-RPC handler defines to be fuzzed in its own process, in C or in C++:
 *
 *   jrpcheck_add_fuzzer(my-fuzzer SOURCES handler_fuzz.cpp LINKS my_server)
 *
 * Every reply is then held to JSON-RPC 2.0: its envelope, its id, its error code, silence where a
 * Notification was sent, and that a good call is still answered after a bad one.
 */
#ifndef JRPCHECK_FUZZ_H
#define JRPCHECK_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes one message that the handler sends back. The bytes need not outlive the call. */
typedef void (*jrpcheck_fuzz_sink)(void* context, const uint8_t* bytes, size_t size);

/* Called once, before everything else. Anything but 0 ends the program: nothing can be fuzzed. */
int jrpcheck_fuzz_init(void);

/* Handles one message, without the framing of any transport: `size` bytes, not ended by a NUL, with
 * anything in them. Each reply is given to `sink` with `context` before this returns; a handler
 * that stays silent does not call it. */
void jrpcheck_fuzz_handle(const uint8_t* bytes, size_t size, jrpcheck_fuzz_sink sink,
                          void* context);

/* Called before each input: puts the handler back into the state in which it began, so that an
 * input does the same every time. It may do nothing where there is no state. */
void jrpcheck_fuzz_reset(void);

/* May be left out: the names of methods that the handler has and that may be called with anything,
 * ended by NULL. They are called more often then, and not to know one of them is a fault. */
const char* const* jrpcheck_fuzz_methods(void);

#ifdef __cplusplus
}
#endif

#endif
