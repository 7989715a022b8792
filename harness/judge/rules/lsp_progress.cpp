// The rules of the Language Server Protocol about progress.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

// A token, and what has been said under it.
struct Token {
  std::string call = {};  // the id of the call that gave it; empty: the server has created it
  bool is_of_results = false;
  bool is_answered = false;       // the call
  bool is_asked_for = false;      // its creation, which the client has not answered yet
  bool is_refused = false;        // its creation
  const Spoken* early = nullptr;  // the first report while its creation is not answered
  bool has_begun = false;
  std::string last = {};  // the kind of the last report
  std::optional<double> percentage = {};
};

// What has been heard from the opening on; nobody knows the tokens of what went before.
class Tokens {
 public:
  // The token of a $/progress; null for any other message, and for what nobody has named.
  Token* take(const Spoken& spoken) {
    note_opening(spoken);
    if (!spoken.by_server) note_ours(spoken);
    if (spoken.by_server) note_servers(spoken);
    if (!spoken.by_server || spoken.method() != "$/progress") return nullptr;
    const auto key = dialogue::id_key(spoken.at("/params/token"));
    const auto found = key ? tokens_.find(*key) : tokens_.end();
    return found == tokens_.end() ? nullptr : &found->second;
  }

  bool has_opening() const { return has_opening_; }
  const std::map<std::string, Token>& all() const { return tokens_; }

 private:
  void note_opening(const Spoken& spoken) {
    has_opening_ = has_opening_ || (!spoken.by_server && spoken.method() == "initialize");
  }

  void note_ours(const Spoken& spoken) {
    const auto id = dialogue::id_key(spoken.at("/id"));
    if (!id) return;
    if (spoken.is_request()) {
      const auto work = dialogue::id_key(spoken.at("/params/workDoneToken"));
      const auto results = dialogue::id_key(spoken.at("/params/partialResultToken"));
      if (work) tokens_[*work] = {*id};
      if (results) tokens_[*results] = {*id, true};
      return;
    }
    const auto created =
        spoken.call == nullptr || spoken.called() != "window/workDoneProgress/create"
            ? std::nullopt
            : dialogue::id_key(json::at(*spoken.call, "/params/token"));
    if (!created) return;
    tokens_[*created].is_asked_for = false;
    tokens_[*created].is_refused = spoken.at("/error") != nullptr;
  }

  void note_servers(const Spoken& spoken) {
    if (spoken.method() == "window/workDoneProgress/create") {
      const auto key = dialogue::id_key(spoken.at("/params/token"));
      if (key) tokens_[*key] = {.is_asked_for = true};
    }
    const auto id = dialogue::id_key(spoken.at("/id"));
    if (!spoken.method().empty() || !id) return;
    for (auto& [key, each] : tokens_) each.is_answered = each.is_answered || each.call == *id;
  }

  std::map<std::string, Token> tokens_;
  bool has_opening_ = false;
};

template <typename Judge>
void for_each_report(const RuleCall& call, Tokens& tokens, Judge judge) {
  for (const auto& each : call.heard.all()) {
    Token* token = tokens.take(each);
    if (each.by_server && tokens.has_opening()) call.exercise();
    if (!each.by_server || each.method() != "$/progress" || !tokens.has_opening()) continue;
    judge(each, token);
  }
}

template <typename Judge>
void for_each_report(const RuleCall& call, Judge judge) {
  Tokens tokens;
  for_each_report(call, tokens, judge);
}

// "" where the value is of results, or of no kind that there is.
std::string report_kind(const Spoken& spoken) {
  std::string kind = json::text_of(spoken.at("/params/value/kind"));
  return kind == "begin" || kind == "report" || kind == "end" ? kind : "";
}

void lsp_token_known(const RuleCall& call) {
  for_each_report(call, [&](const Spoken& each, const Token* token) {
    if (token != nullptr) return;
    call.charge(each, "/params/token", "The server tells of progress under a token of nobody's.",
                "a token that the client gave, or that was created");
  });
}

void lsp_token_answered(const RuleCall& call) {
  for_each_report(call, [&](const Spoken& each, const Token* token) {
    if (token == nullptr || !token->is_answered) return;
    call.charge(each, "/params/token",
                "The server tells of progress of a Request that it has answered.", "nothing");
  });
}

// Who does not wait for the answer is held to it as well (window/workDoneProgress/create): else it
// hung on how fast the client is.
void lsp_token_refused(const RuleCall& call) {
  const auto charge = [&call](const Spoken& each) {
    call.charge(each, "/params/token", "The server uses a token whose creation has failed.",
                "no progress under it");
  };
  Tokens tokens;
  for_each_report(call, tokens, [&](const Spoken& each, Token* token) {
    if (token == nullptr) return;
    if (token->is_refused) charge(each);
    if (token->is_asked_for && token->early == nullptr) token->early = &each;
  });
  for (const auto& [key, each] : tokens.all()) {
    if (each.is_refused && each.early != nullptr) charge(*each.early);
  }
}

// What begins again is no fault of the order (Base Protocol § Work Done Progress): lsp_token_once.
void lsp_progress_order(const RuleCall& call) {
  for_each_report(call, [&](const Spoken& each, Token* token) {
    const std::string kind = report_kind(each);
    if (token == nullptr || token->is_of_results || kind.empty()) return;
    const bool is_begun = !token->last.empty() && token->last != "end";
    if (kind != "begin" && !is_begun) {
      call.charge(each, "/params/value/kind",
                  token->last.empty() ? "Progress does not begin with begin."
                                      : "After " + token->last + " comes " + kind + ".",
                  "begin, then reports, then end");
    }
    token->last = kind;
  });
}

// Said of tokens that the server has created, and of no others (Base Protocol § Server Initiated
// Progress).
void lsp_token_once(const RuleCall& call) {
  for_each_report(call, [&](const Spoken& each, Token* token) {
    if (token == nullptr || !token->call.empty() || report_kind(each) != "begin") return;
    if (token->has_begun) {
      call.charge(each, "/params/token", "Progress begins again under a token that was used.",
                  "one begin for a token that is created");
    }
    token->has_begun = true;
  });
}

// WorkDoneProgressBegin, -Report and -End (Base Protocol § Work Done Progress). What the value of a
// partial result is its method says.
void lsp_work_done_shape(const RuleCall& call) {
  for_each_report(call, [&](const Spoken& each, const Token* token) {
    if (token == nullptr || token->is_of_results || each.at("/params/value") == nullptr) return;
    const std::string kind = report_kind(each);
    const json::Value* title = each.at("/params/value/title");
    if (kind.empty()) {
      call.charge(each, "/params/value/kind", "Progress of work is of no kind that there is.",
                  "begin, report or end");
    } else if (kind == "begin" && (title == nullptr || !title->is(Kind::string))) {
      call.charge(each, "/params/value/title", "Work begins that has no title.", "a String");
    }
  });
}

void lsp_percentage(const RuleCall& call) {
  for_each_report(call, [&](const Spoken& each, Token* token) {
    if (token != nullptr && report_kind(each) == "begin") token->percentage.reset();
    const json::Value* value = each.at("/params/value/percentage");
    if (token == nullptr || value == nullptr || !value->is(Kind::number)) return;
    const double now = std::strtod(value->text().c_str(), nullptr);
    if (now < 0 || now > 100 || now < token->percentage.value_or(0)) {
      call.charge(each, "/params/value/percentage", "The percentage falls, or is none.",
                  "from 0 to 100, and never less");
    }
    token->percentage = now;
  });
}

// The items of diagnostics for related documents lie three Objects deep, and nothing lies deeper.
constexpr int kDeepestResults = 4;

// Results are in lists: a CompletionList, a report of diagnostics or SemanticTokens without any has
// none.
bool holds_no_list(const json::Value& value, int depth = 0) {
  if (value.is(Kind::array)) return value.size() == 0;
  if (depth == kDeepestResults) return true;
  return std::ranges::all_of(value.children(), [depth](const json::Value& each) {
    return holds_no_list(each, depth + 1);
  });
}

bool is_empty_result(const json::Value& result) {
  const bool can_be_empty = result.is(Kind::array) || result.is(Kind::object);
  return result.is(Kind::null) || (can_be_empty && holds_no_list(result));
}

// What has been sent in parts is not sent again (Base Protocol § Partial Result Progress).
void lsp_results_in_parts(const RuleCall& call) {
  Tokens tokens;
  std::map<std::string, bool> in_parts;  // by the id of the call
  for (const auto& each : call.heard.all()) {
    const Token* token = tokens.take(each);
    if (token != nullptr && token->is_of_results) in_parts[token->call] = true;
    if (!each.by_server || each.call == nullptr || each.at("/result") == nullptr) continue;
    if (each.call->find("params") == nullptr ||
        json::at(*each.call, "/params/partialResultToken") == nullptr) {
      continue;
    }
    call.exercise();
    const auto id = dialogue::id_key(each.at("/id"));
    if (!id || in_parts.count(*id) == 0 || is_empty_result(*each.at("/result"))) continue;
    call.charge(each, "/result", "The results that were sent in parts are sent once more.",
                "an empty result");
  }
}

constexpr std::array kLspProgressRows = {
    RuleRow{"lsp-token-known", &lsp_token_known, Needs::session},
    RuleRow{"lsp-token-answered", &lsp_token_answered, Needs::session},
    RuleRow{"lsp-token-refused", &lsp_token_refused, Needs::session},
    RuleRow{"lsp-progress-order", &lsp_progress_order, Needs::session},
    RuleRow{"lsp-token-once", &lsp_token_once, Needs::session},
    RuleRow{"lsp-work-done-shape", &lsp_work_done_shape, Needs::session},
    RuleRow{"lsp-percentage", &lsp_percentage, Needs::session},
    RuleRow{"lsp-results-in-parts", &lsp_results_in_parts, Needs::session},
};

}  // namespace

std::span<const RuleRow> lsp_progress_rules() { return kLspProgressRows; }

}  // namespace jrpcheck::judge
