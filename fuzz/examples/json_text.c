#include "json_text.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 200 }; /* reading a value recurses once for each level */

static const char *skip_space(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) ++at;
  return at;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* Behind one character of UTF-8 (RFC 3629), or NULL. */
static const char *skip_character(const char *at, const char *end) {
  const unsigned char first = (unsigned char)*at;
  const int length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 0 || first > 0xF4 || end - at < length) return NULL;
  for (int i = 1; i < length; ++i) {
    if (((unsigned char)at[i] & 0xC0) != 0x80) return NULL;
  }
  const unsigned char second = length > 1 ? (unsigned char)at[1] : 0;
  if (first == 0xE0 && second < 0xA0) return NULL; /* too long a form */
  if (first == 0xED && second > 0x9F) return NULL; /* a surrogate */
  if (first == 0xF0 && second < 0x90) return NULL;
  if (first == 0xF4 && second > 0x8F) return NULL; /* beyond U+10FFFF */
  return at + length;
}

/* Behind one character of a String, escaped or not; `code` is what it is, or -1 beyond ASCII. */
static const char *skip_unit(const char *at, const char *end, int *code) {
  static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if ((unsigned char)*at < 0x20) return NULL;
  if (*at != '\\') {
    *code = (unsigned char)*at < 0x80 ? *at : -1;
    return skip_character(at, end);
  }
  if (end - at < 2) return NULL;
  if (at[1] != 'u') {
    const char *name = at[1] == '\0' ? NULL : strchr(names, at[1]);
    if (name != NULL) *code = meanings[name - names];
    return name == NULL ? NULL : at + 2;
  }
  if (end - at < 6) return NULL;
  int unit = 0;
  for (int i = 2; i < 6; ++i) {
    const int digit = hex_digit(at[i]);
    if (digit < 0) return NULL;
    unit = unit * 16 + digit;
  }
  *code = unit < 0x80 ? unit : -1;
  return at + 6;
}

static const char *skip_string(const char *at, const char *end) {
  int code = 0;
  for (++at; at != NULL && at < end;) {
    if (*at == '"') return at + 1;
    at = skip_unit(at, end, &code);
  }
  return NULL;
}

static const char *skip_digits(const char *at, const char *end) {
  const char *begin = at;
  while (at < end && *at >= '0' && *at <= '9') ++at;
  return at == begin ? NULL : at;
}

static const char *skip_number(const char *at, const char *end) {
  if (*at == '-') ++at;
  if (at == end) return NULL;
  at = *at == '0' ? at + 1 : skip_digits(at, end);
  if (at != NULL && at < end && *at == '.') at = skip_digits(at + 1, end);
  if (at != NULL && at < end && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at < end && (*at == '+' || *at == '-')) ++at;
    at = skip_digits(at, end);
  }
  return at;
}

static const char *skip_value(const char *at, const char *end, int depth);

static const char *skip_container(const char *at, const char *end, int depth) {
  const bool object = *at == '{';
  const char close = object ? '}' : ']';
  at = skip_space(at + 1, end);
  if (at < end && *at == close) return at + 1;
  while (at != NULL && at < end) {
    if (object) {
      at = *at == '"' ? skip_string(at, end) : NULL;
      at = at == NULL ? NULL : skip_space(at, end);
      if (at == NULL || at == end || *at != ':') return NULL;
      at = skip_space(at + 1, end);
    }
    at = skip_value(at, end, depth + 1);
    at = at == NULL ? NULL : skip_space(at, end);
    if (at == NULL || at == end) return NULL;
    if (*at == close) return at + 1;
    if (*at != ',') return NULL;
    at = skip_space(at + 1, end);
  }
  return NULL;
}

static const char *skip_word(const char *at, const char *end, const char *word) {
  const size_t length = strlen(word);
  return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

static const char *skip_value(const char *at, const char *end, int depth) {
  if (at == end || depth > DEEPEST) return NULL;
  switch (*at) {
    case '{':
    case '[':
      return skip_container(at, end, depth);
    case '"':
      return skip_string(at, end);
    case 't':
      return skip_word(at, end, "true");
    case 'f':
      return skip_word(at, end, "false");
    case 'n':
      return skip_word(at, end, "null");
    default:
      return skip_number(at, end);
  }
}

struct piece json_value(struct piece text) {
  const struct piece none = {NULL, NULL};
  const char *begin = skip_space(text.at, text.end);
  const char *end = skip_value(begin, text.end, 0);
  if (end == NULL || skip_space(end, text.end) != text.end) return none;
  return (struct piece){begin, end};
}

bool json_is_string(struct piece value, const char *text) {
  if (value.at == NULL || *value.at != '"') return false;
  const char *at = value.at + 1;
  while (*at != '"') {
    int code = -1;
    at = skip_unit(at, value.end, &code);
    if (*text == '\0' || code != *text) return false;
    ++text;
  }
  return *text == '\0';
}

/* What follows was held against the grammar before, so that nothing below can fail. */

struct piece json_element(struct piece array, const char **at) {
  const struct piece none = {NULL, NULL};
  const char *begin = skip_space(*at == NULL ? array.at + 1 : *at, array.end);
  if (*begin == ',') begin = skip_space(begin + 1, array.end);
  if (*begin == ']') return none;
  *at = skip_value(begin, array.end, 0);
  return (struct piece){begin, *at};
}

struct piece json_member(struct piece object, const char *name) {
  struct piece found = {NULL, NULL};
  const char *at = skip_space(object.at + 1, object.end);
  while (*at != '}') {
    if (*at == ',') at = skip_space(at + 1, object.end);
    const struct piece key = {at, skip_string(at, object.end)};
    at = skip_space(key.end, object.end);
    at = skip_space(at + 1, object.end); /* behind the colon */
    const struct piece value = {at, skip_value(at, object.end, 0)};
    if (json_is_string(key, name)) found = value;
    at = skip_space(value.end, object.end);
  }
  return found;
}
