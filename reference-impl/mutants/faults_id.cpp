// Defects in how a Response names its Request (JSON-RPC 2.0 §4, §5): presence, type and Numbers.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/deep.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

/// The whole Number that `token` spells without fraction or exponent, when it fits.
std::optional<std::int64_t> integer_of(const std::string& token) {
  std::int64_t value = 0;
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string through_int32(const std::string& id) {
  const auto value = integer_of(id);
  return value ? std::to_string(static_cast<std::int32_t>(*value)) : id;
}

/// Only integers: a fraction would be another defect.
std::string through_double(const std::string& id) {
  if (is_string(id) || id.find_first_of(".eE") != id.npos || id == "-0") return id;
  const double value = std::strtod(id.c_str(), nullptr);
  if (std::fabs(value) <= 9007199254740992.0) {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  std::string digits(400, '\0');
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                     std::chars_format::fixed, 0);
  digits.resize(static_cast<std::size_t>(written.ptr - digits.data()));
  return digits;
}

std::string infinite(const std::string& id) {
  return !is_string(id) && std::isinf(std::strtod(id.c_str(), nullptr)) ? "Infinity" : id;
}

std::string negative_through_double(const std::string& id) {
  return id.starts_with('-') ? through_double(id) : id;
}

std::string without_fraction(const std::string& id) {
  return is_string(id) ? id : id.substr(0, id.find('.'));
}

bool is_beyond_safe_integers(const std::string& id) {
  return !is_string(id) && std::fabs(std::strtod(id.c_str(), nullptr)) > 9007199254740991.0;
}

std::string number_of_digits(const std::string& id) {
  const std::string value = is_string(id) ? decoded(id) : "";
  const bool is_number = !value.empty() && value.size() < 16 && value.front() != '0' &&
                         value.find_first_not_of("0123456789") == value.npos;
  return is_number ? value : id;
}

/// The Number that a String spells with more than digits, or with many of them.
std::string number_of_text(const std::string& id) {
  constexpr std::size_t kMany = 16;
  const std::string value = is_string(id) ? decoded(id) : "";
  const bool is_other = value.find_first_of(".eE-") != value.npos || value.size() >= kMany;
  const bool is_number = is_other && value.find_first_not_of("0123456789.eE+-") == value.npos &&
                         value.find_first_of("123456789") < 2;
  char* end = nullptr;
  std::strtod(value.c_str(), &end);
  return is_number && *end == '\0' ? value : id;
}

/// As formatted print writes it.
std::string in_six_places(const std::string& id) {
  const bool is_fraction = !is_string(id) && id.find('.') != id.npos;
  return is_fraction ? std::to_string(std::strtod(id.c_str(), nullptr)) : id;
}

std::string without_leading_zeros(const std::string& value) {
  const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
  return is_number ? value.substr(std::min(value.find_first_not_of('0'), value.size() - 1)) : value;
}

/// The literal that a String spells.
std::string literal_of_text(const std::string& id) {
  const std::string value = is_string(id) ? decoded(id) : "";
  return value == "null" || value == "true" || value == "false" ? value : id;
}

/// A call whose id is one of these texts is taken for a Notification.
Behaviour deaf_to_ids(std::initializer_list<const char*> ids) {
  return on_object([ids = std::vector<std::string>(ids.begin(), ids.end())](ObjectText& object) {
    const std::string* id = object.find("id");
    if (id != nullptr && std::find(ids.begin(), ids.end(), *id) != ids.end()) object.remove("id");
  });
}

bool has_bad_id(const ElementText& element) {
  const std::string* id = element.object ? element.object->find("id") : nullptr;
  return id != nullptr && (*id == "true" || *id == "false" || is_array(*id) || object_of(*id));
}

Reply with_id(Reply reply, std::string id) {
  if (!reply) return reply;
  ObjectText response = *object_of(*reply);
  response.set("id", std::move(id));
  return response.text();
}

/// Answers elements whose id is of no legal type as if it were `id`.
Reply executed_with_id(const ElementText& element, const ProperReply& proper, std::string id) {
  if (!has_bad_id(element)) return proper(element.text);
  ObjectText object = *element.object;
  object.set("id", std::move(id));
  return proper(object.text());
}

/// What takes batches apart looks at ids in a place of its own.
Behaviour number_ids_of_batches_through_int32() {
  return when(
      [](const Seat& seat) { return seat.in_batch && seat.is_call() && seat.has_number_id(); },
      [](const Seat& seat, const Reply& proper) {
        return with_id_text(proper, through_int32(seat.id()));
      });
}

/// The same where they are taken for numbers without sign.
Behaviour negative_ids_of_batches_through_uint32() {
  return when(
      [](const Seat& seat) { return seat.in_batch && seat.is_call() && seat.has_number_id(); },
      [](const Seat& seat, const Reply& proper) {
        const auto value = integer_of(seat.id());
        if (!value || *value >= 0) return proper;
        return with_id_text(proper, std::to_string(static_cast<std::uint32_t>(*value)));
      });
}

Behaviour bad_ids_of_batches_echoed() {
  return when([](const Seat& seat) { return seat.in_batch && has_bad_id(seat.element); },
              [](const Seat& seat, const Reply&) {
                return Reply(error_text(-32601, "Method not found", seat.id()));
              });
}

/// Gives each reply the id of the reply before it.
class PreviousId {
 public:
  std::string exchange(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return std::exchange(id_, id);
  }

 private:
  std::mutex mutex_;
  std::string id_ = "0";
};

Behaviour id_counted() {
  const auto counter = std::make_shared<std::atomic<int>>();
  return success([counter](ObjectText& each) { each.set("id", std::to_string(++*counter)); });
}

Behaviour id_of_the_reply_before() {
  const auto previous = std::make_shared<PreviousId>();
  return on_id([previous](const std::string& id) { return previous->exchange(id); });
}

}  // namespace

std::span<const Mutant> id_faults() {
  static const Mutant all[] = {
      {"id-null-is-absent", breaks("id-null-request"), kEverywhere,
       "A call with id null is taken for a Notification.", deaf_to_ids({"null"})},
      {"id-zero-is-absent", breaks("id-zero-and-empty"), kEverywhere,
       "A call with id 0 is taken for a Notification.", deaf_to_ids({"0", "-0"})},
      {"id-empty-string-is-absent", breaks("id-zero-and-empty"), kEverywhere,
       "A call with an empty String as id is taken for a Notification.", deaf_to_ids({"\"\""})},
      {"id-empty-string-refused", breaks("id-zero-and-empty"), kEverywhere,
       "A call with an empty String as id is answered -32603 with id null.",
       answer(
           [](const ElementText& element) {
             return element.object && element.object->is("id", "\"\"");
           },
           [](const ElementText&) -> Reply { return error_text(-32603, "Internal error"); })},
      {"id-blank-string-is-absent", breaks("id-string-exact"), kEverywhere,
       "A call whose id is a String of spaces is taken for a Notification.",
       deaf_to_ids({"\"   \""})},
      {"id-minus-one-is-absent", breaks("res-always").perhaps("bat-each"), kEverywhere,
       "A call with id -1, the server's own sign for none, is taken for a Notification.",
       deaf_to_ids({"-1"})},
      {"id-of-wrong-type-is-absent", breaks("req-id-type"), kEverywhere,
       "A call whose id is true, false, an Array or an Object is taken for a Notification.",
       answer(has_bad_id, silence())},
      {"id-of-wrong-type-executed", breaks("req-id-type"), kEverywhere,
       "A call whose id is of no legal type is carried out and answered with id null.",
       on_element([](const ElementText& element, const ProperReply& proper) {
         return executed_with_id(element, proper, "null");
       })},
      {"id-of-wrong-type-echoed", breaks("req-id-type"), kEverywhere,
       "A call whose id is of no legal type is refused with that id.",
       on_element([](const ElementText& element, const ProperReply& proper) {
         Reply reply = proper(element.text);
         return has_bad_id(element) ? with_id(reply, *element.object->find("id")) : reply;
       })},
      {"id-through-int32", breaks("id-echo").perhaps("id-large"), kEverywhere,
       "Number ids wrap at 32 bits.", on_id(through_int32)},
      {"id-through-double", breaks("id-large"), kEverywhere, "Number ids beyond 2^53 are rounded.",
       on_id(through_double)},
      {"id-negative-through-double", breaks("id-large"), kEverywhere,
       "Negative ids beyond 2^53 are rounded.", on_id(negative_through_double)},
      {"batch-ids-through-int32", breaks("id-echo"), kEverywhere,
       "Number ids wrap at 32 bits in batches.", number_ids_of_batches_through_int32()},
      {"batch-negative-ids-through-uint32", breaks("id-echo"), kEverywhere,
       "Negative ids come back as numbers without sign in batches.",
       negative_ids_of_batches_through_uint32()},
      {"batch-ids-of-wrong-type-echoed", breaks("req-id-type"), kEverywhere,
       "A call of a batch whose id is of no legal type is looked up and answered with that id.",
       bad_ids_of_batches_echoed()},
      {"id-infinite", breaks("res-json"), kEverywhere,
       "A Number id beyond the range of a double comes back as Infinity.", on_id(infinite)},
      {"id-fraction-truncated", breaks("id-fraction"), kEverywhere,
       "The fraction of a Number id is lost.", on_id(without_fraction)},
      {"id-fraction-in-six-places", breaks("id-fraction"), kEverywhere,
       "The fraction of a Number id is rounded to six places.", on_id(in_six_places)},
      {"id-number-to-string", breaks("id-echo").perhaps("id-invalid-request"), kEverywhere,
       "A Number id comes back as a String.",
       on_id([](const std::string& id) { return is_string(id) ? id : encoded(id); })},
      {"id-large-to-string", breaks("id-echo"), kEverywhere,
       "A Number id beyond 2^53-1 comes back as a String.",
       on_id([](const std::string& id) { return is_beyond_safe_integers(id) ? encoded(id) : id; })},
      {"id-string-to-number", breaks("id-echo").perhaps("res-always"), kEverywhere,
       "A String id made of digits comes back as a Number.", on_id(number_of_digits)},
      {"id-string-to-number-of-any-kind", breaks("id-echo"), kEverywhere,
       "A String id that spells a Number with a sign, a fraction, an exponent or many digits comes "
       "back as a Number.",
       on_id(number_of_text)},
      {"id-string-to-literal", breaks("id-echo"), kEverywhere,
       "The Strings \"null\", \"true\" and \"false\" come back as what they spell.",
       on_id(literal_of_text)},
      {"id-leading-zeros-lost", breaks("id-string-exact"), kEverywhere,
       "A String id made of digits loses the zeros before them.",
       on_string_id(without_leading_zeros)},
      {"id-sign-lost", breaks("id-echo").perhaps("id-large", "id-fraction"), kEverywhere,
       "A negative id loses its sign.",
       on_id([](const std::string& id) { return id.starts_with('-') ? id.substr(1) : id; })},
      {"id-lost-on-error", breaks("id-echo").perhaps("bat-large"), kEverywhere,
       "An error of a method comes back with id null, though the id was readable.",
       error(where([](const ObjectText& each) { return code_of(each) != "-32600"; },
                   set("id", "null")))},
      {"id-lost-on-invalid-params",
       breaks("id-echo").perhaps("id-fraction", "id-string-exact", "id-zero-and-empty"),
       kEverywhere, "The error that says that params are invalid comes back with id null.",
       error(-32602, set("id", "null"))},
      {"id-lost-on-application-error",
       breaks("id-echo").perhaps("id-fraction", "id-large", "id-string-exact", "id-zero-and-empty"),
       kEverywhere, "A method that fails is answered with id null.",
       error(1000, set("id", "null"))},
      {"id-exponent-lost", breaks("id-echo").perhaps("id-large"), kEverywhere,
       "The exponent of a Number id is lost, as of text read by a parser of integers.",
       on_id([](const std::string& id) {
         return is_string(id) ? id : id.substr(0, id.find_first_of("eE"));
       })},
      {"id-counted",
       breaks("id-echo").perhaps("bat-duplicate-ids", "id-fraction", "id-large", "id-null-request",
                                 "id-string-exact", "id-zero-and-empty", "rob-concurrent",
                                 "sse-resume-scope"),
       kEverywhereAndTcp, "Successful calls are answered with a counter of the server's own as id.",
       id_counted},
      {"id-of-the-reply-before",
       breaks("id-echo")
           .perhaps("par-positional", "rob-concurrent", "json-escapes", "ntf-silent-in-batch",
                    "res-always")
           .perhaps_any_of("id-", "bat-", "req-"),
       kEverywhere, "A reply carries the id of the reply before it.", id_of_the_reply_before},
      {"id-quoted-twice-on-error", breaks("res-json"), kEverywhere,
       "A String id is put into quotation marks twice when a method is not found.",
       error(-32601,
             where([](const ObjectText& each) { return is_string(*each.find("id")); },
                   [](ObjectText& each) { each.set("id", "\"" + *each.find("id") + "\""); }))},
      {"id-missing-on-error", breaks("res-id-present"), kEverywhere,
       "Error Responses have no id member.", error(remove("id"))},
      {"id-missing-on-parse-error", breaks("res-id-present"), kEverywhere,
       "The reply to what is not JSON has no id member.", error(-32700, remove("id"))},
      {"id-zero-on-parse-error",
       breaks("id-null-undetectable").perhaps("err-code-parse", "json-utf8", "rob-depth"),
       kEverywhere, "The reply to what is not JSON has id 0.", error(-32700, set("id", "0"))},
      {"id-minus-one-on-parse-error", breaks("id-null-undetectable"), kEverywhere,
       "The reply to what is not JSON has the id -1, which calls have as well.",
       error(-32700, set("id", "-1"))},
      {"id-text-null-on-parse-error", breaks("id-null-undetectable"), kEverywhere,
       "The reply to what is not JSON has the String \"null\" as id.",
       error(-32700, set("id", "\"null\""))},
      {"id-sentinel-for-non-objects",
       breaks("id-null-undetectable").perhaps("bat-invalid-member", "bat-nested"), kEverywhere,
       "What is JSON but no Object is refused with the id \"server-error\".",
       on_element([](const ElementText& element, const ProperReply& proper) {
         Reply reply = proper(element.text);
         return element.object ? reply : with_id(reply, "\"server-error\"");
       })},
      {"id-third-value-on-invalid-request",
       breaks("id-invalid-request").perhaps("req-version-missing"), kEverywhere,
       "An invalid Request is refused with an id that is neither null nor its own.",
       error(-32600, where([](const ObjectText& each) { return !each.is("id", "null"); },
                           set("id", "-1")))},
  };
  return all;
}

}  // namespace jrpcheck::reference
