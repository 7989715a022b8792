// The rules of the Model Context Protocol about subscriptions, which take the place of sessions
// (2026-07-28, basic/patterns/subscriptions).
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

constexpr std::string_view kListens = "subscriptions/listen";
constexpr milliseconds kForAcknowledging{500};
constexpr std::string_view kAcknowledges = "notifications/subscriptions/acknowledged";

// One subscription, by what has been said of it so far.
struct HeardSubscription {
  const Spoken* asked = nullptr;
  bool is_acknowledged = false;
  bool has_ended = false;  // it was answered: refused, or ended by the server
  std::optional<std::size_t> cancelled_in_step = {};
  bool is_cancelled_for_good = false;  // what crossed the cancellation has come

  bool is_open() const { return is_acknowledged && !has_ended && !cancelled_in_step; }
};

using HeardSubscriptions = std::map<std::string, HeardSubscription>;  // by the key of the id

bool answers_listen(const Spoken& spoken) {
  return spoken.by_server && spoken.called() == kListens;
}

// A call of a later step than that one is answered: what was sent there has been read, and acted
// on.
bool answers_later_call(const Spoken& spoken, std::size_t step) {
  return spoken.by_server && !spoken.called().empty() && !answers_listen(spoken) &&
         spoken.step > step;
}

bool tells_of_subscription(const Spoken& spoken) {
  const auto method = spoken.method();
  return spoken.by_server && spoken.is_notification() &&
         (method == kAcknowledges || method.ends_with("/list_changed") ||
          method == "notifications/resources/updated");
}

HeardSubscription* subscription_told_of(const Spoken& spoken, HeardSubscriptions& known) {
  const json::Value* id = nullptr;
  if (answers_listen(spoken)) id = spoken.at("/id");
  if (spoken.by_server && spoken.is_notification()) {
    id = spoken.at("/params/_meta/io.modelcontextprotocol~1subscriptionId");
  }
  const auto key = dialogue::id_key(id);
  const auto found = key ? known.find(*key) : known.end();
  return found == known.end() ? nullptr : &found->second;
}

void note_what_client_says(const Spoken& spoken, HeardSubscriptions& known) {
  if (spoken.method() == kListens) {
    if (const auto key = dialogue::id_key(spoken.at("/id"))) known[*key] = {&spoken};
  }
  if (spoken.method() != "notifications/cancelled") return;
  const auto key = dialogue::id_key(spoken.at("/params/requestId"));
  const auto found = key ? known.find(*key) : known.end();
  if (found != known.end() && !found->second.has_ended) {
    found->second.cancelled_in_step = spoken.step;
  }
}

void note_what_server_says(const Spoken& spoken, HeardSubscriptions& known) {
  if (HeardSubscription* about = subscription_told_of(spoken, known)) {
    if (spoken.method() == kAcknowledges) about->is_acknowledged = true;
    if (answers_listen(spoken)) about->has_ended = true;
  }
  for (auto& [key, each] : known) {
    if (each.cancelled_in_step && answers_later_call(spoken, *each.cancelled_in_step)) {
      each.is_cancelled_for_good = true;
    }
  }
}

// Each message of the server's, and the subscription that it is of: null where it is of none.
template <typename Judge>
void for_each_word_of_server(const RuleCall& call, Judge judge) {
  HeardSubscriptions known;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) {
      note_what_client_says(each, known);
      continue;
    }
    judge(each, subscription_told_of(each, known), known);
    note_what_server_says(each, known);
  }
}

// How long the server was left alone from its last word in one step to the first of another: it is
// up by then, and has read what was sent before.
microseconds left_alone(const std::vector<dialogue::Event>& events, std::size_t from,
                        std::size_t to) {
  using dialogue::Direction;
  std::optional<microseconds> heard;
  for (const auto& event : events) {
    const bool is_heard = event.direction != Direction::sent && !event.bytes.empty();
    if (event.step == from && is_heard) heard = event.at;
    if (event.step == to && event.direction == Direction::sent && heard) return event.at - *heard;
  }
  return microseconds(0);
}

// The first message of a subscription acknowledges it. When that is too late no text says: it is
// missed where later calls have been answered, and the server was left alone for a while before.
void subscription_acknowledged(const RuleCall& call) {
  bool another_is_acknowledged = false;  // under an id that is nobody's
  for_each_word_of_server(call, [&](const Spoken& each, HeardSubscription* about, auto& known) {
    if (each.method() == kAcknowledges && about == nullptr) another_is_acknowledged = true;
    for (auto& [key, one] : known) {
      const bool is_missing =
          !one.is_acknowledged && !one.has_ended && !one.cancelled_in_step &&
          answers_later_call(each, one.asked->step) &&
          left_alone(call.events, one.asked->step, each.step) >= kForAcknowledging;
      if (!is_missing || another_is_acknowledged) continue;
      call.charge(*one.asked, "/method", "A subscription is not acknowledged.",
                  std::string(kAcknowledges));
      one.is_acknowledged = true;  // that is told once
    }
    if (about == nullptr || about->is_acknowledged || each.at("/error") != nullptr) return;
    call.exercise();
    if (each.method() == kAcknowledges) return;
    call.charge(each, each.method().empty() ? "/result" : "/method",
                "A subscription begins with something else than its acknowledgment.",
                std::string(kAcknowledges));
    about->is_acknowledged = true;
  });
}

void subscription_named(const RuleCall& call) {
  for_each_word_of_server(call, [&](const Spoken& each, const HeardSubscription* about,
                                    const auto& known) {
    if (known.empty() || !tells_of_subscription(each)) return;
    call.exercise();
    if (about != nullptr) return;
    call.charge(each, "/params/_meta", "A message of a subscription does not say of which.",
                "the id of the subscriptions/listen, in io.modelcontextprotocol/subscriptionId");
  });
}

bool grants(const json::Value* kind) {
  return kind != nullptr && (kind->as_boolean() || (kind->is(Kind::array) && kind->size() > 0));
}

void subscription_grants_what_was_asked(const RuleCall& call) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kKinds = {{
      {"toolsListChanged", "tools"},
      {"promptsListChanged", "prompts"},
      {"resourcesListChanged", "resources"},
      {"resourceSubscriptions", "resources"},
  }};
  const auto& catalogue = call.law.catalogue;
  const bool is_known = catalogue != nullptr && catalogue->declared.is(Kind::object);
  for_each_word_of_server(call, [&](const Spoken& each, const HeardSubscription* about, auto&) {
    if (about == nullptr || each.method() != kAcknowledges) return;
    call.exercise();
    for (const auto& [kind, capability] : kKinds) {
      const std::string at = "/params/notifications/" + std::string(kind);
      if (!grants(each.at(at))) continue;
      const bool is_there =
          !is_known ||
          json::at(catalogue->declared, "/capabilities/" + std::string(capability)) != nullptr;
      if (grants(about->asked->at(at)) && is_there) continue;
      call.charge(each, at,
                  is_there ? "A subscription is promised what was not asked for."
                           : "A subscription is promised what the server has not declared.",
                  "not " + std::string(kind));
    }
  });
}

void subscriptions_side_by_side(const RuleCall& call) {
  for_each_word_of_server(call, [&](const Spoken& each, const HeardSubscription* about,
                                    const auto& known) {
    if (about == nullptr) return;
    const bool is_beside_another = std::ranges::any_of(
        known, [&](const auto& one) { return &one.second != about && one.second.is_open(); });
    if (each.method() == kAcknowledges && about->is_acknowledged) {
      call.charge(each, "/params/_meta", "A subscription is acknowledged under the id of another.",
                  "the id of its own subscriptions/listen");
    }
    if (!is_beside_another) return;
    if (each.method() == kAcknowledges) call.exercise();
    const json::Value* filter = about->asked->at("/params/notifications");
    const bool was_sound = filter != nullptr && filter->is(Kind::object);
    if (each.at("/error") == nullptr || about->is_acknowledged || !was_sound) return;
    call.charge(each, "/error", "A subscription is refused beside another.",
                std::string(kAcknowledges));
  });
}

void exercise_where_cancelled(const RuleCall& call, const HeardSubscriptions& known) {
  const bool is_any = std::ranges::any_of(known, [](const auto& one) {
    return one.second.is_acknowledged && one.second.is_cancelled_for_good;
  });
  if (is_any) call.exercise();
}

void cancelled_subscription_tells_nothing(const RuleCall& call) {
  for_each_word_of_server(
      call, [&](const Spoken& each, const HeardSubscription* about, const auto& known) {
        exercise_where_cancelled(call, known);
        if (about == nullptr || !about->is_cancelled_for_good || !each.is_notification()) return;
        call.charge(each, "/method", "A subscription that was cancelled goes on.", "nothing");
      });
}

// It was open, and nothing was about to answer it: only the cancellation brings an answer about.
void cancelled_subscription_has_no_answer(const RuleCall& call) {
  for_each_word_of_server(
      call, [&](const Spoken& each, const HeardSubscription* about, const auto& known) {
        exercise_where_cancelled(call, known);
        const bool was_open = about != nullptr && about->is_acknowledged && !about->has_ended;
        if (!was_open || !about->cancelled_in_step || !answers_listen(each)) return;
        call.charge(each, "", "A subscription is answered that was cancelled.", "nothing");
      });
}

// basic/patterns/cancellation: a server ends subscriptions so, and nothing else.
void cancels_subscriptions_alone(const RuleCall& call) {
  std::set<std::string> asked;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) {
      const auto key = dialogue::id_key(each.at("/id"));
      if (key && each.method() == kListens) asked.insert(*key);
      continue;
    }
    call.exercise();
    if (each.method() != "notifications/cancelled") continue;
    const auto cancelled = dialogue::id_key(each.at("/params/requestId"));
    if (!cancelled || asked.count(*cancelled) != 0) continue;
    call.charge(each, "/params/requestId", "The server cancels what is no subscription.",
                "the id of a subscriptions/listen");
  }
}

constexpr std::array kMcpSubscriptionRows = {
    RuleRow{"subscription-acknowledged", &subscription_acknowledged},
    RuleRow{"subscription-named", &subscription_named},
    RuleRow{"subscription-grants-what-was-asked", &subscription_grants_what_was_asked},
    RuleRow{"subscriptions-side-by-side", &subscriptions_side_by_side},
    RuleRow{"cancelled-subscription-tells-nothing", &cancelled_subscription_tells_nothing},
    RuleRow{"cancelled-subscription-has-no-answer", &cancelled_subscription_has_no_answer},
    RuleRow{"cancels-subscriptions-alone", &cancels_subscriptions_alone},
};

}  // namespace

std::span<const RuleRow> mcp_subscription_rules() { return kMcpSubscriptionRows; }

}  // namespace jrpcheck::judge
