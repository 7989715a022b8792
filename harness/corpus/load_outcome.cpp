#include "base/contains.hpp"
#include "base/names.hpp"
#include "corpus/load_parts.hpp"
#include "corpus/load_step.hpp"
#include "json/parse.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::corpus {
namespace {

using Shape = Outcome::Shape;

IdPattern read_id(const json::Value& value, Complaint& complaint) {
  IdPattern pattern;
  if (!value.is(json::Kind::object)) {
    pattern.any_of.push_back(value.clone());
    return pattern;
  }
  const MemberReader reader(value, complaint, {"any-of", "literal", "parts", "or-none"});
  pattern.or_none = reader.flag("or-none");
  if (value.size() != (pattern.or_none ? 2 : 1)) {
    reader.complain("an id that is an Object has one of any-of, literal and parts");
  }
  if (const json::Value* any_of = reader.find("any-of", json::Kind::array)) {
    if (any_of->size() == 0) complaint.raise(*any_of, "\"any-of\" must name at least one id");
    for (const auto& each : any_of->children()) pattern.any_of.push_back(each.clone());
  } else if (const json::Value* literal = reader.find_any("literal")) {
    pattern.any_of.push_back(literal->clone());
  } else if (const json::Value* parts = reader.find("parts", json::Kind::array)) {
    pattern.any_of.push_back(read_built_value(*parts, complaint));
  }
  return pattern;
}

// `false` would read as if it meant something.
void expect_true(const MemberReader& reader, std::string_view name) {
  if (reader.find_any(name) == nullptr || reader.flag(name)) return;
  reader.complain("\"" + std::string(name) + "\" can only be true");
}

ResultPattern read_result(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(object, complaint,
                            {"equals", "parts", "type", "contains", "any", "at"});
  ResultPattern pattern;
  pattern.at = reader.text("at");
  if (object.size() != (reader.find_any("at") == nullptr ? 1U : 2U)) {
    complaint.raise(object,
                    "result has one of equals, parts, type, contains and any, and maybe at");
  }
  expect_true(reader, "any");
  if (const json::Value* equals = reader.find_any("equals")) pattern.equals = equals->clone();
  if (const json::Value* parts = reader.find("parts", json::Kind::array)) {
    pattern.equals = read_built_value(*parts, complaint);
  }
  if (const json::Value* type = reader.find("type", json::Kind::string)) {
    pattern.type = value_named<json::Kind>(type->text());
    if (!pattern.type) complaint.raise(*type, "unknown JSON type \"" + type->text() + "\"");
  }
  pattern.contains = reader.text("contains");
  return pattern;
}

std::vector<long long> read_codes(const json::Value& value, Complaint& complaint) {
  std::vector<long long> codes;
  const auto add = [&](const json::Value& each) {
    const auto code = to_integer(each);
    if (!code) complaint.raise(each, "an error code is a whole number");
    codes.push_back(code.value_or(0));
  };
  if (value.is(json::Kind::array)) {
    // An empty list would mean any code at all.
    if (value.size() == 0) complaint.raise(value, "a list of codes must not be empty");
    for (const auto& each : value.children()) add(each);
  } else {
    add(value);
  }
  return codes;
}

ErrorPattern read_error(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(object, complaint, {"code", "code-not", "any"});
  ErrorPattern pattern;
  if (object.size() != 1) complaint.raise(object, "error has one of code, code-not and any");
  expect_true(reader, "any");
  if (const json::Value* code = reader.find_any("code")) {
    pattern.codes = read_codes(*code, complaint);
  }
  if (const json::Value* code = reader.find_any("code-not")) {
    pattern.codes_not = read_codes(*code, complaint);
  }
  return pattern;
}

ResponsePattern read_response(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(object, complaint, {"id", "result", "error"});
  ResponsePattern pattern;
  if (const json::Value* id = reader.find_any("id")) {
    pattern.id = read_id(*id, complaint);
  } else {
    reader.complain("a Response pattern says what its \"id\" is");
  }
  const json::Value* result = reader.find("result", json::Kind::object);
  const json::Value* error = reader.find("error", json::Kind::object);
  if (result == nullptr && error == nullptr) {
    reader.complain("a Response pattern has result or error, or both where either may come");
  }
  if (result != nullptr) pattern.result = read_result(*result, complaint);
  if (error != nullptr) pattern.error = read_error(*error, complaint);
  return pattern;
}

// One Response, or one for each number of a range.
void read_responses(const json::Value& element, std::vector<ResponsePattern>& responses,
                    Complaint& complaint) {
  if (element.find("each") == nullptr) {
    responses.push_back(read_response(element, complaint));
    return;
  }
  const MemberReader reader(element, complaint, {"each", "from", "to"});
  const json::Value* each = reader.require("each", json::Kind::object);
  if (each == nullptr) return;
  const NumberRange range = read_number_range(reader);
  const std::string text = json::write(*each);
  for (std::size_t number = range.from; number <= range.to; ++number) {
    const auto parsed = json::parse(numbered(text, number));
    if (parsed) responses.push_back(read_response(*parsed.value, complaint));
  }
}

// One of several messages that is itself an answer to a batch.
void read_array(const json::Value& element, Outcome& outcome, Complaint& complaint) {
  const MemberReader reader(element, complaint, {"batch"});
  const json::Value* list = reader.require("batch", json::Kind::array);
  if (list == nullptr) return;
  if (outcome.array) return reader.complain("one of several messages at most is a \"batch\"");
  outcome.array.emplace();
  for (const auto& each : list->children()) read_responses(each, *outcome.array, complaint);
}

void read_status(const MemberReader& reader, std::string_view name, Outcome& outcome) {
  const json::Value* range = reader.find(name, json::Kind::array);
  const bool pair = range != nullptr && range->size() == 2;
  const auto from = pair ? to_integer(range->children()[0]) : std::nullopt;
  const auto to = pair ? to_integer(range->children()[1]) : std::nullopt;
  if (!from || !to || *from < 100 || *to > 999 || *from > *to) {
    return reader.complain("\"" + std::string(name) +
                           "\" is a pair of numbers from 100 to 999, from and to");
  }
  outcome.status_from = static_cast<int>(*from);
  outcome.status_to = static_cast<int>(*to);
}

void read_close_codes(const json::Value& object, Outcome& outcome, Complaint& complaint) {
  const MemberReader reader(object, complaint, {"code"});
  const json::Value* code = reader.find_any("code");
  if (code == nullptr) return reader.complain("it is true, or says with which \"code\"");
  for (const long long each : read_codes(*code, complaint)) {
    outcome.close_codes.push_back(static_cast<int>(each));
  }
}

void read_list(const json::Value& list, Outcome& outcome, Complaint& complaint) {
  const bool are_several = outcome.shape == Shape::responses;
  for (const auto& each : list.children()) {
    if (are_several && each.find("batch") != nullptr) {
      read_array(each, outcome, complaint);
    } else {
      read_responses(each, outcome.responses, complaint);
    }
  }
  if (outcome.responses.empty() && are_several) {
    complaint.raise(list, "\"responses\" must hold at least one Response");
  }
}

void read_pattern(const MemberReader& reader, Shape shape, std::string_view name, Outcome& outcome,
                  Complaint& complaint) {
  outcome.shape = shape;
  if (shape == Shape::response) {
    if (const json::Value* response = reader.find(name, json::Kind::object)) {
      outcome.responses.push_back(read_response(*response, complaint));
    }
  } else if (shape == Shape::batch || shape == Shape::responses) {
    if (const json::Value* list = reader.find(name, json::Kind::array)) {
      read_list(*list, outcome, complaint);
    }
  } else if (shape == Shape::status ||
             (shape == Shape::refused && reader.find_any(name)->is(json::Kind::array))) {
    read_status(reader, name, outcome);
  } else if ((shape == Shape::closed || shape == Shape::exited) &&
             reader.find_any(name)->is(json::Kind::object)) {
    read_close_codes(*reader.find_any(name), outcome, complaint);
  } else {
    expect_true(reader, name);
  }
}

Verdict read_verdict(const MemberReader& reader) {
  const std::string name = reader.text("verdict");
  const auto known = value_named<Verdict>(name);
  if (!known && !name.empty()) reader.complain("unknown verdict \"" + name + "\"");
  return known.value_or(Verdict::pass);
}

void check_transports(const std::vector<std::string>& names, const MemberReader& reader) {
  for (const auto& name : names) {
    if (wire::binding_named(name) == nullptr) {
      reader.complain("unknown transport \"" + name + "\"");
    }
  }
}

// A binding that is added later is one of those that are not named.
std::vector<std::string> all_transports_except(const std::vector<std::string>& names) {
  std::vector<std::string> others;
  for (const auto& binding : wire::bindings()) {
    if (!contains(names, binding.name)) {
      others.emplace_back(binding.name);
    }
  }
  return others;
}

}  // namespace

std::vector<std::string> read_transports(const MemberReader& reader) {
  auto named = reader.texts("transports");
  check_transports(named, reader);
  const auto excepted = reader.texts("except-transports");
  if (excepted.empty()) return named;
  check_transports(excepted, reader);
  if (!named.empty()) {
    reader.complain("\"transports\" says where it applies, and \"except-transports\" leaves out");
  }
  return all_transports_except(excepted);
}

Outcome read_outcome(const json::Value& object, const std::string& default_charge,
                     Complaint& complaint) {
  const MemberReader reader(
      object, complaint,
      {"response", "batch", "responses", "silence", "refused", "closed", "status", "exited",
       "anything", "verdict", "charge", "because", "observe", "envelope", "transports",
       "except-transports", "tells-nothing"});
  Outcome outcome;
  int patterns = 0;
  for (const auto& name : object.names()) {
    const auto shape = value_named<Shape>(name);
    if (!shape) continue;
    ++patterns;
    read_pattern(reader, *shape, name, outcome, complaint);
  }
  if (patterns != 1) reader.complain("an outcome has exactly one pattern");
  outcome.verdict = read_verdict(reader);
  outcome.charge = reader.find_any("charge") != nullptr ? reader.text("charge") : default_charge;
  outcome.because = reader.text("because");
  if (outcome.verdict != Verdict::pass && outcome.because.empty()) {
    reader.complain("a warn or fail says \"because\" of what");
  }
  if (outcome.verdict == Verdict::pass &&
      (reader.find_any("charge") != nullptr || reader.find_any("because") != nullptr)) {
    reader.complain("\"charge\" and \"because\" stand beside a verdict of warn or fail");
  }
  outcome.observe = reader.text("observe");
  outcome.tells_nothing = reader.text("tells-nothing");
  if (!outcome.tells_nothing.empty() &&
      (outcome.verdict != Verdict::pass || !outcome.observe.empty())) {
    reader.complain("what \"tells-nothing\" has no verdict, and observes nothing");
  }
  outcome.transports = read_transports(reader);
  if (reader.find_any("envelope") != nullptr) {
    outcome.envelope_1_0 = reader.text("envelope") == "1.0";
    if (!outcome.envelope_1_0) reader.complain("the only other \"envelope\" is \"1.0\"");
    if (outcome.shape != Shape::response) {
      reader.complain("\"envelope\" stands beside \"response\" only");
    }
  }
  return outcome;
}

}  // namespace jrpcheck::corpus
