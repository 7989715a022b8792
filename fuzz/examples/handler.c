/* A complete example: a handler in C, and what makes it a fuzz target. It echoes ids and params as
 * they were written, so that no Number loses a digit. Your own handler takes the place of everything
 * above jrpcheck_fuzz_init. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/jrpcheck_fuzz.h"
#include "json_text.h"

struct buffer {
  char *bytes;
  size_t size;
};

static void append(struct buffer *buffer, const char *bytes, size_t size) {
  buffer->bytes = realloc(buffer->bytes, buffer->size + size + 1);
  if (buffer->bytes == NULL) abort();
  memcpy(buffer->bytes + buffer->size, bytes, size);
  buffer->size += size;
}

static void append_text(struct buffer *buffer, const char *text) {
  append(buffer, text, strlen(text));
}

static void append_id(struct buffer *reply, struct piece id) {
  append_text(reply, ",\"id\":");
  if (id.at == NULL) {
    append_text(reply, "null}");
  } else {
    append(reply, id.at, (size_t)(id.end - id.at));
    append_text(reply, "}");
  }
}

static void append_error(struct buffer *reply, int code, const char *message, struct piece id) {
  char text[128];
  snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%d,\"message\":\"%s\"}", code,
           message);
  append_text(reply, text);
  append_id(reply, id);
}

static const struct piece none = {NULL, NULL};

static bool begins_with(struct piece value, const char *characters) {
  return value.at != NULL && strchr(characters, *value.at) != NULL;
}

static bool is_request(struct piece request) {
  if (!begins_with(request, "{")) return false;
  const struct piece params = json_member(request, "params");
  const struct piece id = json_member(request, "id");
  return json_is_string(json_member(request, "jsonrpc"), "2.0") &&
         begins_with(json_member(request, "method"), "\"") &&
         (params.at == NULL || begins_with(params, "[{")) &&
         (id.at == NULL || begins_with(id, "\"-0123456789n"));
}

static void answer(struct buffer *reply, struct piece request) {
  if (!is_request(request)) {
    append_error(reply, -32600, "Invalid Request", none);
    return;
  }
  const struct piece id = json_member(request, "id");
  if (id.at == NULL) return; /* a Notification */
  if (!json_is_string(json_member(request, "method"), "echo")) {
    append_error(reply, -32601, "Method not found", id);
    return;
  }
  const struct piece params = json_member(request, "params");
  append_text(reply, "{\"jsonrpc\":\"2.0\",\"result\":");
  if (params.at == NULL) {
    append_text(reply, "null");
  } else {
    append(reply, params.at, (size_t)(params.end - params.at));
  }
  append_id(reply, id);
}

static void answer_all(struct buffer *reply, struct piece batch) {
  const char *at = NULL;
  bool empty = true;
  for (struct piece each; (each = json_element(batch, &at)).at != NULL; empty = false) {
    struct buffer one = {NULL, 0};
    answer(&one, each);
    if (one.size > 0) {
      append_text(reply, reply->size == 0 ? "[" : ",");
      append(reply, one.bytes, one.size);
    }
    free(one.bytes);
  }
  if (empty) append_error(reply, -32600, "Invalid Request", none);
  if (!empty && reply->size > 0) append_text(reply, "]");
}

/* The reply to one message; of size 0 where silence is due. */
static struct buffer handle(struct piece message) {
  struct buffer reply = {NULL, 0};
  const struct piece value = json_value(message);
  if (value.at == NULL) {
    append_error(&reply, -32700, "Parse error", none);
  } else if (*value.at == '[') {
    answer_all(&reply, value);
  } else {
    answer(&reply, value);
  }
  return reply;
}

int jrpcheck_fuzz_init(void) { return 0; }

void jrpcheck_fuzz_handle(const uint8_t *bytes, size_t size, jrpcheck_fuzz_sink sink,
                          void *context) {
  const char *text = (const char *)bytes;
  struct buffer reply = handle((struct piece){text, text + size});
  if (reply.size > 0) sink(context, (const uint8_t *)reply.bytes, reply.size);
  free(reply.bytes);
}

void jrpcheck_fuzz_reset(void) {} /* this handler keeps nothing */

const char *const *jrpcheck_fuzz_methods(void) {
  static const char *const methods[] = {"echo", NULL};
  return methods;
}
