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

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

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

std::string counted(const std::shared_ptr<std::atomic<int>>& counter) {
  return std::to_string(++*counter);
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

constexpr Deviation kIdFaults[] = {
    {"id-null-is-absent", "id-null-request", kEverywhere,
     "A call with id null is taken for a Notification.", [] { return deaf_to_ids({"null"}); }},
    {"id-zero-is-absent", "id-zero-and-empty", kEverywhere,
     "A call with id 0 is taken for a Notification.",
     [] {
       return deaf_to_ids({"0", "-0"});
     }},
    {"id-empty-string-is-absent", "id-zero-and-empty", kEverywhere,
     "A call with an empty String as id is taken for a Notification.",
     [] { return deaf_to_ids({"\"\""}); }},
    {"id-minus-one-is-absent", "res-always", kEverywhere,
     "A call with id -1, the server's own sign for none, is taken for a Notification.",
     [] { return deaf_to_ids({"-1"}); }},
    {"id-of-wrong-type-is-absent", "req-id-type", kEverywhere,
     "A call whose id is true, false, an Array or an Object is taken for a Notification.",
     [] {
       return on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
         return has_bad_id(element) ? std::nullopt : proper(element.text);
       });
     }},
    {"id-of-wrong-type-executed", "req-id-type", kEverywhere,
     "A call whose id is of no legal type is carried out and answered with id null.",
     [] {
       return on_element([](const ElementText& element, const ProperReply& proper) {
         return executed_with_id(element, proper, "null");
       });
     }},
    {"id-of-wrong-type-echoed", "req-id-type", kEverywhere,
     "A call whose id is of no legal type is refused with that id.",
     [] {
       return on_element([](const ElementText& element, const ProperReply& proper) {
         Reply reply = proper(element.text);
         return has_bad_id(element) ? with_id(reply, *element.object->find("id")) : reply;
       });
     }},
    {"id-through-int32", "id-echo,(id-large)", kEverywhere, "Number ids wrap at 32 bits.",
     [] { return on_id(through_int32); }},
    {"id-through-double", "id-large", kEverywhere, "Number ids beyond 2^53 are rounded.",
     [] { return on_id(through_double); }},
    {"id-fraction-truncated", "id-fraction", kEverywhere, "The fraction of a Number id is lost.",
     [] { return on_id(without_fraction); }},
    {"id-number-to-string", "id-echo,(id-invalid-request)", kEverywhere,
     "A Number id comes back as a String.",
     [] { return on_id([](const std::string& id) { return is_string(id) ? id : encoded(id); }); }},
    {"id-large-to-string", "id-echo", kEverywhere,
     "A Number id beyond 2^53-1 comes back as a String.",
     [] {
       return on_id(
           [](const std::string& id) { return is_beyond_safe_integers(id) ? encoded(id) : id; });
     }},
    {"id-string-to-number", "id-echo,(res-always)", kEverywhere,
     "A String id made of digits comes back as a Number.", [] { return on_id(number_of_digits); }},
    {"id-sign-lost", "id-echo", kEverywhere, "A negative id loses its sign.",
     [] {
       return on_id([](const std::string& id) { return id.starts_with('-') ? id.substr(1) : id; });
     }},
    {"id-lost-on-error", "id-echo,(bat-large)", kEverywhere,
     "An error of a method comes back with id null, though the id was readable.",
     [] {
       return on_error([](ObjectText& response, ObjectText& error) {
         if (!error.is("code", "-32600")) response.set("id", "null");
       });
     }},
    {"id-lost-on-invalid-params", "id-echo,(id-fraction),(id-string-exact),(id-zero-and-empty)",
     kEverywhere, "The error that says that params are invalid comes back with id null.",
     [] {
       return on_error_of(-32602,
                          [](ObjectText& response, ObjectText&) { response.set("id", "null"); });
     }},
    {"id-lost-on-application-error",
     "id-echo,(id-fraction),(id-large),(id-string-exact),(id-zero-and-empty)", kEverywhere,
     "A method that fails is answered with id null.",
     [] {
       return on_error_of(1000,
                          [](ObjectText& response, ObjectText&) { response.set("id", "null"); });
     }},
    {"id-exponent-lost", "id-echo", kEverywhere,
     "The exponent of a Number id is lost, as of text read by a parser of integers.",
     [] {
       return on_id([](const std::string& id) {
         return is_string(id) ? id : id.substr(0, id.find_first_of("eE"));
       });
     }},
    {"id-counted",
     "id-echo,(bat-duplicate-ids),(id-fraction),(id-large),(id-null-request),(id-string-exact),(id-"
     "zero-and-empty),(rob-concurrent)",
     kEverywhere, "Successful calls are answered with a counter of the server's own as id.",
     [] {
       const auto counter = std::make_shared<std::atomic<int>>();
       return on_success([counter](ObjectText& response) { response.set("id", counted(counter)); });
     }},
    {"id-of-the-reply-before",
     "id-echo,(id-*),(bat-*),(req-*),(par-positional),(rob-concurrent),(json-escapes),(ntf-silent-"
     "in-batch),(res-always)",
     kEverywhere, "A reply carries the id of the reply before it.",
     [] {
       const auto previous = std::make_shared<PreviousId>();
       return on_id([previous](const std::string& id) { return previous->exchange(id); });
     }},
    {"id-quoted-twice-on-error", "res-json", kEverywhere,
     "A String id is put into quotation marks twice when a method is not found.",
     [] {
       return on_error_of(-32601, [](ObjectText& response, ObjectText&) {
         const std::string id = *response.find("id");
         if (is_string(id)) response.set("id", "\"" + id + "\"");
       });
     }},
    {"id-missing-on-error", "res-id-present", kEverywhere, "Error Responses have no id member.",
     [] { return on_error([](ObjectText& response, ObjectText&) { response.remove("id"); }); }},
    {"id-missing-on-parse-error", "res-id-present", kEverywhere,
     "The reply to what is not JSON has no id member.",
     [] {
       return on_error_of(-32700, [](ObjectText& response, ObjectText&) { response.remove("id"); });
     }},
    {"id-zero-on-parse-error", "id-null-undetectable,(err-code-parse),(json-utf8),(rob-depth)",
     kEverywhere, "The reply to what is not JSON has id 0.",
     [] {
       return on_error_of(-32700,
                          [](ObjectText& response, ObjectText&) { response.set("id", "0"); });
     }},
    {"id-text-null-on-parse-error", "id-null-undetectable", kEverywhere,
     "The reply to what is not JSON has the String \"null\" as id.",
     [] {
       return on_error_of(
           -32700, [](ObjectText& response, ObjectText&) { response.set("id", "\"null\""); });
     }},
    {"id-sentinel-for-non-objects", "id-null-undetectable,(bat-invalid-member),(bat-nested)",
     kEverywhere, "What is JSON but no Object is refused with the id \"server-error\".",
     [] {
       return on_element([](const ElementText& element, const ProperReply& proper) {
         Reply reply = proper(element.text);
         return element.object ? reply : with_id(reply, "\"server-error\"");
       });
     }},
    {"id-third-value-on-invalid-request", "id-invalid-request,(req-version-missing)", kEverywhere,
     "An invalid Request is refused with an id that is neither null nor its own.",
     [] {
       return on_error_of(-32600, [](ObjectText& response, ObjectText&) {
         if (!response.is("id", "null")) response.set("id", "-1");
       });
     }},
};

}  // namespace

std::span<const Deviation> id_faults() { return kIdFaults; }

}  // namespace jrpcheck::reference
