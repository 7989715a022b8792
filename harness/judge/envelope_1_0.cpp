#include "judge/envelope_1_0.hpp"

#include <array>
#include <string>
#include <utility>

#include "base/contains.hpp"
#include "judge/envelope.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

constexpr std::array<std::string_view, 3> kOldMembers = {"result", "error", "id"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kInstead = {{
    {"res-json", "v1-response"},
    {"res-object", "v1-response"},
    {"res-always", "v1-response"},
    {"res-once", "v1-response"},
    {"res-id-present", "v1-id-any"},
    {"id-echo", "v1-id-any"},
    {"id-null-undetectable", "v1-id-any"},
    {"id-invalid-request", "v1-id-any"},
}};

void judge_members(const json::Value& response, Charger& charger) {
  charger.exercise("v1-both-members");
  const json::Value* result = response.find("result");
  const json::Value* error = response.find("error");
  const std::string expected = "result and error, one of them null";
  if (result == nullptr || error == nullptr) {
    charger.charge("v1-both-members",
                   {result == nullptr ? Symptom::result_missing_1_0 : Symptom::error_missing_1_0,
                    expected, shown(response)});
  } else if (!result->is(Kind::null) && !error->is(Kind::null)) {
    charger.charge("v1-both-members", {Symptom::result_and_error_1_0, expected, shown(response)});
  }
}

// 1.0 names three members and forbids no other.
void observe_others(const json::Value& response, Charger& charger) {
  for (const auto& name : response.names()) {
    if (contains(kOldMembers, name)) continue;
    charger.judgement().observe(kExtraMember, name);
  }
}

}  // namespace

std::string_view requirement_in_1_0(std::string_view requirement) {
  for (const auto& [of_2_0, of_1_0] : kInstead) {
    if (requirement == of_2_0) return of_1_0;
  }
  return requirement;
}

void judge_response_1_0(const json::Value& response, Charger& charger) {
  judge_members(response, charger);
  charger.exercise("v1-id-any");
  if (response.find("id") == nullptr) {
    charger.charge("v1-id-any", {Symptom::id_missing, "\"id\"", shown(response), "/id"});
  }
  observe_others(response, charger);
}

}  // namespace jrpcheck::judge
