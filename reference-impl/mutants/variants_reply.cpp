// Legal ways of writing replies that differ from the usual ones.
#include <poll.h>

#include <algorithm>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr int kSlowMs = 20;
constexpr std::size_t kMostCallsServed = 100;

/// What `text` becomes when each character within a String passes through `inside`, and each
/// outside of one through `outside`. Escapes are left as they are.
std::string respelled(std::string_view text, std::string (*inside)(char),
                      std::string (*outside)(char)) {
  std::string out;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      const std::size_t size = text.substr(at).starts_with("\\u") ? 6 : 2;
      out.append(text.substr(at, size));
      at += size - 1;
    } else if (c == '"') {
      in_string = !in_string;
      out += c;
    } else {
      out += in_string ? inside(c) : outside(c);
    }
  }
  return out;
}

std::string as_it_is(char c) { return {c}; }

std::string with_spaces(char c) {
  const bool is_mark = c == ',' || c == ':' || c == '{' || c == '}' || c == '[' || c == ']';
  return is_mark ? std::string(" \t") + c + "  " : std::string(1, c);
}

std::string with_line_breaks(char c) {
  if (c == ',' || c == '{' || c == '[') return std::string(1, c) + "\r\n    ";
  if (c == '}' || c == ']') return std::string("\n") + c;
  return c == ':' ? " : " : std::string(1, c);
}

std::string as_escape(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x80) return {c};
  return std::string("\\u00") + kDigits[byte >> 4U] + kDigits[byte & 0x0FU];
}

std::string with_solidus_escaped(char c) { return c == '/' ? "\\/" : std::string(1, c); }

Behaviour writing(std::string (*inside)(char), std::string (*outside)(char)) {
  return on_reply(
      [=](const std::string& reply) -> Reply { return respelled(reply, inside, outside); });
}

/// Characters that are not ASCII become escapes, in pairs of surrogates where that is due.
std::string unicode_escape(unsigned unit) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out = "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kDigits[(unit >> shift) & 0x0FU];
  return out;
}

std::string escaped(unsigned point) {
  if (point < 0x10000U) return unicode_escape(point);
  const unsigned offset = point - 0x10000U;
  return unicode_escape(0xD800U + (offset >> 10U)) + unicode_escape(0xDC00U + (offset & 0x3FFU));
}

/// How many bytes the UTF-8 sequence has that begins with `lead`.
std::size_t size_of_sequence(unsigned char lead) {
  if (lead < 0x80U) return 1;
  if (lead < 0xE0U) return 2;
  return lead < 0xF0U ? 3 : 4;
}

std::string escaped_to_ascii(std::string_view text) {
  std::string out;
  for (std::size_t at = 0, size = 0; at < text.size(); at += size) {
    const auto lead = static_cast<unsigned char>(text[at]);
    size = size_of_sequence(lead);
    unsigned point = lead & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
      point = (point << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    }
    out += size == 1 ? std::string(1, text[at]) : escaped(point);
  }
  return out;
}

/// Whole Numbers that stay exact in a double get a fraction of zero: the value is the same.
std::string with_zero_fraction(const std::string& number) {
  const bool is_plain = !number.empty() && number.size() < 16 &&
                        number.find_first_not_of("-0123456789") == number.npos;
  return is_plain ? number + ".0" : number;
}

Reply refusing_one_by_one_after_a_hundred(const std::string& reply) {
  if (!is_array(reply)) return reply;
  std::vector<std::string> responses = elements_of(reply);
  for (std::size_t at = kMostCallsServed; at < responses.size(); ++at) {
    responses[at] =
        error_text(-32005, "The batch is too long", *object_of(responses[at])->find("id"));
  }
  return array_of(responses);
}

void reverse(ObjectText& object) { std::reverse(object.members.begin(), object.members.end()); }

void respell_result(ObjectText& response) {
  response.set("result", with_zero_fraction(*response.find("result")));
}

}  // namespace

std::span<const Mutant> reply_variants() {
  static const Mutant all[] = {
      {"batch-reversed", kLegal, kEverywhere, "The Responses of a batch come in reverse order.",
       on_reply([](const std::string& reply) -> Reply {
         if (!is_array(reply)) return reply;
         std::vector<std::string> responses = elements_of(reply);
         std::reverse(responses.begin(), responses.end());
         return array_of(responses);
       })},
      {"batch-refused-after-a-hundred", kLegal, kEverywhere,
       "Calls of a batch after the hundredth are each refused -32005.",
       on_reply(refusing_one_by_one_after_a_hundred)},
      {"members-reversed", kLegal, kEverywhere, "The members of Responses come in reverse order.",
       response(reverse)},
      {"error-members-reversed", kLegal, kEverywhere, "message comes before code.",
       error_object(reverse)},
      {"reply-spaced", kLegal, kEverywhere, "There are spaces and tabs between all tokens.",
       writing(as_it_is, with_spaces)},
      {"reply-pretty-printed", kLegal, kMarked, "Replies are spread over several lines.",
       writing(as_it_is, with_line_breaks)},
      {"reply-in-white-space", kLegal, kEverywhere, "White space stands around replies.",
       on_reply([](const std::string& reply) { return " \t" + reply + "\t "; })},
      {"strings-escaped", kLegal, kEverywhere,
       "Every ASCII character of a String is written as an escape, names of members included.",
       writing(as_escape, as_it_is)},
      {"strings-in-ascii", kLegal, kEverywhere,
       "Characters that are not ASCII are written as escapes.",
       on_reply([](const std::string& reply) { return escaped_to_ascii(reply); })},
      {"solidus-escaped", kLegal, kEverywhere, "The solidus is written as an escape.",
       writing(with_solidus_escaped, as_it_is)},
      {"empty-objects-as-arrays", kLegal, kEverywhere,
       "Empty Objects among the elements of a result become empty Arrays, where one type stands "
       "for both.",
       on_reply([](const std::string& reply) -> Reply { return replaced(reply, ",{}", ",[]"); })},
      {"error-data-always", kLegal, kEverywhere, "Every error has data.",
       error_object(set("data", R"({"hint":"look into the log","codes":[1,2.5,null]})"))},
      {"error-data-null", kLegal, kEverywhere, "Every error has data of null.",
       error_object(set("data", "null"))},
      {"error-message-empty", kLegal, kEverywhere, "The message of errors is empty.",
       error_object(set("message", encoded("")))},
      {"error-message-in-russian", kLegal, kEverywhere, "The message of errors is not in English.",
       error_object(set("message", encoded("Ошибка: запрос не выполнен")))},
      {"error-extra-member", kLegal, kEverywhere, "Error objects have a member beyond the three.",
       error_object(add("retry", "false"))},
      {"reply-extra-member", kLegal, kEverywhere, "Responses have a member beyond the four.",
       response(add("took", "0.25"))},
      {"id-respelled", kLegal, kEverywhere, "A whole Number id comes back with a fraction of zero.",
       on_id(with_zero_fraction)},
      {"result-respelled", kLegal, kEverywhere,
       "A whole Number comes back with a fraction of zero.", success(respell_result)},
      {"application-error-internal", kLegal, kEverywhere, "A method that fails is answered -32603.",
       error_object(1000, set("code", "-32603"))},
      {"application-error-of-server", kLegal, kEverywhere,
       "A method that fails is answered -32050.", error_object(1000, set("code", "-32050"))},
      {"slow", kLegal, kEverywhere, "Each reply takes 20 ms.",
       on_reply([](std::string reply) -> Reply {
         ::poll(nullptr, 0, kSlowMs);
         return reply;
       })},
  };
  return all;
}

}  // namespace jrpcheck::reference
