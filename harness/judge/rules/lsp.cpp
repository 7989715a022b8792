// The rules of the Language Server Protocol that no schema can say.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "judge/rules/lsp_opening.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

struct Need {
  std::string_view method;
  std::string_view capability;  // of the client, as a pointer
};

constexpr std::array<Need, 2> kConfiguration = {
    {{"workspace/configuration", "/workspace/configuration"},
     {"workspace/workspaceFolders", "/workspace/workspaceFolders"}}};
constexpr std::array<Need, 1> kShowDocument = {
    {{"window/showDocument", "/window/showDocument/support"}}};
constexpr std::array<Need, 6> kRefresh = {
    {{"workspace/codeLens/refresh", "/workspace/codeLens/refreshSupport"},
     {"workspace/semanticTokens/refresh", "/workspace/semanticTokens/refreshSupport"},
     {"workspace/inlayHint/refresh", "/workspace/inlayHint/refreshSupport"},
     {"workspace/inlineValue/refresh", "/workspace/inlineValue/refreshSupport"},
     {"workspace/foldingRange/refresh", "/workspace/foldingRange/refreshSupport"},
     {"workspace/diagnostic/refresh", "/workspace/diagnostics/refreshSupport"}}};
constexpr std::array<Need, 1> kEdits = {{{"workspace/applyEdit", "/workspace/applyEdit"}}};
constexpr std::array<Need, 1> kProgress = {
    {{"window/workDoneProgress/create", "/window/workDoneProgress"}}};

// Whatever the server says shows whether it asks for what the client has not.
template <const auto& kNeeds>
void asks_within(const RuleCall& call) {
  const json::Value* params = opening_params(call);
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    call.exercise();
    for (const Need& need : kNeeds) {
      if (each.method() != need.method || client_can(params, need.capability)) continue;
      call.charge(each, "/method",
                  "The server asks the client for what it has not declared (" +
                      std::string(need.capability.substr(1)) + ").",
                  "no " + std::string(need.method));
    }
  }
}

bool opens_document(const Spoken& spoken) {
  return !spoken.by_server && spoken.method() == "textDocument/didOpen";
}

bool tells_diagnostics(const Spoken& spoken) {
  return spoken.by_server && spoken.method() == "textDocument/publishDiagnostics";
}

// Until initialize is answered little may be said (Lifecycle Messages § Initialize). Diagnostics of
// a document that we have opened too early are said because that was not dropped, which is charged
// by itself, however soon they come.
void quiet_before_initialize(const RuleCall& call) {
  static const std::set<std::string_view> allowed = {"window/showMessage", "window/logMessage",
                                                     "telemetry/event", "window/showMessageRequest",
                                                     "$/progress"};
  const bool is_answered = std::ranges::any_of(call.heard.all(), [](const Spoken& each) {
    return each.by_server && each.called() == "initialize";
  });
  if (opening_params(call) == nullptr || !is_answered) return;
  std::set<std::string> opened;
  for (const auto& each : call.heard.all()) {
    if (each.by_server && each.called() == "initialize") return call.exercise();
    if (opens_document(each)) {
      opened.insert(json::text_at(*each.value, "/params/textDocument/uri"));
    }
    if (!each.by_server || each.method().empty() || allowed.count(each.method()) != 0) continue;
    if (tells_diagnostics(each) && opened.count(json::text_at(*each.value, "/params/uri")) != 0) {
      continue;
    }
    call.charge(each, "/method", "The server says this before it has answered initialize.",
                "nothing but messages to show or log, telemetry and progress");
  }
}

void params_are_structured(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.method().empty()) continue;
    call.exercise();
    const json::Value* params = each.at("/params");
    if (params == nullptr || params->is(Kind::object) || params->is(Kind::array)) continue;
    call.charge(each, "/params", "The params of a message of the server's own are no structure.",
                "an Object or an Array, or none");
  }
}

void no_own_batches(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    call.exercise();
    if (each.in_batch) call.charge(each, "", "The server sends a batch.", "one message");
  }
}

void codes_within(const RuleCall& call, long long from, long long to,
                  const std::set<long long>& allowed) {
  for (const auto& each : call.heard.all()) {
    const auto code = each.by_server ? error_code_of(*each.value) : std::nullopt;
    if (!code) continue;
    call.exercise();
    if (*code < from || *code > to || allowed.contains(*code)) continue;
    call.charge(each, "/error/code",
                "The code is of a range that is reserved, and none that the specification has.",
                "a code outside of " + std::to_string(from) + " to " + std::to_string(to));
  }
}

void codes_reserved(const RuleCall& call) {
  codes_within(call, -32899, -32800, {-32800, -32801, -32802, -32803});
}

void codes_reserved_by_json_rpc(const RuleCall& call) {
  codes_within(call, -32099, -32000, {-32002, -32001});
}

void cancels_own(const RuleCall& call) {
  // What was asked before this conversation was listened to may be cancelled in it.
  const bool is_heard_from_the_beginning = opening_params(call) != nullptr;
  std::set<std::string> asked;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    call.exercise();
    if (each.is_request()) {
      if (const auto key = dialogue::id_key(each.at("/id"))) asked.insert(*key);
    }
    if (each.method() != "$/cancelRequest") continue;
    const auto cancelled = dialogue::id_key(each.at("/params/id"));
    if (!cancelled || asked.count(*cancelled) != 0 || !is_heard_from_the_beginning) continue;
    call.charge(each, "/params/id", "The server cancels what it has not asked.",
                "the id of a Request of its own");
  }
}

void trace_off(const RuleCall& call) {
  bool is_on = false;
  for (const auto& each : call.heard.all()) {
    const json::Value* level = each.by_server ? nullptr : each.at("/params/value");
    if (!each.by_server && each.method() == "initialize") level = each.at("/params/trace");
    if (level != nullptr && level->is(Kind::string)) is_on = is_on || level->text() != "off";
    if (!each.by_server) continue;
    call.exercise();
    if (each.method() == "$/logTrace" && !is_on) {
      call.charge(each, "/method", "The server traces, and the trace is off.", "no $/logTrace");
    }
  }
}

void trace_verbose(const RuleCall& call) {
  std::string level = "off";
  for (const auto& each : call.heard.all()) {
    if (!each.by_server && each.method() == "initialize" && each.at("/params/trace") != nullptr) {
      level = json::text_at(*each.value, "/params/trace");
    }
    if (!each.by_server && each.method() == "$/setTrace") {
      level = json::text_at(*each.value, "/params/value");
    }
    if (!each.by_server) continue;
    call.exercise();
    if (each.method() == "$/logTrace" && each.at("/params/verbose") != nullptr &&
        level == "messages") {
      call.charge(each, "/params/verbose",
                  "The trace is verbose, and was asked for messages alone.", "no verbose");
    }
  }
}

// utf-16 where the client has offered nothing.
void encoding_offered(const RuleCall& call) {
  const json::Value* params = opening_params(call);
  if (params == nullptr) return;
  const json::Value* offered = json::at(*params, "/capabilities/general/positionEncodings");
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "initialize" || each.at("/result") == nullptr) continue;
    call.exercise();
    const json::Value* chosen = each.at("/result/capabilities/positionEncoding");
    if (chosen == nullptr) continue;
    std::set<std::string> allowed = {"utf-16"};
    for (std::size_t i = 0; offered != nullptr && i < offered->size(); ++i) {
      allowed.insert(offered->children()[i].text());
    }
    if (chosen->is(Kind::string) && allowed.count(chosen->text()) != 0) continue;
    call.charge(each, "/result/capabilities/positionEncoding",
                "The server chooses an encoding of positions that was not offered.",
                "one of those that the client offers, or utf-16");
  }
}

// Whose names the numbers of tokens stand for; null where that cannot be told.
const json::Value* legend_of_tokens(const RuleCall& call) {
  static const std::string at = "/capabilities/semanticTokensProvider/legend";
  const auto& catalogue = call.law.catalogue;
  const json::Value* legend = catalogue == nullptr ? nullptr : json::at(catalogue->declared, at);
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    if (each.called() == "initialize") legend = each.at("/result" + at);
    const bool may_have_another =
        each.method() == "client/registerCapability" &&
        json::write(*each.value).find("textDocument/semanticTokens") != std::string::npos;
    if (may_have_another) return nullptr;
  }
  return legend;
}

std::optional<std::size_t> length_of(const json::Value* legend, std::string_view list) {
  const json::Value* names = legend == nullptr ? nullptr : legend->find(std::string(list));
  if (names == nullptr || !names->is(Kind::array)) return std::nullopt;
  return names->size();
}

// What is no number of the protocol is wrong by the schema.
std::optional<std::uint64_t> number_of(const json::Value& value) {
  constexpr double kLargest = 2147483647;
  if (!value.is(Kind::number)) return std::nullopt;
  const double number = std::strtod(value.text().c_str(), nullptr);
  if (number < 0 || number > kLargest) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

// The names that a server has given to the numbers in its tokens; nothing where nobody knows them.
struct Legend {
  std::optional<std::size_t> types;
  std::optional<std::size_t> modifiers;

  bool has_type(const json::Value& value) const {
    const auto type = number_of(value);
    return !types || !type || *type < *types;
  }
  bool has_modifiers(const json::Value& value) const {
    constexpr std::size_t kBits = 32;
    const auto bits = number_of(value);
    return !modifiers || !bits || *modifiers >= kBits || (*bits >> *modifiers) == 0;
  }
};

// Five numbers are one token; the fourth is its type, and the bits of the fifth are its modifiers
// (Semantic Tokens § Integer Encoding for Tokens).
void judge_tokens(const RuleCall& call, const Spoken& spoken, const json::Value& data,
                  const Legend& legend) {
  constexpr std::size_t kNumbers = 5;
  if (data.size() % kNumbers != 0) {
    return call.charge(spoken, "/result/data",
                       "Semantic tokens of five numbers each end within one.",
                       "a multiple of five numbers");
  }
  for (std::size_t i = 0; i < data.size(); i += kNumbers) {
    const bool has_type = legend.has_type(data.children()[i + 3]);
    if (has_type && legend.has_modifiers(data.children()[i + 4])) continue;
    return call.charge(spoken, "/result/data/" + std::to_string(has_type ? i + 4 : i + 3),
                       has_type ? "A semantic token has a modifier that the legend does not have."
                                : "A semantic token is of a type that the legend does not have.",
                       "what the legend has");
  }
}

void semantic_tokens(const RuleCall& call) {
  const json::Value* names = legend_of_tokens(call);
  const Legend legend = {length_of(names, "tokenTypes"), length_of(names, "tokenModifiers")};
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || !each.called().starts_with("textDocument/semanticTokens/")) continue;
    const json::Value* data = each.at("/result/data");
    if (data == nullptr || !data->is(Kind::array)) continue;
    call.exercise();
    judge_tokens(call, each, *data, legend);
  }
}

// What we open before initialize, or after shutdown, is to be passed over.
template <bool before>
void ignores_documents(const RuleCall& call) {
  bool initialized = false;
  bool shut_down = false;
  std::map<std::string, std::size_t> passed_over;  // and in which step it was opened
  for (const auto& each : call.heard.all()) {
    if (each.by_server && each.called() == "initialize") initialized = true;
    const bool is_of_shutdown = each.by_server && each.called() == "shutdown";
    shut_down = shut_down || (is_of_shutdown && each.at("/result") != nullptr);
    if (opens_document(each)) {
      const bool is_meant = before ? !initialized && opening_params(call) != nullptr : shut_down;
      if (is_meant) passed_over[json::text_at(*each.value, "/params/textDocument/uri")] = each.step;
      if (is_meant) call.exercise();
    }
    if (!tells_diagnostics(each)) continue;
    const auto opened = passed_over.find(json::text_at(*each.value, "/params/uri"));
    if (opened == passed_over.end()) continue;
    call.charge_step(opened->second,
                     before ? "A document that was opened before initialize is looked at."
                            : "A document that was opened after shutdown is looked at.",
                     "no diagnostics for it", json::write(*each.value), "/params/uri");
  }
}

constexpr std::array kLspRows = {
    RuleRow{"lsp-configuration-declared", &asks_within<kConfiguration>, Needs::opening},
    RuleRow{"lsp-show-document-declared", &asks_within<kShowDocument>, Needs::opening},
    RuleRow{"lsp-refresh-declared", &asks_within<kRefresh>, Needs::opening},
    RuleRow{"lsp-edits-declared", &asks_within<kEdits>, Needs::opening},
    RuleRow{"lsp-progress-declared", &asks_within<kProgress>, Needs::opening},
    RuleRow{"lsp-quiet-before-initialize", &quiet_before_initialize, Needs::handshake},
    RuleRow{"lsp-params-are-structured", &params_are_structured, Needs::message},
    RuleRow{"lsp-no-own-batches", &no_own_batches, Needs::message},
    RuleRow{"lsp-codes-reserved", &codes_reserved, Needs::message},
    RuleRow{"lsp-codes-reserved-by-json-rpc", &codes_reserved_by_json_rpc, Needs::message},
    RuleRow{"lsp-cancels-own", &cancels_own, Needs::session},
    RuleRow{"lsp-trace-off", &trace_off, Needs::session},
    RuleRow{"lsp-trace-verbose", &trace_verbose},
    RuleRow{"lsp-encoding-offered", &encoding_offered, Needs::opening},
    RuleRow{"lsp-semantic-tokens", &semantic_tokens, Needs::session},
    RuleRow{"lsp-drops-early-documents", &ignores_documents<true>},
    RuleRow{"lsp-drops-late-documents", &ignores_documents<false>},
};

}  // namespace

std::span<const RuleRow> lsp_rules() { return kLspRows; }

}  // namespace jrpcheck::judge
