#include "client/played_subscriptions.hpp"

#include <algorithm>
#include <array>

#include "base/bytes.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/capability.hpp"

namespace jrpcheck::client {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostNoted = 100;
// A stream is closed by then which is closed together with the word of it.
constexpr milliseconds kForClosing{300};

// What a filter calls each kind of change (basic/patterns/subscriptions § Notification Filter).
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kKinds = {{
    {"notifications/tools/list_changed", "toolsListChanged"},
    {"notifications/prompts/list_changed", "promptsListChanged"},
    {"notifications/resources/list_changed", "resourcesListChanged"},
}};

std::string_view kind_of(const std::string& method) {
  for (const auto& [notification, kind] : kKinds) {
    if (notification == method) return kind;
  }
  return {};
}

}  // namespace

PlayedSubscriptions::Turn PlayedSubscriptions::begin(const Value& request) {
  Turn turn;
  ++notes_.begun;
  const std::string id = json::write(*request.find("id"));
  const Value* filter = json::at(request, "/params/notifications");
  std::string agreed;
  std::vector<std::string> told;
  for (const auto& each : how_.tells) {
    const auto notification = json::parse(each);
    if (!notification || filter == nullptr || !filter->is(Kind::object)) continue;
    const auto kind = kind_of(json::text_of(notification.value->find("method")));
    if (kind.empty() || !judge::is_stated(filter->find(kind))) continue;
    const std::string member = "\"" + std::string(kind) + "\":true";
    if (agreed.find(member) == std::string::npos) agreed += (agreed.empty() ? "" : ",") + member;
    told.push_back(each);
  }
  turn.said.push_back(
      R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"${subscription}"},"notifications":{)" +
      agreed + "}}}");
  for (auto& each : told) turn.said.push_back(std::move(each));
  for (auto& each : turn.said) replace_all(each, "\"${subscription}\"", id);
  notes_.was_told = notes_.was_told || turn.said.size() > 1;
  if (how_.ends) {
    turn.members =
        R"({"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":)" +
        id + "}}}";
    return turn;
  }
  turn.cuts = how_.breaks && !notes_.was_cut;
  if (turn.cuts) {
    notes_.was_cut = true;
  } else {
    open_.insert(id);
  }
  return turn;
}

void PlayedSubscriptions::hear(const Value& message, bool is_over_http, Clock::time_point now) {
  const std::string method = json::text_of(message.find("method"));
  if (notes_.was_cut && notes_.methods_since_cut.size() < kMostNoted) {
    notes_.methods_since_cut.push_back(method);
  }
  if (!is_over_http || method.empty()) return;
  if (has_closed_one_) notes_.was_closed = true;
  if (method == "notifications/cancelled") {
    const Value* id = json::at(message, "/params/requestId");
    if (id == nullptr || called_off_ || !open_.contains(json::write(*id))) return;
    called_off_ = json::write(*id);
    called_off_at_ = now;
  } else if (called_off_ && now - *called_off_at_ > kForClosing) {
    notes_.stays_open = open_.contains(*called_off_);
  }
}

void PlayedSubscriptions::note_closed(const std::string& id) {
  if (open_.erase(id) > 0) has_closed_one_ = true;
}

}  // namespace jrpcheck::client
