#include "run/served_batches.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "corpus/bindings.hpp"
#include "run/case_verdict.hpp"
#include "run/control_call.hpp"
#include "run/endpoint.hpp"
#include "run/first_answers.hpp"
#include "run/proof.hpp"
#include "run/role_parts.hpp"

namespace jrpcheck::run {
namespace {

using session::Conversation;

constexpr long long kFirstInBatch = 4'960'001;
constexpr long long kFirstInLonger = 4'960'011;

// The shortest that may be one too many, and one that surely is.
constexpr std::size_t kLonger = 3;
constexpr std::size_t kMuchLonger = 5;

// What plays one of these has succeeded, and goes on to: what it reads is there.
constexpr std::array<std::string_view, 5> kThatSucceed = {"no-params", "nothing", "subtract", "sum",
                                                          "echo"};

// How the method of a role is called so that it succeeds.
std::string params_that_succeed(const std::string& role, const Roles& roles,
                                unsigned long long seed) {
  const auto takes = roles.takes.find(role);
  const Proofs proofs = proofs_of(role, seed);
  const bool as_named =
      takes != roles.takes.end() && !takes->second.by_position && !proofs.by_name.empty();
  const std::string& params = (as_named ? proofs.by_name : proofs.by_position).front().params;
  return params.empty() ? roles.omitted_params : params;
}

// A call of a method that has succeeded when it was called alone; nothing where none has.
std::optional<session::ControlCall> call_that_succeeds(const corpus::Profile& profile,
                                                       const Roles& roles,
                                                       unsigned long long seed) {
  for (const auto name : kThatSucceed) {
    const std::string role(name);
    const auto method = roles.methods.find(role);
    if (method == roles.methods.end()) continue;
    return session::ControlCall{method->second,
                                corpus::params_with_members(params_that_succeed(role, roles, seed),
                                                            profile.request_members),
                                profile.dialect};
  }
  return std::nullopt;
}

// So many calls, each under an id that no other batch has.
std::string batch_of(const session::ControlCall& call, std::size_t size, long long first_id) {
  std::string batch;
  for (std::size_t i = 0; i < size; ++i) {
    batch += (batch.empty() ? "[" : ",") + call.text(first_id + static_cast<long long>(i));
  }
  return batch + "]";
}

bool is_result(const json::Value& response) {
  return response.find("result") != nullptr && !is_error(response);
}

std::vector<dialogue::Reply> replies_to_batch(const std::string& batch,
                                              Conversation& conversation) {
  dialogue::Transcript aside;
  auto exchange = conversation.exchange(corpus::step_sending(batch), aside);
  if (exchange.ending != dialogue::Ending::settled || exchange.replies.empty()) {
    conversation.check_survival(aside);
  }
  return std::move(exchange.replies);
}

bool has_array_of_results(const std::string& batch, Conversation& conversation) {
  return std::ranges::any_of(
      replies_to_batch(batch, conversation), [](const dialogue::Reply& reply) {
        const json::Value* all = reply.value();
        return all != nullptr && all->is(json::Kind::array) && !all->children().empty() &&
               std::ranges::all_of(all->children(), is_result);
      });
}

bool begins_as_array(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");  // a byte order mark
  return first != text.npos && text[first] == '[';
}

// Whatever is in it. What begins as one and cannot be read is charged with being no JSON.
bool may_have_array(const Exchanges& exchanges) {
  return std::ranges::any_of(exchanges, [](const dialogue::Exchange& exchange) {
    return std::ranges::any_of(exchange.replies, [](const dialogue::Reply& reply) {
      const json::Value* all = reply.outline();
      return all == nullptr ? begins_as_array(reply.text()) : all->is(json::Kind::array);
    });
  });
}

// The code of the one error that refuses the batch as a whole, and no call of it: under id null, or
// none. That the server has failed, or could not read it, is no refusal (JSON-RPC 2.0 §5.1).
std::optional<long long> refusal_of(const std::string& batch, Conversation& conversation) {
  const auto replies = replies_to_batch(batch, conversation);
  const json::Value* reply = replies.size() == 1 ? replies.front().value() : nullptr;
  if (reply == nullptr || !reply->is(json::Kind::object) || !is_error(*reply)) return std::nullopt;
  const json::Value* id = reply->find("id");
  const auto code = code_in(*reply);
  constexpr std::array<long long, 4> kNoRefusals = {-32700, -32603, -32602, -32601};
  const bool is_of_no_call = id == nullptr || id->is(json::Kind::null);
  return is_of_no_call && code && !contains(kNoRefusals, *code) ? code : std::nullopt;
}

// No result where that case does not apply.
auto batch_of_calibration(Traits& traits) {
  return std::ranges::find_if(
      traits.results, [](const auto& each) { return each.second.id == kBatchOfCalibration; });
}

// Of a server that a batch has ended nothing more is asked; where the protocol has no batches
// nothing is charged.
bool may_serve_others(const result::CaseResult& result) {
  return !result.findings.empty() &&
         std::ranges::none_of(result.findings, [](const judge::Finding& each) {
           return each.requirement == "rob-survives";
         });
}

}  // namespace

void find_served_batches(const corpus::Corpus& corpus, const Roles& roles, unsigned long long seed,
                         const CaseRunner& runner, Conversation& conversation, Traits& traits) {
  if (traits.no_batches.empty() || traits.refuses_used_ids || !conversation.usable()) return;
  const auto found = batch_of_calibration(traits);
  if (found == traits.results.end() || !may_serve_others(found->second)) return;
  auto& [ordinal, result] = *found;
  const auto call = call_that_succeeds(corpus.profile, roles, seed);
  if (!call) return;
  const std::string batch = batch_of(*call, 2, kFirstInBatch);
  if (!has_array_of_results(batch, conversation) || !conversation.usable()) return;
  traits.no_batches.clear();
  traits.refuses_batches = false;
  // Who was only called too often, or had not come up, serves it now.
  CaseRun again = runner.run(ordinal, conversation);
  if (may_have_array(again.exchanges)) {
    result = std::move(again.result);
    return;
  }
  traits.no_failing_batches = "the server answers no batch whose calls all fail";
  note_fact(fact_event(dialogue::Fact::batches_served, what_came(again.exchanges), batch), result);
}

void find_longest_batch(const corpus::Corpus& corpus, const Roles& roles, unsigned long long seed,
                        Conversation& conversation, Traits& traits) {
  const bool is_asked = traits.no_batches.empty() && traits.no_unknown_methods.empty() &&
                        !traits.refuses_used_ids &&
                        batch_of_calibration(traits) != traits.results.end();
  const auto call = call_that_succeeds(corpus.profile, roles, seed);
  if (!is_asked || !call || !conversation.usable()) return;
  long long id = kFirstInLonger;
  const auto refusal = [&](const session::ControlCall& of, std::size_t size) {
    const std::string batch = batch_of(of, size, id);
    id += static_cast<long long>(size);
    return conversation.usable() ? refusal_of(batch, conversation) : std::nullopt;
  };
  const auto code = refusal(*call, kLonger);
  if (!code) return;
  auto failing = unknown_control_call(corpus.profile.dialect);
  failing.params =
      corpus::params_with_members(roles.omitted_params, corpus.profile.request_members);
  if (refusal(*call, kMuchLonger) != code || refusal(failing, kLonger) != code) return;
  // Who was only called too often refuses these too.
  for (const auto& each : {*call, failing}) {
    const auto replies = conversation.usable()
                             ? replies_to_batch(batch_of(each, kLonger - 1, id), conversation)
                             : std::vector<dialogue::Reply>();
    id += kLonger - 1;
    const bool is_served = replies.size() == 1 && replies.front().value() != nullptr &&
                           replies.front().value()->is(json::Kind::array);
    if (!is_served) return;
  }
  traits.longest_batch = kLonger - 1;
}

}  // namespace jrpcheck::run
