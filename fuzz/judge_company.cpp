#include "fuzz/judge_company.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "json/value.hpp"
#include "judge/code.hpp"
#include "judge/envelope.hpp"
#include "judge/habit.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Ending;
using dialogue::Exchange;
using dialogue::Reply;
using dialogue::Survival;
using json::Kind;

dialogue::SurvivalCheck is_alive() {
  dialogue::SurvivalCheck check;
  check.survival = Survival::alive;
  return check;
}

/// One of the messages that were written.
struct Sent {
  std::string text;
  Expectation expectation;
  bool may_be_silent = false;
  std::size_t reply = Suits::kNoReply;  // that suits it, and no other message has
};

Exchange exchange_of(const Sent& sent, std::vector<Reply> replies) {
  Exchange exchange;
  exchange.sent = {sent.text};
  exchange.control_answered = true;
  if (replies.empty() && !sent.may_be_silent) {
    exchange.ending = Ending::timed_out;
    exchange.detail = "no answer, while all else that was written with it was answered";
  }
  exchange.replies = std::move(replies);
  return exchange;
}

// Which reply is whose: as many messages as can be have one that suits them.
class Replies {
 public:
  Replies(const Oracle& oracle, std::vector<Sent>& sent, const std::vector<Reply>& replies,
          Suits& suits)
      : oracle_(oracle),
        sent_(sent),
        replies_(replies),
        suits_(suits),
        taken_by_(replies.size(), Suits::kNoReply) {
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      sent_[i].may_be_silent = go_together(i, Suits::kNoReply);
    }
  }

  /// The message with this place has the first choice: it is right where any reply would suit it.
  void give_out(std::size_t first) {
    place(first);
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      if (i != first) place(i);
    }
  }

  std::vector<std::size_t> left_over() const {
    std::vector<std::size_t> left;
    for (std::size_t r = 0; r < replies_.size(); ++r) {
      if (taken_by_[r] == Suits::kNoReply) left.push_back(r);
    }
    return left;
  }

 private:
  bool go_together(std::size_t message, std::size_t reply) const {
    return suits_.look_up(message, reply, [&] {
      std::vector<Reply> replies;
      if (reply != Suits::kNoReply) replies.push_back(replies_[reply]);
      return is_right(sent_[message], std::move(replies));
    });
  }

  bool is_right(const Sent& sent, std::vector<Reply> replies) const {
    Exchange exchange = exchange_of(sent, std::move(replies));
    exchange.ending = Ending::settled;
    const auto judged = oracle_.judge_exchange(sent.expectation, exchange, is_alive());
    return judged.worst() != corpus::Verdict::fail;
  }

  void place(std::size_t message) {
    std::vector<bool> visited(replies_.size(), false);
    place(message, visited);
  }

  // Most servers answer in order, so each looks first where it stands itself.
  bool place(std::size_t message, std::vector<bool>& visited) {
    for (std::size_t i = 0; i < replies_.size(); ++i) {
      const std::size_t r = (message + i) % replies_.size();
      if (visited[r] || !go_together(message, r)) continue;
      visited[r] = true;
      if (taken_by_[r] != Suits::kNoReply && !place(taken_by_[r], visited)) continue;
      taken_by_[r] = message;
      sent_[message].reply = r;
      return true;
    }
    return false;
  }

  const Oracle& oracle_;
  std::vector<Sent>& sent_;
  const std::vector<Reply>& replies_;
  Suits& suits_;
  std::vector<std::size_t> taken_by_;  // by reply
};

const json::Value* id_of(const Sent& sent) {
  const json::Value* value = sent.expectation.expected.steps.front().messages.front().value();
  return value != nullptr && value->is(Kind::object) ? value->find("id") : nullptr;
}

// Of a call that is due one Response, by an id of its own, it is known which reply is its.
bool is_known_by_its_id(const Sent& sent) {
  const json::Value* id = id_of(sent);
  return sent.expectation.is_call && id != nullptr && !id->is(Kind::null);
}

bool has_id_of(const Reply& reply, const Sent& sent) {
  const json::Value* id = id_of(sent);
  const json::Value* answered = reply.value() != nullptr ? reply.value()->find("id") : nullptr;
  return id != nullptr && answered != nullptr && json::equal(*id, *answered);
}

// Also one of the elements of an Array.
bool holds_id(const json::Value& reply, const json::Value& id) {
  if (reply.is(Kind::array)) {
    return std::any_of(reply.children().begin(), reply.children().end(),
                       [&id](const auto& each) { return holds_id(each, id); });
  }
  const json::Value* answered = reply.find("id");
  return answered != nullptr && json::equal(id, *answered);
}

class Trial {
 public:
  Trial(const Oracle& oracle, std::vector<Sent> sent, std::size_t place,
        const std::vector<Reply>& replies, Suits& suits)
      : sent_(std::move(sent)), place_(place), replies_(replies) {
    Replies given(oracle, sent_, replies_, suits);
    given.give_out(place_);
    left_ = given.left_over();
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      if (sent_[i].reply == Suits::kNoReply && !sent_[i].may_be_silent) unanswered_.push_back(i);
    }
  }

  const Sent& message() const { return sent_[place_]; }

  /// What this message has brought; nothing where that can be right, or another's.
  std::optional<std::vector<Reply>> wrong() const {
    return is_answered() ? surplus() : in_place_of_its_own();
  }

  bool is_answered() const { return message().reply != Suits::kNoReply || message().may_be_silent; }

 private:
  // No reply at all would suit it. One that nobody else can have is what came in its place.
  std::optional<std::vector<Reply>> in_place_of_its_own() const {
    if (left_.empty()) return std::vector<Reply>();
    if (left_.size() < unanswered_.size()) return what_holds_its_id();
    if (left_.size() != unanswered_.size()) return std::nullopt;
    const auto rank = std::find(unanswered_.begin(), unanswered_.end(), place_);
    const auto at = static_cast<std::size_t>(rank - unanswered_.begin());
    const Reply& reply = replies_[left_[at]];
    if (reply.value() != nullptr && may_be_too_much(*reply.value())) return std::nullopt;
    return std::vector<Reply>{reply};
  }

  // Some got no answer, or several share one: an id of its own tells whether this message did. What
  // cannot be read may be anybody's.
  std::optional<std::vector<Reply>> what_holds_its_id() const {
    if (!is_known_by_its_id(message()) || shares_its_id()) return std::nullopt;
    std::vector<Reply> own;
    for (const std::size_t left : left_) {
      const json::Value* value = replies_[left].value();
      if (value == nullptr || may_be_too_much(*value)) return std::nullopt;
      if (holds_id(*value, *id_of(message()))) own.push_back(replies_[left]);
    }
    return own;
  }

  // Also with an element of a batch.
  bool shares_its_id() const {
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      const json::Value* other =
          sent_[i].expectation.expected.steps.front().messages.front().value();
      if (i != place_ && other != nullptr && holds_id(*other, *id_of(message()))) return true;
    }
    return false;
  }

  // More than its answer is its fault only where all others are known by their ids.
  std::optional<std::vector<Reply>> surplus() const {
    std::vector<Reply> own;
    if (message().reply != Suits::kNoReply) own.push_back(replies_[message().reply]);
    const std::size_t right = own.size();
    for (const std::size_t left : left_) {
      const Reply& reply = replies_[left];
      if (is_anothers(reply)) return std::nullopt;
      own.push_back(reply);
    }
    if (own.size() == right || !unanswered_.empty()) return std::nullopt;
    return own;
  }

  bool is_anothers(const Reply& reply) const {
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      if (i == place_) continue;
      if (!is_known_by_its_id(sent_[i]) || has_id_of(reply, sent_[i])) return true;
    }
    return false;
  }

  std::vector<Sent> sent_;
  std::size_t place_;
  const std::vector<Reply>& replies_;
  std::vector<std::size_t> left_;        // replies that suit no message
  std::vector<std::size_t> unanswered_;  // messages that no reply suits
};

// Several in one write, or one in several.
std::string requirement_of(const Company& company, const wire::Binding& binding) {
  constexpr std::string_view kCoalesced = "tcp-coalesced";
  if (company.cut) {
    switch (company.cut->into) {
      case CutInto::writes:
        return "rob-split";
      case CutInto::fragments:
        return "ws-fragments";
      case CutInto::records:
        return "tls-records";
    }
  }
  return std::string(binding.on_sockets && binding.is_framing() ? kCoalesced : "rob-pipelined");
}

// What holds for every reply is not the company's fault, but for one Array of several answers.
bool is_of_company(const judge::Finding& finding, const std::vector<Reply>& replies) {
  if (!judge::is_envelope_requirement(finding.requirement)) return true;
  return finding.symptom == judge::Symptom::not_one_object &&
         std::any_of(replies.begin(), replies.end(), [](const Reply& each) {
           return each.value() != nullptr && each.value()->is(Kind::array);
         });
}

bool is_broken(const Sent& sent) {
  return sent.expectation.expected.steps.front().messages.front().value() == nullptr;
}

bool closes_at_cut(const Exchange& exchange, const Company& company) {
  return exchange.ending == Ending::closed && company.cut &&
         company.cut->message == company.ahead.size();
}

// Nothing but the message that is cut may have closed the connection.
bool is_certain(const Exchange& exchange, const Company& company) {
  if (exchange.endless || exchange.held_back || !exchange.beyond_limit.empty()) return false;
  if (exchange.ending == Ending::closed) return closes_at_cut(exchange, company);
  return exchange.control_answered &&
         (exchange.ending == Ending::settled || exchange.ending == Ending::timed_out);
}

}  // namespace

bool Suits::look_up(std::size_t message, std::size_t reply, const std::function<bool()>& judge) {
  const auto known = known_.find({message, reply});
  return known != known_.end() ? known->second
                               : known_.emplace(std::pair(message, reply), judge()).first->second;
}

bool may_be_too_much(const json::Value& reply) {
  if (reply.is(Kind::array)) {
    return std::any_of(reply.children().begin(), reply.children().end(), may_be_too_much);
  }
  const json::Value* error = reply.find("error");
  const auto code = error != nullptr ? judge::code_of(*error) : std::nullopt;
  return code && !judge::tells_another_stage(*code) && code != -32602 && code != -32601;
}

judge::Judgement judge_in_company(const Oracle& oracle, const std::string& message,
                                  const Company& company, const Exchange& exchange,
                                  const dialogue::SurvivalCheck& survival, Suits& suits) {
  const Traits& traits = oracle.traits();
  // Behind a connection's end nothing is read.
  const Company read = closes_at_cut(exchange, company) ? company.with_behind({}) : company;
  std::vector<Sent> sent;
  for (auto& each : written(message, read)) {
    Expectation expectation = expectation_of(each, traits);
    sent.push_back({std::move(each), std::move(expectation)});
  }
  const std::size_t place = company.ahead.size();
  const bool is_open =
      std::any_of(sent.begin(), sent.end(), [](const Sent& each) { return each.expectation.open; });
  if (is_open || !is_certain(exchange, company)) return {};
  // Where nothing marks the end of a broken message, it may end with those behind it.
  const auto broken = std::count_if(sent.begin(), sent.end(), is_broken);
  if (broken > 0 && traits.binding->structures_only) return {};
  const bool is_beside_broken = broken > (is_broken(sent[place]) ? 1 : 0);
  const Trial trial(oracle, std::move(sent), place, exchange.replies, suits);
  const bool is_closed = exchange.ending == Ending::closed;
  if (is_closed && trial.is_answered()) return {};
  const auto wrong = trial.wrong();
  if (!wrong) return {};
  Exchange own = exchange_of(trial.message(), *wrong);
  if (is_closed && own.ending == Ending::timed_out) {
    own.ending = Ending::closed;
    own.detail = exchange.detail;
  }
  auto judgement = oracle.judge_exchange(trial.message().expectation, own, survival);
  for (auto& each : judgement.findings) {
    if (!is_of_company(each, *wrong)) continue;
    each.requirement = requirement_of(company, *traits.binding);
    // As in the corpus: that a server loses what stands beside a broken message is a warning.
    if (is_beside_broken) each.severity = corpus::Verdict::warn;
    judgement.exercised.insert(each.requirement);
  }
  return judgement;
}

}  // namespace jrpcheck::fuzz
