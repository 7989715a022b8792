// The rules of the Model Context Protocol about requests that stand alone (since 2026-07-28).
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "json/pointer.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

// Whoever serves a version names it (basic/versioning § Protocol Version Negotiation).
void discover_names_version(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "server/discover") continue;
    const json::Value* named = each.at("/result/supportedVersions");
    const std::string asked =
        json::text_at(*each.call, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
    if (named == nullptr || !named->is(Kind::array) || asked.empty()) continue;
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

constexpr std::array kMcpStatelessRows = {
    RuleRow{"discover-names-version", &discover_names_version},
    RuleRow{"answers-need-no-other-call", &answers_need_no_other_call},
};

}  // namespace

std::span<const RuleRow> mcp_stateless_rules() { return kMcpStatelessRows; }

}  // namespace jrpcheck::judge
