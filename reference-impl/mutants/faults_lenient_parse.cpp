// Defects of parsers that take what is not JSON (RFC 8259).
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/utf8.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

/// The text in which each `from` outside of Strings is replaced.
std::string with_token(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size();) {
    if (!in_string && text.substr(at).starts_with(from)) {
      out += to;
      at += from.size();
      continue;
    }
    if (text[at] == '"') in_string = !in_string;
    if (text[at] == '\\' && at + 1 < text.size()) out += text[at++];
    out += text[at++];
  }
  return out;
}

std::string without_comments(std::string_view text) {
  std::string out(text);
  for (std::size_t at = out.find("/*"); at != out.npos; at = out.find("/*", at)) {
    const std::size_t end = out.find("*/", at);
    out.erase(at, end == out.npos ? out.npos : end + 2 - at);
  }
  return out;
}

std::string without_trailing_commas(std::string_view text) {
  return with_token(with_token(text, ",}", "}"), ",]", "]");
}

std::string with_double_quotes(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '\'', '"');
  return out;
}

std::string with_known_words(std::string_view text) {
  std::string out(text);
  for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
    out = with_token(out, word, "0");
  }
  return out;
}

std::string with_plain_numbers(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSpellings = {{
      {"[01]", "[1]"},
      {"[+1]", "[1]"},
      {"[.5]", "[0.5]"},
      {"[1.]", "[1]"},
      {"[1e]", "[1]"},
      {"[0x1]", "[1]"},
  }};
  std::string out(text);
  for (const auto& [from, to] : kSpellings) out = with_token(out, from, to);
  return out;
}

std::string with_quoted_names(std::string_view text) {
  return with_token(text, "{jsonrpc:", "{\"jsonrpc\":");
}

std::string without_control_characters(std::string_view text) {
  std::string out(text);
  std::erase_if(out, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  return out;
}

std::string in_lower_case_literals(std::string_view text) {
  return with_token(with_token(with_token(text, "TRUE", "true"), "FALSE", "false"), "NULL", "null");
}

std::string with_words_quoted(std::string_view text) {
  return with_token(text, "[nothing]", "[\"nothing\"]");
}

std::string with_escapes_dropped(std::string_view text) {
  std::string out(text);
  for (std::size_t at = out.find("\\x"); at != out.npos; at = out.find("\\x", at)) out.erase(at, 1);
  return out;
}

std::string with_wide_spaces(std::string_view text) {
  return with_token(with_token(text, "\xC2\xA0", " "), "\f", " ");
}

/// Brackets that are missing at the end are supplied.
std::string with_end_supplied(std::string_view text) {
  std::string closing;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      closing.insert(closing.begin(), c == '{' ? '}' : ']');
    } else if (!in_string && (c == '}' || c == ']') && !closing.empty()) {
      closing.erase(closing.begin());
    }
  }
  return std::string(text) + (in_string ? "\"" : "") + closing;
}

/// The first value of a text; what follows it is dropped.
std::string first_value(std::string_view text) {
  for (std::size_t end = text.find('}'); end != text.npos; end = text.find('}', end + 1)) {
    if (is_json(text.substr(0, end + 1))) return std::string(text.substr(0, end + 1));
  }
  return std::string(text);
}

bool is_followed_by_value(std::string_view text) {
  return is_json(stripped(text.substr(first_value(text).size())));
}

std::string in_utf8(std::string_view text) {
  std::string out(text);
  while (const auto at = find_invalid_utf8(out)) out[*at] = '?';
  return out;
}

}  // namespace

std::span<const Mutant> lenient_parse_faults() {
  static const Mutant all[] = {
      {"comments-accepted", breaks("json-extensions"), kEverywhere, "Comments are skipped.",
       on_malformed(without_comments)},
      {"trailing-commas-accepted", breaks("json-extensions"), kEverywhere,
       "A comma before a closing bracket is skipped.", on_malformed(without_trailing_commas)},
      {"single-quotes-accepted", breaks("json-extensions"), kEverywhere,
       "Single quotation marks are taken for double ones.", on_malformed(with_double_quotes)},
      {"nan-accepted", breaks("json-extensions"), kEverywhere, "NaN and Infinity are Numbers.",
       on_malformed(with_known_words)},
      {"number-spellings-accepted", breaks("json-extensions"), kEverywhere,
       "Numbers are taken that JSON does not know: 01, +1, .5, 1., 0x1.",
       on_malformed(with_plain_numbers)},
      {"unquoted-names-accepted", breaks("json-extensions"), kEverywhere,
       "Names of members need no quotation marks.", on_malformed(with_quoted_names)},
      {"control-characters-accepted", breaks("json-extensions"), kEverywhere,
       "Control characters in Strings are skipped.", on_malformed(without_control_characters)},
      {"literals-folded", breaks("json-extensions"), kEverywhere, "TRUE is taken for true.",
       on_malformed(in_lower_case_literals)},
      {"bare-words-accepted", breaks("json-extensions"), kEverywhere,
       "A bare word is taken for a String.", on_malformed(with_words_quoted)},
      {"unknown-escapes-accepted", breaks("json-extensions"), kEverywhere,
       "The backslash of an unknown escape is skipped.", on_malformed(with_escapes_dropped)},
      {"wide-spaces-accepted", breaks("json-extensions"), kEverywhere,
       "The no-break space and the form feed are white space.", on_malformed(with_wide_spaces)},
      {"truncated-text-completed",
       breaks("json-invalid")
           .perhaps("bat-parse-error", "err-code-parse", "http-keep-alive", "id-null-undetectable",
                    "rob-depth"),
       kEverywhere, "Quotation marks and brackets that are missing at the end are supplied.",
       on_malformed(with_end_supplied)},
      {"trailing-garbage-dropped", breaks("json-trailing"), kEverywhere,
       "What follows a value is dropped unless it is a value.",
       on_malformed([](std::string_view text) {
         return is_followed_by_value(text) ? std::string(text) : first_value(text);
       })},
      {"second-value-dropped", breaks("json-trailing"), kEverywhere,
       "A value that follows a value is dropped.", on_malformed([](std::string_view text) {
         return is_followed_by_value(text) ? first_value(text) : std::string(text);
       })},
      {"foreign-bytes-accepted", breaks("json-utf8").perhaps("json-extensions"), kEverywhere,
       "Bytes that are not UTF-8 are taken for question marks.", on_malformed(in_utf8)},
  };
  return all;
}

}  // namespace jrpcheck::reference
