#include "judge/clients/stateless.hpp"

#include <algorithm>
#include <utility>

#include "json/pointer.hpp"
#include "judge/clients/answers.hpp"
#include "judge/clients/heads.hpp"
#include "judge/clients/mirrored_heads.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostOpen = 10'000;
constexpr std::size_t kMostInputs = 1000;
constexpr std::size_t kMostTools = 1000;
constexpr std::size_t kLongestKept = 4000;  // of arguments, or a state
constexpr std::string_view kFirstWithoutHandshake = "2026-07-28";
constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kInfoKey = "io.modelcontextprotocol/clientInfo";

const Value* metadata_of(const Value& message) { return json::at(message, "/params/_meta"); }

const Value* in_metadata(const Value& message, std::string_view key) {
  const Value* meta = metadata_of(message);
  return meta == nullptr ? nullptr : meta->find(key);
}

}  // namespace

std::string version_without_handshake(const Value& message, const wire::HttpFields* fields) {
  const Value* named = in_metadata(message, kVersionKey);
  std::string version = json::text_of(named);
  if (named == nullptr && fields != nullptr)
    version = wire::field_list(*fields, "MCP-Protocol-Version");
  if (!version.empty()) return version >= kFirstWithoutHandshake ? version : "";
  const bool says_more = named != nullptr || in_metadata(message, kCapabilitiesKey) != nullptr;
  const bool discovers = json::text_of(message.find("method")) == "server/discover";
  return says_more || discovers ? std::string(kFirstWithoutHandshake) : "";
}

StatelessClient::Call StatelessClient::call_in(const Value& message) const {
  Call call{json::text_of(message.find("method")), {}, {}};
  const Value* params = message.find("params");
  if (params == nullptr || !params->is(Kind::object)) return call;
  call.target = json::text_of(params->find(call.method == "resources/read" ? "uri" : "name"));
  const Value* arguments = params->find("arguments");
  if (knows_all_ && arguments != nullptr)
    call.arguments = json::write(*arguments).substr(0, kLongestKept);
  return call;
}

std::size_t StatelessClient::Input::kept() const {
  return of.kept() + kept_by(id_key) + (state ? kept_by(*state) : 0) +
         kept_in(wanted, [](const auto& each) { return kept_by(each.first) + each.second.kept(); });
}

std::size_t StatelessClient::kept() const {
  const auto by_call = [](const auto& each) { return kept_by(each.first) + each.second.kept(); };
  return kept_in(open_, by_call) + kept_in(tools_, by_call) +
         kept_in(inputs_, [](const Input& each) { return each.kept(); });
}

void StatelessClient::hear(const Value& message, const wire::HttpFields* fields) {
  const Value* id = message.find("id");
  if (id == nullptr) return;
  const Call call = call_in(message);
  judge_metadata(message);
  if (fields != nullptr) {
    judge_stateless_heads(message, *fields, charges_);
    const auto tool = tools_.find(call.target);
    // Over HTTP only what one client alone was told tells what it knows of a tool; who repeats an
    // argument does.
    if (call.method == "tools/call" && tool != tools_.end()) {
      judge_mirrored(message, tool->second, *fields, knows_all_, charges_);
    }
  }
  if (call.method == "tools/call" && knows_all_) listed_.judge_call(message, charges_);
  judge_retry(message, call);
  const auto key = kept_key(id);
  if (!key || open_.size() >= kMostOpen) return;
  const auto [place, is_new] = open_.emplace(*key, call);
  if (!is_new) ++place->second.count;
}

void StatelessClient::judge_metadata(const Value& message) {
  charges_.exercise("mcp-c-st-meta");
  const Value* version = in_metadata(message, kVersionKey);
  const Value* capabilities = in_metadata(message, kCapabilitiesKey);
  if (version == nullptr || !version->is(Kind::string)) {
    charges_.charge("mcp-c-st-meta", message, "/params/_meta",
                    "A request names no version of the protocol in _meta.",
                    std::string(kVersionKey) + ", a String");
  } else if (capabilities == nullptr || !capabilities->is(Kind::object)) {
    charges_.charge("mcp-c-st-meta", message, "/params/_meta",
                    "A request names no capabilities of the client in _meta.",
                    std::string(kCapabilitiesKey) + ", an Object");
  }
  charges_.exercise("mcp-c-st-clientinfo");
  const Value* info = in_metadata(message, kInfoKey);
  const bool is_named = info != nullptr && !json::text_of(info->find("name")).empty() &&
                        info->find("version") != nullptr;
  if (is_named) return;
  charges_.charge("mcp-c-st-clientinfo", message, "/params/_meta",
                  "A request does not say whose it is in _meta.",
                  std::string(kInfoKey) + " with a name and a version");
}

void StatelessClient::hear_response(const Value& message) {
  charges_.charge("mcp-c-st-no-response", message, "",
                  "The client sends a Response, which this version does not have.", "nothing");
}

void StatelessClient::tell(const Value& message) {
  const auto key = kept_key(message.find("id"));
  const auto found = key ? open_.find(*key) : open_.end();
  if (found == open_.end()) return;
  // Of several calls with an id nobody knows which is answered.
  if (found->second.count > 1) {
    if (--found->second.count == 1) open_.erase(found);
    knows_all_ = false;
    return;
  }
  const Call call = found->second;
  open_.erase(found);
  const Value* result = message.find("result");
  if (result != nullptr && result->is(Kind::object)) take_result(*key, call, *result);
}

void StatelessClient::take_result(const std::string& key, const Call& call, const Value& result) {
  if (call.method == "tools/list" && result.find("tools") != nullptr) {
    if (knows_all_) listed_.take(result);
    for (const auto& tool : result.find("tools")->children()) {
      const std::string name = json::text_of(tool.find("name"));
      if (name.empty() || (tools_.size() >= kMostTools && !tools_.contains(name))) continue;
      auto mirrored = mirrored_by(tool);
      const auto [place, is_new] = tools_.emplace(name, mirrored);
      // Of two clients one may know the one, and the other the other.
      const bool is_alike = place->second.all == mirrored.all && !mirrored.is_unknown;
      if (!is_new && !is_alike) place->second.is_unknown = true;
    }
  }
  if (json::text_of(result.find("resultType")) != "input_required") return;
  Input input{call, key, {}, std::nullopt};
  if (const Value* wanted = result.find("inputRequests")) {
    for (std::size_t i = 0; wanted->is(Kind::object) && i < wanted->size(); ++i) {
      input.wanted.emplace_back(wanted->names()[i], asked_of_client(wanted->children()[i]));
    }
  }
  const Value* state = result.find("requestState");
  if (state != nullptr && json::text_of(state).size() > kLongestKept) return;
  if (state != nullptr) input.state = json::text_of(state);
  for (auto& each : inputs_) {
    if (!input.state || each.state != input.state) continue;
    each.is_unique = input.is_unique = false;
  }
  inputs_.push_back(std::move(input));
  if (inputs_.size() <= kMostInputs) return;
  inputs_.pop_front();
  knows_all_ = false;
}

void StatelessClient::judge_retry(const Value& message, const Call& call) {
  const Value* state = json::at(message, "/params/requestState");
  const Value* responses = json::at(message, "/params/inputResponses");
  if (state == nullptr && responses == nullptr) return;
  if (state != nullptr) {
    const auto given = std::ranges::find_if(inputs_, [&](const Input& each) {
      return each.state && *each.state == json::text_of(state);
    });
    if (given != inputs_.end()) {
      if (given->is_unique) judge_known_retry(message, call, *given);
      return;
    }
  }
  if (knows_all_) judge_unknown_retry(message, call);
}

void StatelessClient::judge_known_retry(const Value& message, const Call& call,
                                        const Input& input) {
  charges_.exercise("mcp-c-mrtr-state");
  charges_.exercise("mcp-c-mrtr-scope");
  if (call.method != input.of.method || call.target != input.of.target) {
    return charges_.charge(
        "mcp-c-mrtr-scope", message, "/params/requestState",
        "The client sends the state of " + input.of.method + " with another request.",
        "requestState with the request alone to which it was given");
  }
  judge_input(message, input);
}

// A state that nobody has given, or none where one was given.
void StatelessClient::judge_unknown_retry(const Value& message, const Call& call) {
  const bool has_state = json::at(message, "/params/requestState") != nullptr;
  std::vector<const Input*> like;
  for (const auto& each : inputs_) {
    const bool is_like = each.of.method == call.method && each.of.target == call.target &&
                         each.of.arguments == call.arguments;
    if (is_like) like.push_back(&each);
  }
  charges_.exercise("mcp-c-mrtr-state");
  if (has_state) {
    return charges_.charge("mcp-c-mrtr-state", message, "/params/requestState",
                           "The client sends a requestState that it was not given.",
                           "the state as it was given, or none where none was");
  }
  const bool all_have_states = !like.empty() && std::ranges::all_of(like, [](auto* each) {
    return each->state.has_value();
  });
  if (all_have_states) {
    return charges_.charge("mcp-c-mrtr-state", message, "/params",
                           "The client does not send the requestState that it was given.",
                           "requestState as it was given");
  }
  if (like.size() == 1) judge_input(message, *like.front());
}

void StatelessClient::judge_input(const Value& message, const Input& input) {
  charges_.exercise("mcp-c-mrtr-id");
  if (kept_key(message.find("id")) == input.id_key) {
    charges_.charge("mcp-c-mrtr-id", message, "/id",
                    "The repeated request has the id of the one before.", "a new id");
  }
  const Value* responses = json::at(message, "/params/inputResponses");
  for (const auto& [key, asked] : input.wanted) {
    charges_.exercise("mcp-c-mrtr-answer");
    const Value* answer = responses == nullptr ? nullptr : responses->find(key);
    if (answer == nullptr) {
      charges_.charge("mcp-c-mrtr-answer", message, "/params/inputResponses",
                      "The request is repeated without what " + asked.method + " has asked for.",
                      "inputResponses with the key " + key);
    } else {
      judge_result_of(asked, message, *answer, "/params/inputResponses", charges_);
    }
  }
}

}  // namespace jrpcheck::judge
