#include "client/trial.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "client/client_process.hpp"
#include "client/scripted_server.hpp"
#include "json/parse.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;

std::optional<std::size_t> call_number(const json::Value& line) {
  const json::Value* number = line.find("n");
  if (number == nullptr || number->text().size() != 1) return std::nullopt;
  const auto n = static_cast<std::size_t>(number->text().front() - '0');
  return n >= 1 && n <= kCalls ? std::optional(n) : std::nullopt;
}

CallOutcome outcome_of(const json::Value& line, const std::string& result) {
  if (line.find("err") != nullptr) return CallOutcome::error;
  const json::Value* ok = line.find("ok");
  if (ok == nullptr || ok->is(json::Kind::null)) return CallOutcome::nothing;
  const auto expected = json::parse(result);
  return expected && json::equal(*ok, *expected.value) ? CallOutcome::value : CallOutcome::wrong;
}

// The line of JSON that a driver printed of a call.
std::string line_of(const std::string& printed, std::size_t number) {
  std::string_view rest = printed;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto parsed = json::parse(line);
    if (parsed && call_number(*parsed.value) == number) return std::string(line);
  }
  return {};
}

}  // namespace

std::array<CallOutcome, kCalls + 1> outcomes_of(const std::string& printed,
                                                const std::array<std::string, kCalls + 1>& results,
                                                CallOutcome otherwise) {
  std::array<CallOutcome, kCalls + 1> outcomes{};
  for (std::size_t n = 1; n <= kCalls; ++n) {
    const auto line = json::parse(line_of(printed, n));
    outcomes.at(n) = line ? outcome_of(*line.value, results.at(n)) : otherwise;
  }
  return outcomes;
}

Result<Trial> try_client(const corpus::Scenario& scenario, const ClientOptions& options,
                         Premises& premises, transport::Guardian& guardian) {
  Script script(scenario);
  auto server = ScriptedServer::start(*options.door, script, premises);
  if (!server) return server.error();
  ClientStart start{options.command, options.relay};
  start.order = name_of(scenario.order);
  start.patience = options.patience;
  auto end = run_to_end(start, **server, *options.door, premises, guardian);
  if (!end) return end.error();
  const auto& status = end->status;
  const std::string& printed = end->printed;
  Trial trial;
  trial.was_cut_off = end->was_cut_off;
  trial.traffic = std::move(end->traffic);
  trial.standard_error = std::move(end->standard_error);
  trial.was_played = script.was_played();
  trial.is_own_id_answered = script.is_own_id_answered();
  trial.is_own_call_answered = script.is_own_call_answered();
  trial.told = script.told();
  if (status) trial.ending = status->text();
  trial.was_killed = status && status->by_signal;
  if (options.has_driver) {
    std::array<std::string, kCalls + 1> results;
    for (std::size_t n = 1; n <= kCalls; ++n) results.at(n) = std::to_string(good_result(n));
    if (!scenario.result.empty()) results.at(kSubject) = scenario.result;
    // Whoever ends well, and has said nothing of a call, had nothing left to wait for: it never
    // ends.
    const bool has_died = status && (status->by_signal || status->value != 0);
    trial.outcomes =
        outcomes_of(printed, results, has_died ? CallOutcome::died : CallOutcome::waits);
    trial.shown = line_of(printed, kSubject);
  } else {
    trial.outcomes.fill(!status              ? CallOutcome::waits
                        : status->by_signal  ? CallOutcome::died
                        : status->value == 0 ? CallOutcome::value
                                             : CallOutcome::error);
  }
  if (trial.shown.empty()) {
    trial.shown = status ? "the program " + trial.ending + ", and has said nothing of the call"
                         : "the program waits";
  }
  return trial;
}

}  // namespace jrpcheck::client
