/* Just enough JSON for handler.c: finds where values begin and end, and refuses what is no JSON. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of a text; `at` is NULL where there is none. */
struct piece {
  const char* at;
  const char* end;
};

/* The one value that the whole text holds, without the white space around it. */
struct piece json_value(struct piece text);

/* The value of the last member of that name, which is ASCII, in an Object. */
struct piece json_member(struct piece object, const char* name);

/* The next element of an Array: first with *at == NULL, then as the call before left it. */
struct piece json_element(struct piece array, const char** at);

/* Whether the value is a String of exactly this text, which is ASCII, however it is escaped. */
bool json_is_string(struct piece value, const char* text);

#endif
