#include "fuzz/exact_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "fuzz/expected_response.hpp"

namespace jrpcheck::fuzz {
namespace {

using corpus::Outcome;
using corpus::ResponsePattern;
using json::Kind;
using json::Value;

constexpr std::array<std::string_view, 4> kMembersOfRequest = {"jsonrpc", "method", "params", "id"};

bool is_member(std::string_view name) { return contains(kMembersOfRequest, name); }

bool is_folded_name(const std::string& name) {
  return !is_member(name) &&
         std::any_of(kMembersOfRequest.begin(), kMembersOfRequest.end(),
                     [&](std::string_view member) { return same_ignoring_case(member, name); });
}

const Value* folded(const Value& object, std::string_view member) {
  for (std::size_t i = 0; i < object.size(); ++i) {
    const std::string& name = object.names()[i];
    if (name != member && same_ignoring_case(name, member)) return &object.children()[i];
  }
  return nullptr;
}

// As loose readers compare names: without the space about them, and whatever their case.
std::string loosely(std::string_view name) {
  const auto begin = name.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return in_lower_case(name.substr(begin, name.find_last_not_of(" \t") - begin + 1));
}

bool is_plain_id(const Value* id) {
  return id != nullptr && (id->is(Kind::string) || id->is(Kind::number));
}

bool is_2_0(const Value& object) {
  const Value* version = object.find("jsonrpc");
  return version != nullptr && version->is(Kind::string) && version->text() == "2.0";
}

Outcome loose(ResponsePattern response, std::string charge, std::string because) {
  Outcome one;
  one.responses.push_back(std::move(response));
  one.verdict = corpus::Verdict::warn;
  one.charge = std::move(charge);
  one.because = std::move(because);
  return one;
}

ResponsePattern answer_to(const Value& id) {
  std::vector<Value> ids;
  ids.push_back(id.clone());
  return response_with(std::move(ids));
}

ResponsePattern result_for(const Value& id) {
  ResponsePattern pattern = answer_to(id);
  pattern.result.emplace();
  return pattern;
}

// Small enough for any reader of numbers, and not what a parameter has that is left out.
std::optional<long long> plain_number(const Value& value) {
  constexpr long long kLargest = 1'000'000;
  if (!value.is(Kind::number)) return std::nullopt;
  const std::string& text = value.text();
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  const bool is_telling = number < -1 || number > 1;
  if (!is_whole || !is_telling || number < -kLargest || number > kLargest) return std::nullopt;
  return number;
}

// What the params are subtracted to by who finds them, and whether all of their names are right.
struct Difference {
  long long value = 0;
  bool is_by_exact_names = true;
};

std::optional<Difference> difference_of(const Value* params) {
  if (params == nullptr || params->size() != 2) return std::nullopt;
  std::array<std::optional<long long>, 2> numbers;
  bool is_exact = true;
  for (std::size_t i = 0; i < params->size(); ++i) {
    std::size_t place = i;
    if (params->is(Kind::object)) {
      const std::string& name = params->names()[i];
      const std::string read = loosely(name);
      if (read != "minuend" && read != "subtrahend") return std::nullopt;
      place = read == "minuend" ? 0 : 1;
      is_exact = is_exact && name == read;
    } else if (!params->is(Kind::array)) {
      return std::nullopt;
    }
    if (numbers.at(place)) return std::nullopt;
    numbers.at(place) = plain_number(params->children()[i]);
  }
  if (!numbers[0] || !numbers[1] || *numbers[0] == *numbers[1]) return std::nullopt;
  return Difference{*numbers[0] - *numbers[1], is_exact};
}

void add_to(std::vector<Outcome>& outcomes, ResponsePattern response, std::string charge,
            std::string because) {
  outcomes.push_back(loose(std::move(response), std::move(charge), std::move(because)));
}

void add_folded_method(const Value& id, std::vector<Outcome>& outcomes) {
  const char* because = "A member in other case is taken for method.";
  constexpr long long kMethodNotFound = -32601;
  add_to(outcomes, result_for(id), "req-members-case", because);
  ResponsePattern unknown = answer_to(id);
  unknown.error = corpus::ErrorPattern{{kMethodNotFound}, {}};
  add_to(outcomes, std::move(unknown), "req-members-case", because);
}

void add_folded_twins(const Value& object, const Value& id, std::vector<Outcome>& outcomes) {
  const char* because = "A member in other case takes the place of the right one.";
  const Value* other_id = folded(object, "id");
  if (is_plain_id(other_id) && !json::equal(*other_id, id)) {
    // A refusal with id null, which any answer may be, is no word of that id.
    ResponsePattern failure = answer_to(*other_id);
    failure.error.emplace();
    add_to(outcomes, std::move(failure), "req-members-case", because);
    add_to(outcomes, result_for(*other_id), "req-members-case", because);
  }
  const bool is_of_unknown = object.find("method")->text().starts_with(kUnknownMethod);
  if (is_of_unknown && folded(object, "method") != nullptr) {
    add_to(outcomes, result_for(id), "req-members-case", because);
  }
}

void add_subtraction(const Value& object, const Value& id, const Traits& traits,
                     std::vector<Outcome>& outcomes) {
  const std::string& method = object.find("method")->text();
  const auto difference = difference_of(object.find("params"));
  if (!difference || traits.subtraction.empty() ||
      loosely(method) != in_lower_case(traits.subtraction)) {
    return;
  }
  const bool is_exact = method == traits.subtraction;
  const bool is_another = !is_exact && contains(traits.methods, method);
  if (is_another || (is_exact && difference->is_by_exact_names)) return;
  ResponsePattern subtracted = result_for(id);
  subtracted.result->equals = Value::number(difference->value);
  add_to(outcomes, std::move(subtracted), is_exact ? "par-named-exact" : "req-method-exact",
         is_exact ? "A parameter whose name is spelled otherwise is taken for the real one."
                  : "A method whose name is spelled otherwise is taken for the real one.");
}

}  // namespace

bool has_folded_member(const Value& object) {
  return std::any_of(object.names().begin(), object.names().end(), is_folded_name);
}

bool has_folded_method(const Value& object) {
  const Value* method = folded(object, "method");
  const auto others = std::count_if(object.names().begin(), object.names().end(), is_folded_name);
  return is_2_0(object) && object.find("method") == nullptr && method != nullptr &&
         method->is(Kind::string) && others == 1 && is_plain_id(object.find("id")) &&
         object.find("result") == nullptr && object.find("error") == nullptr;
}

bool has_folded_twins(const Value& object) {
  const Value* method = object.find("method");
  return has_folded_member(object) && is_2_0(object) && method != nullptr &&
         method->is(Kind::string) && is_plain_id(object.find("id")) &&
         std::all_of(object.names().begin(), object.names().end(), [&](const std::string& name) {
           return !is_folded_name(name) || object.find(in_lower_case(name)) != nullptr;
         });
}

std::vector<Outcome> loose_answers(const Value& object, const Traits& traits) {
  std::vector<Outcome> outcomes;
  const Value* id = object.find("id");
  if (!is_plain_id(id) || !is_2_0(object)) return outcomes;
  if (!has_folded_member(object)) {
    const Value* method = object.find("method");
    if (method != nullptr && method->is(Kind::string)) {
      add_subtraction(object, *id, traits, outcomes);
    }
  } else if (has_folded_method(object)) {
    add_folded_method(*id, outcomes);
  } else if (has_folded_twins(object)) {
    add_folded_twins(object, *id, outcomes);
  }
  return outcomes;
}

}  // namespace jrpcheck::fuzz
