// The rules of the Model Context Protocol that no schema can say.
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "dialogue/id_key.hpp"
#include "json/number.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "judge/rules/http_turns.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

bool server_declares(const Law& law, const std::string& capability) {
  return law.catalogue != nullptr &&
         json::at(law.catalogue->declared, "/capabilities/" + capability) != nullptr;
}

// Before it was asked nothing is known about it.
bool is_known(const Law& law) {
  return law.catalogue != nullptr && law.catalogue->declared.is(Kind::object);
}

// Whether we have declared the capability: in this conversation, else in the usual opening.
bool client_declares(const RuleCall& call, const std::string& capability) {
  const std::string pointer = "/params/capabilities/" + capability;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server && each.method() == "initialize") return each.at(pointer) != nullptr;
  }
  for (const auto& message : call.law.profile.opening) {
    const auto parsed = json::parse(message);
    if (parsed && json::at(*parsed.value, pointer) != nullptr) return true;
  }
  return false;
}

void needs_capability(const RuleCall& call, std::string_view method,
                      const std::string& capability) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.method() != method || !each.is_request()) continue;
    call.exercise();
    if (!client_declares(call, capability)) {
      call.charge(each, "/method",
                  "The server asks the client for what it has not declared (" + capability + ").",
                  "no " + std::string(method));
    }
  }
}

// Forms, where nothing is said of modes (2025-11-25, client/elicitation § Capabilities).
void elicitation_modes_declared(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.method() != "elicitation/create" || !each.is_request()) continue;
    if (!client_declares(call, "elicitation")) return;
    const bool is_of_url = json::text_at(*each.value, "/params/mode") == "url";
    const bool knows_urls = client_declares(call, "elicitation/url");
    const bool knows_forms = client_declares(call, "elicitation/form") || !knows_urls;
    call.exercise();
    if (is_of_url ? knows_urls : knows_forms) continue;
    call.charge(each, "/params/mode",
                std::string("The server asks in a mode that the client has not declared (") +
                    (is_of_url ? "url" : "form") + ").",
                "a mode that was declared");
  }
}

void roots_declared(const RuleCall& call) { needs_capability(call, "roots/list", "roots"); }
void sampling_declared(const RuleCall& call) {
  needs_capability(call, "sampling/createMessage", "sampling");
}
void elicitation_declared(const RuleCall& call) {
  needs_capability(call, "elicitation/create", "elicitation");
}
void requests_declared(const RuleCall& call) {
  roots_declared(call);
  sampling_declared(call);
  elicitation_declared(call);
}

// From initialize to notifications/initialized nothing but ping is asked.
void quiet_before_initialized(const RuleCall& call) {
  bool has_begun = false;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server && each.method() == "notifications/initialized") return;
    if (!each.by_server && each.method() == "initialize") has_begun = true;
    if (has_begun && each.by_server) call.exercise();
    if (has_begun && each.by_server && each.is_request() && each.method() != "ping") {
      call.charge(each, "/method",
                  "The server asks something before it was told that the client is ready.",
                  "nothing but ping");
    }
  }
}

// Cancellations of the server's own are of Requests that it has made. Whether it had read our
// answer when it cancelled cannot be seen: the two may cross ("believed to still be in-progress",
// MCP basic/utilities/cancellation § Behavior Requirements).
void cancels_its_own(const RuleCall& call) {
  std::set<std::string> asked;
  for (const auto& each : call.heard.all()) {
    const auto key = dialogue::id_key(each.at("/id"));
    if (each.by_server && each.is_request() && key) asked.insert(*key);
    if (!each.by_server || each.method() != "notifications/cancelled") continue;
    const auto cancelled = dialogue::id_key(each.at("/params/requestId"));
    call.exercise();
    if (cancelled && asked.count(*cancelled) == 0) {
      call.charge(each, "/params/requestId", "The server cancels what it has not asked.",
                  "the id of a Request of its own");
    }
  }
}

// Progress by its token, while the call that gave it is under way.
struct Progress {
  std::string id;  // of the call
  bool has_ended = false;
  std::optional<std::string> last = {};  // the Number, as it was written
};

using Running = std::map<std::string, Progress>;

// A call that has become a task keeps its token (2025-11-25, basic/utilities/progress).
bool begins_task(const Spoken& spoken) {
  return spoken.at("/result/task") != nullptr ||
         json::text_at(*spoken.value, "/result/resultType") == "task";
}

void note_call(const Spoken& spoken, Running& running) {
  const auto key = dialogue::id_key(spoken.at("/id"));
  const auto token_key = dialogue::id_key(spoken.at("/params/_meta/progressToken"));
  if (key && token_key && !spoken.by_server) running[*token_key] = {*key};
  if (!spoken.by_server || !spoken.method().empty() || !key || begins_task(spoken)) return;
  for (auto& [name, each] : running) each.has_ended = each.has_ended || each.id == *key;
}

template <typename Judge>
void for_each_progress(const RuleCall& call, Judge judge) {
  Running running;
  for (const auto& each : call.heard.all()) {
    note_call(each, running);
    if (!each.by_server || each.method() != "notifications/progress") continue;
    const auto key = dialogue::id_key(each.at("/params/progressToken"));
    if (!key) continue;
    const auto found = running.find(*key);
    judge(each, found == running.end() ? nullptr : &found->second);
  }
}

void progress_known(const RuleCall& call) {
  for_each_progress(call, [&](const Spoken& each, const Progress* known) {
    call.exercise();
    // One of ours may be of a case before this.
    if (known != nullptr ||
        json::text_at(*each.value, "/params/progressToken").starts_with("jrpcheck"))
      return;
    call.charge(each, "/params/progressToken",
                "The server tells of progress that nobody asked for.",
                "the progressToken of a Request");
  });
}

void progress_increases(const RuleCall& call) {
  for_each_progress(call, [&](const Spoken& each, Progress* known) {
    const json::Value* value = each.at("/params/progress");
    if (known == nullptr || value == nullptr || !value->is(Kind::number)) return;
    if (known->last) {
      call.exercise();
      const auto order = json::compare_numbers(value->text(), *known->last);
      if (order && *order <= 0) {
        call.charge(each, "/params/progress", "Progress does not increase.",
                    "more than " + *known->last);
      }
    }
    known->last = value->text();
  });
}

void progress_ends(const RuleCall& call) {
  for_each_progress(call, [&](const Spoken& each, const Progress* known) {
    if (known == nullptr) return;
    call.exercise();
    if (known->has_ended) {
      call.charge(each, "/params/progressToken",
                  "The server tells of progress of a Request that it has answered.", "nothing");
    }
  });
}

void log_declared(const RuleCall& call) {
  if (!is_known(call.law)) return;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.method() != "notifications/message") continue;
    call.exercise();
    if (!server_declares(call.law, "logging")) {
      call.charge(each, "/method", "The server sends log messages, and has not declared logging.",
                  "the capability logging, or no log messages");
    }
  }
}

// From 2026-07-28 on log messages are sent to whoever asks in the Request.
void log_unasked(const RuleCall& call) {
  bool asked = false;
  for (const auto& each : call.heard.all()) {
    const auto* level = each.at("/params/_meta/io.modelcontextprotocol~1logLevel");
    if (!each.by_server && level != nullptr) asked = true;
    if (!each.by_server) continue;
    call.exercise();
    if (!asked && each.method() == "notifications/message") {
      call.charge(each, "/method", "The server sends a log message that no Request asked for.",
                  "nothing");
    }
  }
}

void list_changed_declared(const RuleCall& call) {
  constexpr std::string_view kEnd = "/list_changed";
  constexpr std::string_view kBegin = "notifications/";
  if (!is_known(call.law)) return;
  for (const auto& each : call.heard.all()) {
    const auto method = each.method();
    if (!each.by_server || !method.ends_with(kEnd) || !method.starts_with(kBegin)) continue;
    call.exercise();
    const std::string kind(
        method.substr(kBegin.size(), method.size() - kBegin.size() - kEnd.size()));
    const json::Value* declared =
        json::at(call.law.catalogue->declared, "/capabilities/" + kind + "/listChanged");
    if (declared == nullptr || !declared->as_boolean()) {
      call.charge(each, "/method", "The server tells of changes that it has not declared.",
                  "capabilities." + kind + ".listChanged, or no such notification");
    }
  }
}

bool names_no_version(const json::Value* asked) {
  return asked != nullptr &&
         json::text_at(*asked, "/params/_meta/io.modelcontextprotocol~1protocolVersion").empty();
}

std::set<std::size_t> steps_without_version(const RuleCall& call) {
  std::set<std::size_t> steps;
  for (const auto& turn : turns_in(call.events)) {
    const bool is_named = field_in(turn.request, "MCP-Protocol-Version").has_value();
    if (turn.method() == "POST" && !is_named) steps.insert(turn.step);
  }
  return steps;
}

// Who says no version may be taken for a client of the older era, which has codes of its own
// (2026-07-28, basic/versioning § Backward Compatibility; Streamable HTTP § Protocol Version
// Header).
template <typename Judge>
void for_each_error_code(const RuleCall& call, Judge judge) {
  const auto older = steps_without_version(call);
  for (const auto& each : call.heard.all()) {
    const auto code = each.by_server ? error_code_of(*each.value) : std::nullopt;
    if (!code || names_no_version(each.call) || older.count(each.step) != 0) continue;
    call.exercise();
    judge(each, *code);
  }
}

void error_codes_reserved(const RuleCall& call) {
  for_each_error_code(call, [&](const Spoken& each, long long code) {
    const bool is_known_code = code == -32020 || code == -32021 || code == -32022;
    if (code > -32020 || code < -32099 || is_known_code || code == -32042) return;
    call.charge(each, "/error/code", "An error code is reserved, and not defined.",
                "-32020, -32021 or -32022 of this range");
  });
}

void error_codes_retired(const RuleCall& call) {
  for_each_error_code(call, [&](const Spoken& each, long long code) {
    if (code != -32002 && code != -32042) return;
    call.charge(each, "/error/code", "An error code is of earlier versions, and not sent any more.",
                "another code");
  });
}

void error_codes_legacy(const RuleCall& call) {
  for_each_error_code(call, [&](const Spoken& each, long long code) {
    if (code > -32000 || code < -32019 || code == -32002) return;
    call.charge(each, "/error/code", "An error code lies where new implementations have none.",
                "a code outside -32000 to -32019");
  });
}

void input_required_where_allowed(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called().empty()) continue;
    if (json::text_at(*each.value, "/result/resultType") != "input_required") continue;
    call.exercise();
    const auto method = each.called();
    if (method != "tools/call" && method != "prompts/get" && method != "resources/read") {
      call.charge(each, "/result/resultType", "Input is asked for where that is not allowed.",
                  "a complete result");
    }
  }
}

void server_info_in_meta(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called().empty() || each.at("/result") == nullptr) continue;
    call.exercise();
    if (each.at("/result/_meta/io.modelcontextprotocol~1serverInfo") == nullptr) {
      call.charge(each, "/result/_meta", "The result does not say which server gave it.",
                  "io.modelcontextprotocol/serverInfo in _meta");
    }
  }
}

// A page is of one list with that which has named its cursor: another walk may be told otherwise.
void pages_share_scope(const RuleCall& call) {
  std::map<std::pair<std::string, std::string>, std::string> scopes;  // by method and cursor
  for (const auto& each : call.heard.all()) {
    const std::string scope =
        each.by_server ? json::text_at(*each.value, "/result/cacheScope") : "";
    if (scope.empty() || each.call == nullptr) continue;
    const std::string method(each.called());
    const auto before = scopes.find({method, json::text_at(*each.call, "/params/cursor")});
    const std::string next = json::text_at(*each.value, "/result/nextCursor");
    if (!next.empty()) scopes[{method, next}] = scope;
    if (before == scopes.end()) continue;
    call.exercise();
    if (before->second != scope) {
      call.charge(each, "/result/cacheScope", "The pages of a list differ in their cacheScope.",
                  before->second);
    }
  }
}

void results_have_a_type(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called().empty() || each.at("/result") == nullptr) continue;
    call.exercise();
    if (each.at("/result/resultType") == nullptr) {
      call.charge(each, "/result/resultType", "A result does not say of which type it is.",
                  R"("resultType":"complete", or another)");
    }
  }
}

constexpr std::array kMcpRows = {
    RuleRow{"roots-declared", &roots_declared, Needs::opening},
    RuleRow{"sampling-declared", &sampling_declared, Needs::opening},
    RuleRow{"elicitation-declared", &elicitation_declared, Needs::opening},
    RuleRow{"elicitation-modes-declared", &elicitation_modes_declared, Needs::opening},
    RuleRow{"requests-declared", &requests_declared, Needs::opening},
    RuleRow{"quiet-before-initialized", &quiet_before_initialized, Needs::handshake},
    RuleRow{"cancels-its-own", &cancels_its_own, Needs::session},
    RuleRow{"progress-known", &progress_known, Needs::session},
    RuleRow{"progress-increases", &progress_increases, Needs::session},
    RuleRow{"progress-ends", &progress_ends, Needs::session},
    RuleRow{"log-declared", &log_declared, Needs::opening},
    RuleRow{"log-unasked", &log_unasked, Needs::session},
    RuleRow{"list-changed-declared", &list_changed_declared, Needs::opening},
    RuleRow{"results-have-a-type", &results_have_a_type, Needs::message},
    RuleRow{"error-codes-reserved", &error_codes_reserved, Needs::message},
    RuleRow{"error-codes-retired", &error_codes_retired, Needs::message},
    RuleRow{"error-codes-legacy", &error_codes_legacy, Needs::message},
    RuleRow{"input-required-where-allowed", &input_required_where_allowed, Needs::message},
    RuleRow{"server-info-in-meta", &server_info_in_meta, Needs::message},
    RuleRow{"pages-share-scope", &pages_share_scope, Needs::session},
};

}  // namespace

std::span<const RuleRow> mcp_rules() { return kMcpRows; }

}  // namespace jrpcheck::judge
