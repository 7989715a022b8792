// Deep faults in how a Request is spelled and what stands beside it, as real servers had them.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/deep.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kArgumentsOfATable = 8;
constexpr unsigned char kFirstBehindControls = 0x20;

/// What an integer of 32 bits with a sign makes of one that needs all of them without.
std::optional<std::string> wrapped_at_31_bits(const std::string& id) {
  constexpr std::size_t kDigits = 10;
  constexpr std::uint64_t kSign = 1ULL << 31U;
  const bool is_long_integer =
      id.size() == kDigits &&
      std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!is_long_integer) return std::nullopt;
  const std::uint64_t value = std::stoull(id);
  if (value < kSign || value > UINT32_MAX) return std::nullopt;
  return std::to_string(static_cast<std::int32_t>(value));
}

/// Whether a Number in a JSON text is written like 1E+2.
bool has_capital_exponent_with_sign(std::string_view text) {
  bool in_text = false;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '"') in_text = !in_text;
    if (in_text && text[at] == '\\') ++at;
    if (!in_text && text.substr(at, 2) == "E+") return true;
  }
  return false;
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < kFirstBehindControls; });
}

Reply refusing_the_exponent(std::string_view message, const ProperReply& proper) {
  if (!is_json(message) || !has_capital_exponent_with_sign(message)) return proper(message);
  return error_text(-32700, "Parse error");
}

/// A batch is answered as if it ended with the first Object without members.
Reply ending_at_an_empty_object(std::string_view message, const ProperReply& proper) {
  const Elements elements = elements_in(message);
  const auto empty = std::find_if(elements.begin(), elements.end(), [](const ElementText& each) {
    return each.object && each.object->members.empty();
  });
  if (empty == elements.end() || !is_array(message)) return proper(message);
  std::vector<std::string> served;
  for (auto each = elements.begin(); each <= empty; ++each) served.push_back(each->text);
  return proper(array_of(served));
}

}  // namespace

std::span<const Mutant> deep_faults_in_requests() {
  static const Mutant all[] = {
      {"deep-capital-exponent-with-sign", breaks("err-code-invalid").wherever_it_strikes(), kLines,
       "A parser of its own takes a message with a Number such as 1E+2 for no JSON.",
       Behaviour{.reply = refusing_the_exponent}},
      {"deep-ninth-argument", breaks("err-code-invalid").wherever_it_strikes(), kLines,
       "A parser with a table of fixed size takes a call with more than eight arguments for no "
       "JSON.",
       when(
           [](const Seat& seat) {
             const auto arguments = seat.positional();
             return seat.is_call() && arguments && arguments->size() > kArgumentsOfATable;
           },
           [](const Seat&, const Reply&) { return Reply(error_text(-32700, "Parse error")); })},
      {"deep-id-without-sign-in-batch", breaks("id-echo").wherever_it_strikes(), kLines,
       "An integer of 32 bits overflows: in a batch ids from 2147483648 to 4294967295 become "
       "negative.",
       when(
           [](const Seat& seat) {
             return seat.in_batch && seat.is_call() && wrapped_at_31_bits(seat.id()).has_value();
           },
           [](const Seat& seat, const Reply& proper) {
             return with_id_text(proper, *wrapped_at_31_bits(seat.id()));
           })},
      {"deep-behind-an-empty-object", breaks("bat-each").wherever_it_strikes(), kLines,
       "A loop ends too early: what follows an empty Object in a batch is not answered.",
       Behaviour{.reply = ending_at_an_empty_object}},
      {"deep-id-searched-as-text", breaks("ntf-silent").wherever_it_strikes(), kLines,
       "The id is searched for as text: a Notification with \"id\" anywhere in it is answered.",
       when(
           [](const Seat& seat) {
             return seat.is_notification() &&
                    seat.element.text.find(R"("id")") != std::string::npos;
           },
           answered_all_the_same)},
      {"deep-control-character-in-method", breaks("res-json").wherever_it_strikes(), kLines,
       "The error path does not escape: an unknown method with a control character in its name is "
       "quoted as it is.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && has_control_character(seat.element.method());
           },
           [](const Seat& seat, const Reply& proper) {
             const std::string message = "\"Method not found: " + seat.element.method() + "\"";
             return with_error(proper, set("message", message));
           })},
  };
  return all;
}

}  // namespace jrpcheck::reference
