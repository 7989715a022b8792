// The rules of the Model Context Protocol about requests that stand alone (since 2026-07-28).
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "json/pointer.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

// Whoever serves a version names it (basic/versioning § Protocol Version Negotiation). Who answers
// server/discover whatever version it was asked by has not served that one, and is charged where
// the version had to be refused.
void discover_names_version(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "server/discover") continue;
    const json::Value* named = each.at("/result/supportedVersions");
    const std::string asked =
        json::text_at(*each.call, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
    const bool is_in_use = asked == call.law.profile.version;
    if (named == nullptr || !named->is(Kind::array) || !is_in_use) continue;
    call.exercise();
    const bool is_named =
        std::any_of(named->children().begin(), named->children().end(),
                    [&](const json::Value& one) { return json::text_of(&one) == asked; });
    if (is_named) continue;
    call.charge(each, "/result/supportedVersions",
                "The server serves a version that it does not name.",
                "\"" + asked + "\" among them");
  }
}

// What came of one call that was made again and again, in the same words.
struct Repeated {
  const Spoken* refused = nullptr;
  std::size_t steps_refused = 0;  // in so many steps, with nothing else asked in between
  bool another_was_served = false;
};

// A call that is refused twice, and served once another has been, rests on that other one. Once
// would not tell: the server may still have been starting, so that the case leaves a while between.
void answers_need_no_other_call(const RuleCall& call) {
  std::map<std::string, Repeated> calls;  // by method and params
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called().empty()) continue;
    const json::Value* params = each.call->find("params");
    const std::string key =
        std::string(each.called()) + (params != nullptr ? json::write(*params) : std::string());
    const bool is_served = each.at("/result") != nullptr;
    for (auto& [other, repeated] : calls) {
      if (other != key && is_served) repeated.another_was_served = true;
    }
    Repeated& same = calls[key];
    if (!is_served) {
      if (same.another_was_served) same = {};
      if (same.refused == nullptr || same.refused->step != each.step) ++same.steps_refused;
      same.refused = &each;
      continue;
    }
    call.exercise();
    if (same.steps_refused > 1 && same.another_was_served) {
      call.charge(*same.refused, "/error", "A call is refused until another has been made.",
                  "a result, as after that");
    }
    same = {};
  }
}

// A list as it was given, by what names its items.
struct ListedOnce {
  const Spoken* answer = nullptr;
  std::set<std::string> names;
  bool comes_behind_another = false;  // another call was served since the list was given before
};

struct KindOfList {
  const char* method;
  const char* name;  // of the list, in the result and among those that were asked before the cases
  const char* named_by;
};

std::set<std::string> names_in(const std::vector<const json::Value*>& items,
                               const KindOfList& kind) {
  std::set<std::string> names;
  for (const auto* item : items) names.insert(json::text_of(item->find(kind.named_by)));
  return names;
}

// Lists in one piece alone: which items a page holds is the server's own affair.
std::vector<ListedOnce> lists_heard(const RuleCall& call, const KindOfList& kind) {
  std::vector<ListedOnce> found;
  bool another_was_served = false;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.at("/result") == nullptr || each.called().empty()) continue;
    const json::Value* items = each.at(std::string("/result/") + kind.name);
    const bool is_list = each.called() == kind.method && items != nullptr &&
                         items->is(Kind::array) && each.at("/result/nextCursor") == nullptr;
    another_was_served = another_was_served || each.called() != kind.method;
    if (!is_list || json::at(*each.call, "/params/cursor") != nullptr) continue;
    std::vector<const json::Value*> all;
    for (const auto& item : items->children()) all.push_back(&item);
    found.push_back({&each, names_in(all, kind), another_was_served});
    another_was_served = false;
  }
  return found;
}

// A list may change as time goes by (server/tools § Listing Tools). So it is held to have changed
// by what was asked only where it stayed the same before and after that, and is what another
// connection was given once that was asked there.
void list_is_constant(const RuleCall& call, const KindOfList& kind) {
  if (call.law.catalogue == nullptr) return;
  const auto heard = lists_heard(call, kind);
  for (std::size_t i = 3; i < heard.size(); ++i) {
    const ListedOnce& first = heard[i - 3];
    const ListedOnce& before = heard[i - 2];
    const ListedOnce& after = heard[i - 1];
    const ListedOnce& last = heard[i];
    if (before.comes_behind_another || !after.comes_behind_another || last.comes_behind_another) {
      continue;
    }
    call.exercise();
    const bool has_changed = first.names == before.names && after.names == last.names &&
                             before.names != after.names &&
                             after.names == names_in(call.law.catalogue->items(kind.name), kind);
    if (!has_changed) continue;
    call.charge(*after.answer, std::string("/result/") + kind.name,
                "A list differs by what else was asked on the connection.",
                "the same items as before");
  }
}

void tool_list_is_constant(const RuleCall& call) {
  list_is_constant(call, {"tools/list", "tools", "name"});
}
void resource_list_is_constant(const RuleCall& call) {
  list_is_constant(call, {"resources/list", "resources", "uri"});
}
void prompt_list_is_constant(const RuleCall& call) {
  list_is_constant(call, {"prompts/list", "prompts", "name"});
}

std::vector<std::string> tool_names(const Spoken& answer) {
  std::vector<std::string> names;
  const json::Value* tools = answer.at("/result/tools");
  if (tools == nullptr || !tools->is(Kind::array)) return names;
  for (const auto& tool : tools->children()) names.push_back(json::text_of(tool.find("name")));
  return names;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

// The same page of the same tools has one order (server/tools § Capabilities). Where others have
// come meanwhile nothing is said of it.
void tool_order_is_constant(const RuleCall& call) {
  std::map<std::string, std::vector<std::string>> before;  // by cursor
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "tools/list" || each.at("/result") == nullptr) continue;
    const std::string cursor = json::text_at(*each.call, "/params/cursor");
    auto names = tool_names(each);
    const auto known = before.find(cursor);
    if (known != before.end() && sorted(known->second) == sorted(names)) {
      call.exercise();
      if (known->second != names) {
        call.charge(each, "/result/tools", "The same tools come in another order.",
                    "the order of before");
      }
    }
    before[cursor] = std::move(names);
  }
}

constexpr std::array kMcpStatelessRows = {
    RuleRow{"discover-names-version", &discover_names_version, Needs::message},
    RuleRow{"answers-need-no-other-call", &answers_need_no_other_call},
    RuleRow{"tool-list-is-constant", &tool_list_is_constant},
    RuleRow{"tool-order-is-constant", &tool_order_is_constant},
    RuleRow{"resource-list-is-constant", &resource_list_is_constant},
    RuleRow{"prompt-list-is-constant", &prompt_list_is_constant},
};

}  // namespace

std::span<const RuleRow> mcp_stateless_rules() { return kMcpStatelessRows; }

}  // namespace jrpcheck::judge
