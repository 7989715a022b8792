#include "judge/clients/subscriptions.hpp"

#include <algorithm>
#include <array>

#include "json/pointer.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::array<std::string_view, 3> kListsThatChange = {
    "toolsListChanged", "promptsListChanged", "resourcesListChanged"};

bool is_text(const Value& value) { return value.is(Kind::string); }

// What extensions have beside that is not looked at.
std::string fault_of(const Value& filter) {
  for (const auto name : kListsThatChange) {
    const Value* wanted = filter.find(name);
    if (wanted != nullptr && !wanted->is(Kind::boolean))
      return std::string(name) + " true or false";
  }
  const Value* uris = filter.find("resourceSubscriptions");
  if (uris == nullptr) return {};
  const bool is_list = uris->is(Kind::array) && std::ranges::all_of(uris->children(), is_text);
  return is_list ? "" : "resourceSubscriptions a list of URIs";
}

}  // namespace

void judge_listening(const Value& message, const std::string& method, ClientCharges& charges) {
  if (method != "subscriptions/listen") return;
  charges.exercise("mcp-c-sub-filter");
  const Value* filter = json::at(message, "/params/notifications");
  if (filter == nullptr || !filter->is(Kind::object)) {
    return charges.charge("mcp-c-sub-filter", message, "/params/notifications",
                          "subscriptions/listen does not say what it is to be told.",
                          "notifications, an Object");
  }
  const std::string fault = fault_of(*filter);
  if (fault.empty()) return;
  charges.charge("mcp-c-sub-filter", message, "/params/notifications",
                 "The filter of subscriptions/listen has a member of another type.", fault);
}

}  // namespace jrpcheck::judge
