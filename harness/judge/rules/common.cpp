#include <array>
#include <set>
#include <string>

#include "dialogue/id_key.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

// The server does not use an id twice for Requests of its own.
void own_ids_unique(const RuleCall& call) {
  std::set<std::string> used;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || !each.is_request()) continue;
    const auto key = dialogue::id_key(each.value->find("id"));
    if (!key) continue;
    call.exercise();
    if (!used.insert(*key).second) {
      call.charge(each, "/id", "The server uses an id for two Requests of its own.", "another id");
    }
  }
}

// Requests of the server's own have a String or an integer as their id.
void own_ids_are_text_or_integer(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || !each.is_request()) continue;
    call.exercise();
    const json::Value& id = *each.value->find("id");
    const bool is_integer =
        id.is(Kind::number) && id.text().find_first_of(".eE") == std::string::npos;
    if (!id.is(Kind::string) && !is_integer) {
      call.charge(each, "/id",
                  "The id of a Request of the server's own is neither text nor integer.",
                  "a String or an integer");
    }
  }
}

// Params of what the server sends on its own account are an Object, or absent.
void own_params_are_objects(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.method().empty()) continue;
    call.exercise();
    const json::Value* params = each.at("/params");
    if (params != nullptr && !params->is(Kind::object)) {
      call.charge(each, "/params", "The params of a message of the server's own are no Object.",
                  "an Object, or none");
    }
  }
}

// The server sends no Requests of its own.
void no_own_requests(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    call.exercise();
    if (each.is_request()) {
      call.charge(each, "/method", "The server sends a Request of its own.", "no Request");
    }
  }
}

constexpr std::array kCommonRows = {
    RuleRow{"own-ids-unique", &own_ids_unique, Needs::session},
    RuleRow{"own-ids-are-text-or-integer", &own_ids_are_text_or_integer, Needs::message},
    RuleRow{"own-params-are-objects", &own_params_are_objects, Needs::message},
    RuleRow{"no-own-requests", &no_own_requests, Needs::message},
};

}  // namespace

std::span<const RuleRow> common_rules() { return kCommonRows; }

}  // namespace jrpcheck::judge
