#include "fuzz/blame_element.hpp"

#include <optional>
#include <set>

#include "base/contains.hpp"
#include "fuzz/expectation.hpp"
#include "judge/code.hpp"

namespace jrpcheck::fuzz {

using Nature = ExpectedResponse::Nature;
using json::Kind;
using json::Value;
using judge::Symptom;

namespace {

std::optional<long long> code_of_error(const Value& response) {
  const Value* error = response.find("error");
  return error != nullptr ? judge::code_of(*error) : std::nullopt;
}

}  // namespace

std::string plain(const std::string& kind) { return kind.substr(0, kind.find(" with ")); }

std::string about_silence(const ExpectedResponse& element, const Value& sent) {
  if (!element.unanswered.empty()) {
    return std::string(kSpecialId) + json::write(*sent.find("id"));
  }
  if (element.shares_its_id) return std::string(kSharedId);
  return element.is_call() ? "call" : plain(element.kind);
}

std::string about_id(const Value& sent, const Value& response) {
  const Value* before = sent.find("id");
  const Value* after = response.find("id");
  if (before == nullptr || after == nullptr) return "an id that nobody sent";
  const std::string was = name_of_id(*before);
  if (before->kind() != after->kind()) {
    return "an id (" + was + ") that came back as " + name_of_id(*after);
  }
  if (!before->is(Kind::string) && !before->is(Kind::number)) {
    return "an id (of a wrong type) that came back";
  }
  return "an id (" + was + ") that came back as another";
}

bool follows_from_the_code(const ExpectedResponse& element) {
  return element.id_requirement == "req-id-type" || element.is_array() ||
         element.nature == Nature::primitive;
}

bool is_of_unknown_method(const ExpectedResponse& element, const Value& sent, const Value* response,
                          const Traits& traits) {
  if (element.nature != Nature::notification) {
    return element.nature == Nature::notification_of_unknown;
  }
  return response != nullptr && code_of_error(*response) == -32601 &&
         !contains(traits.methods, sent.find("method")->text());
}

void recognise_misreading(const ExpectedResponse& element, const Value& response,
                          judge::Finding& finding) {
  const bool may_be =
      finding.symptom == Symptom::wrong_code || finding.symptom == Symptom::call_succeeded;
  if (!may_be || element.nature != Nature::invalid_request) return;
  const auto code = code_of_error(response);
  if (code == -32700 || code == -32603) return;
  finding.symptom = Symptom::taken_for_request;
  finding.place.pointer.clear();
}

bool is_of_an_element(const judge::Finding& finding) {
  static const std::set<Symptom> symptoms = {
      Symptom::response_missing, Symptom::response_surplus,       Symptom::wrong_id,
      Symptom::wrong_code,       Symptom::wrong_code_and_null_id, Symptom::call_succeeded};
  return finding.severity == corpus::Verdict::fail && symptoms.count(finding.symptom) != 0;
}

}  // namespace jrpcheck::fuzz
