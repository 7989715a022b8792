#include "reference-impl/client/client.hpp"

#include <algorithm>
#include <ostream>
#include <thread>
#include <utility>

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

class Client {
 public:
  Client(const ServerPlace& place, const ClientHooks& hooks) : place_(place), hooks_(hooks) {}

  void greet() {
    for (const auto& each : hooks_.greetings) {
      // Over HTTP there is a response to what is not answered, too.
      if (send(each) && link_->pairs_replies()) link_->receive(Deadline::in(hooks_.patience));
    }
  }

  /// Sends a Notification; why it has failed, or nothing.
  std::string notify(int number) {
    const json note = {{"jsonrpc", "2.0"}, {"method", "note"}, {"params", {number}}};
    if (!connect_if_needed() || !link_->send(hooks_.notifying(note.dump()))) {
      return "there is no connection to the server";
    }
    const auto deadline = Deadline::in(hooks_.patience);
    if (!link_->pairs_replies()) {
      if (hooks_.waits_after_notifying) link_->receive(deadline);
      return {};
    }
    const auto body = link_->receive(deadline);
    if (hooks_.keeps_body_of_note) kept_ = body.value_or("");
    if (!body) return "nobody takes it";
    return hooks_.wants_body_of_note && body->empty() ? "it has no answer" : "";
  }

  Calls::Id make(int number, std::string& request) {
    const auto id = calls_.begin();
    request = json{{"jsonrpc", "2.0"}, {"method", "echo"}, {"params", {number}}, {"id", id}}.dump();
    return id;
  }

  /// Sends a message that makes these calls; `is_batch`: an Array is due.
  void send_calls(const std::string& message, const std::vector<Calls::Id>& ids, bool is_batch) {
    batch_ = is_batch ? ids : std::vector<Calls::Id>();
    if (!kept_.empty()) return calls_.fail(ids, std::exchange(kept_, {}));
    if (hooks_.calls_again) again_ = {message, ids};
    if (!send(message)) return calls_.fail(ids, "there is no connection to the server");
    if (link_->pairs_replies()) await(ids);
  }

  void await(const std::vector<Calls::Id>& ids) {
    const auto deadline = Deadline::in(hooks_.patience);
    const auto is_waited_for = [&] {
      return std::any_of(ids.begin(), ids.end(), [&](auto id) { return calls_.is_waiting(id); });
    };
    while (is_waited_for() && link_ && !deadline.passed()) {
      const auto message = link_->receive(deadline);
      if (message) {
        take(*message);
        // No other answer to this can come.
        if (link_->pairs_replies()) calls_.fail(ids, "the answer is that to no call of ours");
      } else if (link_->has_ended() && !hooks_.notices_the_end) {
        wait_until(deadline);
      } else if (link_->has_ended()) {
        link_.reset();
        if (!calls_again(ids)) calls_.fail_all("the connection has ended");
      }
    }
    calls_.fail(ids, "no answer has come in time");
  }

  const CallEnd& end_of(Calls::Id id) const { return calls_.end_of(id); }

 private:
  // Whether what makes these calls, and no others, has gone out once more.
  bool calls_again(const std::vector<Calls::Id>& ids) {
    const auto [message, of] = std::exchange(again_, {});
    return of == ids && send(message);
  }

  // Over the connection that there is, or a new one.
  bool send(const std::string& message) {
    return connect_if_needed() && link_->send(hooks_.sending(message));
  }

  bool connect_if_needed() {
    if (!hooks_.keeps_connections || (link_ && link_->has_ended())) link_.reset();
    if (!link_) {
      auto made = connect(place_, hooks_);
      if (!made) return false;
      link_ = *std::move(made);
    }
    return true;
  }

  void take(const std::string& message) {
    const std::string text = hooks_.reading(message, calls_.waiting());
    if (text.empty()) return;
    const std::string owed = calls_.take(text, batch_);
    if (!owed.empty() && hooks_.answers_calls && !link_->pairs_replies()) {
      link_->send(hooks_.answering(owed));
    }
    if (owed.empty() && hooks_.answers_responses) {
      link_->send(R"({"jsonrpc":"2.0","result":"thanks","id":1})");
    }
    if (hooks_.answers_notifications && is_notification(text) && !link_->pairs_replies()) {
      const json error = {{"code", -32601}, {"message", "Method not found"}};
      link_->send(json{{"jsonrpc", "2.0"}, {"error", error}, {"id", nullptr}}.dump());
    }
  }

  static bool is_notification(const std::string& text) {
    const auto value = json::parse(text, nullptr, /*allow_exceptions=*/false);
    return value.is_object() && value.contains("method") && !value.contains("id");
  }

  static void wait_until(Deadline deadline) { std::this_thread::sleep_for(deadline.remaining()); }

  const ServerPlace& place_;
  const ClientHooks& hooks_;
  std::unique_ptr<Link> link_;
  Calls calls_;
  std::vector<Calls::Id> batch_;
  std::string kept_;                                      // that came for no call
  std::pair<std::string, std::vector<Calls::Id>> again_;  // what may go out once more
};

}  // namespace

bool call_echo(const ServerPlace& place, const std::vector<int>& numbers, const CallManner& manner,
               const ClientHooks& hooks, std::ostream& out) {
  Client client(place, hooks);
  client.greet();
  bool all_succeeded = true;
  const auto tell = [&](int number, const CallEnd& end) {
    all_succeeded = all_succeeded && end.error.empty();
    json line = {{"n", number}};
    line[end.error.empty() ? "ok" : "err"] = end.error.empty() ? end.result : json(end.error);
    out << line.dump() << std::endl;
  };
  std::vector<Calls::Id> ids;
  std::string array;
  const CallsAre order = hooks.calls_in_turn ? CallsAre::in_turn : manner.order;
  for (const int number : numbers) {
    if (std::count(manner.notify.begin(), manner.notify.end(), number) != 0) {
      const auto fault = client.notify(number);
      if (!fault.empty()) out << json{{"note", number}, {"err", fault}}.dump() << std::endl;
    }
    std::string request;
    ids.push_back(client.make(number, request));
    array += (array.empty() ? "[" : ",") + request;
    if (order == CallsAre::batch) continue;
    client.send_calls(request, {ids.back()}, false);
    if (order == CallsAre::together) continue;
    client.await({ids.back()});
    tell(number, client.end_of(ids.back()));
  }
  if (order == CallsAre::in_turn) return all_succeeded;
  if (order == CallsAre::batch) client.send_calls(array + "]", ids, true);
  client.await(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) tell(numbers[i], client.end_of(ids[i]));
  return all_succeeded;
}

}  // namespace jrpcheck::reference
