// Defects in how String ids are carried: they come back code point for code point
// (JSON-RPC 2.0 §5).
#include <algorithm>
#include <string>
#include <string_view>

#include "base/letter_case.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kShortId = 255;

std::string trimmed_id(const std::string& value) {
  const std::size_t begin = std::min(value.find_first_not_of(' '), value.size());
  return value.substr(begin, value.find_last_not_of(' ') + 1 - begin);
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

std::string in_ascii(const std::string& value) {
  std::string out;
  for (const char c : value) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (!continues) out += is_ascii(c) ? c : '?';
  }
  return out;
}

/// The characters that Latin-1 has, as its bytes: what a server writes that forgot UTF-8.
std::string in_latin1(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    if ((lead == 0xC2U || lead == 0xC3U) && at + 1 < text.size()) {
      const auto next = static_cast<unsigned char>(text[++at]);
      out += static_cast<char>(((lead & 0x03U) << 6U) | (next & 0x3FU));
    } else {
      out += text[at];
    }
  }
  return out;
}

/// The same, of a text that has no other characters.
std::string in_latin1_where_possible(const std::string& text) {
  const bool is_possible = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0xC4U;  // begins no character beyond U+00FF
  });
  return is_possible ? in_latin1(text) : text;
}

/// Characters beyond U+FFFF as two surrogates of three bytes each (CESU-8), which is not UTF-8.
std::string with_surrogate_bytes(const std::string& text) {
  std::string out;
  const auto add = [&out](unsigned unit) {
    out += static_cast<char>(0xE0U | (unit >> 12U));
    out += static_cast<char>(0x80U | ((unit >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (unit & 0x3FU));
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xF8U) != 0xF0U || at + 3 >= text.size()) {
      out += text[at];
      continue;
    }
    unsigned point = static_cast<unsigned char>(text[at]) & 0x07U;
    for (int i = 0; i < 3; ++i)
      point = (point << 6U) | (static_cast<unsigned char>(text[++at]) & 0x3FU);
    add(0xD800U + ((point - 0x10000U) >> 10U));
    add(0xDC00U + ((point - 0x10000U) & 0x3FFU));
  }
  return out;
}

/// A date as many libraries print it once they have read it as one.
std::string with_date_rewritten(const std::string& value) {
  constexpr std::string_view kForm = "0000-00-00T";
  const bool is_date = value.size() >= kForm.size() &&
                       std::equal(kForm.begin(), kForm.end(), value.begin(), [](char form, char c) {
                         return form == '0' ? c >= '0' && c <= '9' : c == form;
                       });
  return is_date ? replaced(value, "T", " ") : value;
}

std::string as_markup(const std::string& value) {
  return replaced(replaced(value, "&", "&amp;"), "<", "&lt;");
}

std::string unescaped(const std::string& id) {
  return is_string(id) ? "\"" + decoded(id) + "\"" : id;
}

std::string escaped_again(const std::string& id) {
  return is_string(id) ? encoded(id.substr(1, id.size() - 2)) : id;
}

}  // namespace

std::span<const Mutant> string_id_faults() {
  static const Mutant all[] = {
      {"id-string-trimmed", breaks("id-string-exact"), kEverywhere,
       "String ids lose the spaces around them.", on_string_id(trimmed_id)},
      {"id-string-in-lower-case", breaks("id-string-exact"), kEverywhere,
       "String ids come back in lower case.", on_string_id(in_lower_case)},
      {"id-string-cut", breaks("id-string-exact"), kEverywhere,
       "String ids are cut after 255 bytes.",
       on_string_id([](const std::string& value) { return value.substr(0, kShortId); })},
      {"id-string-ends-at-nul", breaks("id-string-exact"), kEverywhere, "String ids end at U+0000.",
       on_string_id([](const std::string& value) { return value.substr(0, value.find('\0')); })},
      {"id-string-in-ascii",
       breaks("id-string-exact").perhaps("json-escapes", "lsp-length", "rob-split"), kEverywhere,
       "Characters of String ids that are not ASCII become question marks.",
       on_string_id(in_ascii)},
      {"id-string-composed", breaks("id-string-exact"), kEverywhere,
       "String ids are normalised: e and U+0301 become U+00E9.",
       on_string_id(
           [](const std::string& value) { return replaced(value, "e\xCC\x81", "\xC3\xA9"); })},
      {"id-string-noncharacters-dropped", breaks("id-string-exact"), kEverywhere,
       "String ids lose U+FFFE and U+FFFF.", on_string_id([](const std::string& value) {
         return replaced(replaced(value, "\xEF\xBF\xBE", ""), "\xEF\xBF\xBF", "");
       })},
      {"id-string-date-rewritten", breaks("id-string-exact"), kEverywhere,
       "String ids that spell a date are read as one, and printed in another way.",
       on_string_id(with_date_rewritten)},
      {"id-string-as-markup", breaks("id-string-exact").perhaps("json-escapes", "tcp-strings"),
       kEverywhere, "Characters of String ids that markup reserves become entities.",
       on_string_id(as_markup)},
      {"id-string-as-markup-on-success", breaks("id-string-exact"), kEverywhere,
       "Characters of String ids that markup reserves become entities in Responses with a result.",
       success([](ObjectText& response) {
         const std::string* id = response.find("id");
         if (id != nullptr && is_string(*id)) response.set("id", encoded(as_markup(decoded(*id))));
       })},
      {"id-string-ends-at-line-separator", breaks("id-string-exact").perhaps("sse-event-json"),
       kEverywhere, "String ids end at U+2028.", on_string_id([](const std::string& value) {
         return value.substr(0, value.find("\xE2\x80\xA8"));
       })},
      {"id-string-escaped-again",
       breaks("id-string-exact")
           .perhaps("json-escapes", "std-one-line", "tcp-line-delimiter", "tcp-strings"),
       kEverywhere, "The escapes of a String id are escaped once more.", on_id(escaped_again)},
      {"id-string-unescaped",
       breaks("res-json")
           .perhaps("std-clean", "std-one-line", "tcp-framing", "tcp-line-delimiter", "tcp-strings",
                    "id-string-exact"),
       kEverywhere, "String ids are written without escapes, so that quotation marks end them.",
       on_id(unescaped)},
      {"id-string-in-latin-1", breaks("res-json"), kEverywhere,
       "Non-ASCII characters of String ids are written in Latin-1.", on_id(in_latin1)},
      {"id-string-in-latin-1-where-possible", breaks("res-json"), kEverywhere,
       "String ids are written in Latin-1 where it has all their characters.",
       on_id(in_latin1_where_possible)},
      {"id-string-in-cesu-8", breaks("res-json"), kEverywhere,
       "Characters of String ids beyond U+FFFF are written as two surrogates.",
       on_id(with_surrogate_bytes)},
  };
  return all;
}

}  // namespace jrpcheck::reference
