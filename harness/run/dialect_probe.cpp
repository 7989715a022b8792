#include "run/dialect_probe.hpp"

#include <algorithm>

#include "run/endpoint.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::run {
namespace {

using json::Kind;

// An id of its own, so that a late answer is no answer to a case.
constexpr long long kProbeId = 4'900'000;

constexpr std::string_view kVersionRequirement = "res-version";

// result and error both there and one of them null: what 1.0 asks and 2.0 forbids. A server of 2.0
// that merely forgets its version has only one of them.
bool is_response_of_1_0(const dialogue::Message& reply) {
  if (reply.value() == nullptr || !reply.value()->is(Kind::object)) return false;
  const json::Value* result = reply.find("result");
  const json::Value* error = reply.find("error");
  return reply.find("jsonrpc") == nullptr && reply.find("id") != nullptr && result != nullptr &&
         error != nullptr && (result->is(Kind::null) || error->is(Kind::null));
}

bool answers_1_0(session::Conversation& conversation) {
  dialogue::Transcript aside;
  const auto call = unknown_control_call(corpus::Dialect::json_rpc_1_0).text(kProbeId);
  const auto exchange = conversation.exchange(corpus::step_sending(call), aside);
  if (exchange.ending != dialogue::Ending::settled) conversation.check_survival(aside);
  return exchange.replies.size() == 1 && is_response_of_1_0(exchange.replies.front()) &&
         session::IncomingSorter::answers(exchange.replies.front(), kProbeId);
}

}  // namespace

std::string recognise_1_0(const std::vector<dialogue::Exchange>& first,
                          session::Conversation& conversation) {
  bool answered = false;
  for (const auto& exchange : first) {
    for (const auto& reply : exchange.replies) {
      const bool like_json = reply.text().find('{') != std::string::npos;
      if (like_json && !is_response_of_1_0(reply)) return {};
      answered = answered || like_json;
    }
  }
  if (!conversation.usable() || !answers_1_0(conversation)) return {};
  return std::string("The server speaks JSON-RPC 1.0 only: it ") +
         (answered ? "answers a call of 2.0 without jsonrpc and with both result and error"
                   : "does not answer a call of 2.0, and answers one of 1.0") +
         ". Judge it with --profile jsonrpc-1.0.";
}

void charge_dialect_once(result::CaseResult& result) {
  auto& findings = result.findings;
  const auto version = std::find_if(findings.begin(), findings.end(), [](const auto& each) {
    return each.requirement == kVersionRequirement;
  });
  if (version == findings.end()) return;
  auto kept = std::move(*version);
  kept.symptom = judge::Symptom::answered_in_1_0;
  kept.place = {};
  kept.particulars.clear();
  findings.clear();
  findings.push_back(std::move(kept));
  result.exercised = {std::string(kVersionRequirement)};
}

}  // namespace jrpcheck::run
