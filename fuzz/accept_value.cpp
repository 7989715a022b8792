#include "fuzz/accept_value.hpp"

#include <algorithm>
#include <utility>

namespace jrpcheck::fuzz {
namespace {

using corpus::Outcome;
using corpus::ResponsePattern;
using json::Kind;
using json::Value;
using Shape = Outcome::Shape;

constexpr std::size_t kMostOutcomes = 64;

// {"parts": [...]} gives an id by its text, so that its number token stays.
Value id_value(const corpus::IdPattern& pattern) {
  const auto literal = [](const Value& id) {
    Value one = Value::object();
    one.append("literal", id.clone());
    return id.is(Kind::object) ? std::move(one) : id.clone();
  };
  if (pattern.any_of.size() == 1) return literal(pattern.any_of.front());
  Value list = Value::array();
  for (const auto& id : pattern.any_of) list.append(literal(id));
  Value value = Value::object();
  value.append("any-of", std::move(list));
  return value;
}

Value any() {
  Value value = Value::object();
  value.append("any", Value::boolean(true));
  return value;
}

Value error_value(const corpus::ErrorPattern& pattern) {
  if (pattern.codes.empty()) return any();
  Value value = Value::object();
  if (pattern.codes.size() == 1) {
    value.append("code", Value::number(pattern.codes.front()));
    return value;
  }
  Value codes = Value::array();
  for (const long long code : pattern.codes) codes.append(Value::number(code));
  value.append("code", std::move(codes));
  return value;
}

// What may be answered in either way may be refused too, with the id that JSON-RPC 2.0 §5 wants
// then.
bool may_be_refused(const Outcome& outcome) {
  if (outcome.shape != Shape::response) return false;
  const ResponsePattern& due = outcome.responses.front();
  if (due.error || due.result) return false;
  const auto& ids = due.id.any_of;
  return std::none_of(ids.begin(), ids.end(), [](const Value& id) { return id.is(Kind::null); });
}

Value refusal_value() {
  corpus::ResponsePattern pattern;
  pattern.error = corpus::ErrorPattern{{-32600}, {}};
  pattern.id.any_of.push_back(Value::null());
  Value value = Value::object();
  value.append("response", response_value(pattern, false));
  return value;
}

// Bit i of `results` says whether the i-th Response that may be either is a result.
Value outcome_value(const Outcome& outcome, std::size_t results) {
  Value value = Value::object();
  Value responses = Value::array();
  for (const auto& each : outcome.responses) {
    responses.append(response_value(each, (results & 1U) != 0));
    if (!each.error) results >>= 1U;
  }
  const std::string name(corpus::name_of(outcome.shape));
  if (outcome.shape == Shape::response) {
    value.append(name, std::move(responses.children().front()));
  } else if (outcome.shape == Shape::batch) {
    value.append(name, std::move(responses));
  } else {
    value.append(name, Value::boolean(true));
  }
  if (outcome.verdict != corpus::Verdict::pass) {
    value.append("verdict", Value::string(std::string(corpus::name_of(outcome.verdict))));
    value.append("charge", Value::string(outcome.charge));
    value.append("because", Value::string(outcome.because));
  }
  return value;
}

}  // namespace

Value response_value(const ResponsePattern& pattern, bool as_result) {
  Value value = Value::object();
  if (pattern.error) {
    value.append("error", error_value(*pattern.error));
  } else {
    value.append(as_result ? "result" : "error", any());
  }
  value.append("id", id_value(pattern.id));
  return value;
}

Result<Value> outcomes_value(const corpus::Step& step) {
  Value list = Value::array();
  for (const auto& outcome : step.accept) {
    const auto either = std::count_if(outcome.responses.begin(), outcome.responses.end(),
                                      [](const ResponsePattern& each) { return !each.error; });
    const std::size_t ways =
        either > 6 ? kMostOutcomes + 1 : std::size_t{1} << static_cast<unsigned>(either);
    if (list.size() + ways > kMostOutcomes) {
      return Error{
          "there are too many right answers to write them into a case: reduce the message"};
    }
    for (std::size_t i = 0; i < ways; ++i) list.append(outcome_value(outcome, i));
    if (may_be_refused(outcome)) list.append(refusal_value());
  }
  return list;
}

}  // namespace jrpcheck::fuzz
