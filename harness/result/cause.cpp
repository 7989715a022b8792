#include "result/cause.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "base/contains.hpp"
#include "base/names.hpp"
#include "base/number_of.hpp"

namespace jrpcheck::result {
namespace {

using judge::Symptom;

constexpr std::size_t kFewFailures = 4;  // each is read anyway

bool has_version(const json::Value& value) { return value.find("jsonrpc") != nullptr; }

// Whether a body is a message of JSON-RPC, or looks like one that is broken. A page may quote what
// was sent.
bool is_in_json_rpc(const dialogue::Message& body) {
  const json::Value* value = body.value();
  if (value == nullptr) {
    const auto begin = body.text().find_first_not_of(" \t\r\n");
    return begin != std::string::npos && contains("{[", body.text().substr(begin, 1)) &&
           contains(body.text(), "\"jsonrpc\"");
  }
  if (!value->is(json::Kind::array)) return has_version(*value);
  return std::ranges::any_of(value->children(), has_version);
}

// The status of what came in that step, where it is a failure of the server (RFC 9110 §15.6) and
// not said in JSON-RPC. Who says nothing beside it fails elsewhere than who does.
std::string failure_over_http(const Charge& charge) {
  std::string failure;
  for (const auto& event : charge.one->transcript) {
    const bool is_of_step = event.direction == dialogue::Direction::received &&
                            event.step == charge.finding->step && !event.is_control;
    const bool is_handshake = event.http && event.http->is_handshake;  // which no answer is due to
    const bool is_http =
        !is_handshake && event.bytes.starts_with("HTTP/1.") && event.bytes.size() > 12;
    if (!is_of_step || !is_http) continue;
    const auto head = event.bytes.find("\r\n\r\n");
    const std::string body = head == std::string::npos ? "" : event.bytes.substr(head + 4);
    if (event.bytes[9] != '5' || is_in_json_rpc(body)) {
      failure.clear();
      continue;
    }
    failure = "HTTP " + event.bytes.substr(9, 3) + (body.empty() ? " without a body" : "");
  }
  return failure;
}

// What a server that fails so has not got to: what else is wrong has its own cause, and so has a
// failure where no answer is due.
bool may_be_for_failure(Symptom symptom) {
  switch (symptom) {
    case Symptom::reply_not_json:
    case Symptom::response_not_object:
    case Symptom::unanswered:
    case Symptom::response_missing:
    case Symptom::answered:
    case Symptom::message_for_batch:
    case Symptom::not_a_message:
    case Symptom::content_type_missing:
    case Symptom::content_type_wrong:
    case Symptom::status_changed:
    case Symptom::failure_status_of_result:
    case Symptom::version_missing:
    case Symptom::id_missing:
    case Symptom::no_result_and_no_error:
    case Symptom::outcome_of_case:
      return true;
    default:
      return false;
  }
}

// What a baseline knows is told apart from what is new of the same fault.
using Key = std::tuple<std::string, std::string, Symptom, bool>;

Key key_of(const Charge& charge, const std::string& failure) {
  const bool is_old = is_known(*charge.one);
  if (!failure.empty()) return {failure, "", Symptom::untold, is_old};
  return {"", charge.finding->requirement, charge.finding->symptom, is_old};
}

void sort_charges(std::vector<Charge>& charges) {
  std::ranges::stable_sort(charges, [](const Charge& a, const Charge& b) {
    return a.finding->severity > b.finding->severity;
  });
}

Harm harm_of(Symptom symptom) {
  switch (symptom) {
    case Symptom::died:
    case Symptom::died_later:
    case Symptom::went_away:
      return Harm::dies;
    case Symptom::serves_no_connection:
    case Symptom::not_ended:
    case Symptom::memory_grows:
      return Harm::hangs;
    case Symptom::serves_not_this_connection:
    case Symptom::call_behind_left_out:
    case Symptom::connection_dropped:
    case Symptom::connection_lost:
    case Symptom::answers_changed:
      return Harm::deaf;
    case Symptom::unanswered:
    case Symptom::no_http_response:
    case Symptom::response_missing:
    case Symptom::response_surplus:
    case Symptom::second_response:
    case Symptom::answers_no_call:
    case Symptom::answers_mixed_up:
    case Symptom::answers_swapped:
    case Symptom::wrong_id:
    case Symptom::id_missing:
      return Harm::loses_answers;
    default:
      return Harm::wrong_answers;
  }
}

// Who answers Notifications in a batch loses no answer, no more than who answers one alone does.
bool answers_notifications(const judge::Finding& finding) {
  return finding.symptom == Symptom::response_surplus && finding.requirement.starts_with("ntf-");
}

// Nobody waits for an answer by the id of what is no Request: which id its refusal has is a matter
// of form (JSON-RPC 2.0 §5).
bool is_about_an_invalid_request(const judge::Finding& finding) {
  constexpr std::array<std::string_view, 3> kOfRefusals = {"req-id-type", "id-null-undetectable",
                                                           "id-invalid-request"};
  return finding.symptom == Symptom::wrong_id && contains(kOfRefusals, finding.requirement);
}

}  // namespace

std::string_view name_of(Harm harm) {
  return name_at({"dies", "hangs", "deaf", "loses-answers", "wrong-answers", "warning"}, harm);
}

Harm harm_of(const judge::Finding& finding) {
  if (finding.severity != corpus::Verdict::fail) return Harm::warning;
  const bool loses_nothing = answers_notifications(finding) || is_about_an_invalid_request(finding);
  return loses_nothing ? Harm::wrong_answers : harm_of(finding.symptom);
}

std::size_t Cause::case_count() const {
  std::set<const CaseResult*> cases;
  for (const auto& each : charges) cases.insert(each.one);
  return cases.size();
}

std::string Cause::cases_in_words() const {
  std::set<const CaseResult*> failing;
  for (const auto& each : charges) {
    if (each.finding->severity == corpus::Verdict::fail) failing.insert(each.one);
  }
  const std::size_t warning = case_count() - failing.size();
  if (failing.empty() || warning == 0) return jrpcheck::number_of(case_count(), "case");
  return jrpcheck::number_of(failing.size(), "case") + ", " + std::to_string(warning) +
         " more warn" + (warning == 1 ? "s" : "");
}

std::vector<std::string> Cause::requirements() const {
  std::vector<std::string> ids;
  for (const auto& each : charges) {
    const auto& id = each.finding->requirement;
    if (!contains(ids, id)) ids.push_back(id);
  }
  return ids;
}

bool Cause::is_known() const { return result::is_known(*charges.front().one); }

std::vector<Cause> causes_of(const Run& run) {
  std::map<Key, std::size_t> index;
  std::vector<Cause> causes;
  for (const auto& one : run.cases) {
    for (const auto& finding : one.findings) {
      const Charge charge{&one, &finding};
      const std::string failure =
          may_be_for_failure(finding.symptom) ? failure_over_http(charge) : "";
      const auto [place, is_new] = index.emplace(key_of(charge, failure), causes.size());
      if (is_new) causes.push_back({Harm::warning, failure, {}});
      Cause& cause = causes[place->second];
      cause.harm = std::min(cause.harm, harm_of(finding));
      cause.charges.push_back(charge);
    }
  }
  for (auto& each : causes) sort_charges(each.charges);
  std::ranges::stable_sort(causes, [](const Cause& a, const Cause& b) {
    return std::tuple(a.is_known(), a.harm, b.case_count()) <
           std::tuple(b.is_known(), b.harm, a.case_count());
  });
  return causes;
}

std::string leading_cause(const Run& run, const std::vector<Cause>& causes) {
  const auto most = std::max_element(
      causes.begin(), causes.end(),
      [](const Cause& a, const Cause& b) { return a.case_count() < b.case_count(); });
  if (most == causes.end() || most->is_known() || causes.size() < 2) return {};
  if (most->harm == Harm::warning) return {};
  const std::size_t count = most->case_count();
  const auto all = static_cast<std::size_t>(std::ranges::count_if(
      run.cases, [](const CaseResult& one) { return !one.findings.empty(); }));
  if (count < kFewFailures || count * 3 < all) return {};
  const std::string what = most->failure.empty()
                               ? "break " + most->first().requirement + " in one way"
                               : "are one " + most->failure;
  return std::to_string(count) + " of " + std::to_string(all) + " cases that fail or warn " + what +
         ": fix this first";
}

bool is_known(const CaseResult& one) {
  if (!one.expected || one.findings.empty()) return false;
  return one.expected->expectation == Expectation::known ||
         one.expected->expectation == Expectation::flaky;
}

}  // namespace jrpcheck::result
