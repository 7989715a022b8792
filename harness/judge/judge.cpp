#include "judge/judge.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "base/last_words.hpp"
#include "judge/envelope.hpp"
#include "judge/fact.hpp"
#include "judge/habit.hpp"
#include "judge/http_step.hpp"
#include "judge/left_out_id.hpp"
#include "judge/limited_user.hpp"
#include "judge/observe.hpp"
#include "judge/on_the_wire.hpp"
#include "judge/protocol.hpp"
#include "judge/step_judge.hpp"
#include "judge/websocket_step.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Survival;

// Where a case charges the end to what it is about, what came just before it is no second fault of
// that.
void drop_what_led_to(std::size_t end, std::vector<Finding>& findings) {
  std::vector<Finding> kept;
  std::vector<std::string> habits;  // by which what rests on the case knows it
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& last = findings[end];
    const bool led_to_it = i != end && findings[i].requirement == last.requirement &&
                           findings[i].step == last.step && findings[i].severity == last.severity;
    if (!led_to_it) {
      kept.push_back(findings[i]);
    } else {
      habits.insert(habits.end(), findings[i].habits.begin(), findings[i].habits.end());
    }
  }
  kept.back().habits.insert(kept.back().habits.end(), habits.begin(), habits.end());
  findings = std::move(kept);
}

void judge_survival(const dialogue::SurvivalCheck& check, const corpus::Step& step,
                    Charger& charger) {
  if (check.survival == Survival::unasked) return;
  charger.exercise("rob-survives");
  if (check.survival == Survival::alive) return;
  const Symptom symptom = check.survival == Survival::dead     ? Symptom::died
                          : check.survival == Survival::wedged ? Symptom::serves_no_connection
                          : check.answers_next                 ? Symptom::call_behind_left_out
                                               : Symptom::serves_not_this_connection;
  std::string actual =
      check.answers_next ? "none; the call behind that one is answered" : check.detail;
  if (!check.standard_error.empty()) {
    actual += "; standard error ends with: " + last_words(check.standard_error);
  }
  auto& findings = charger.judgement().findings;
  const std::size_t known = findings.size();
  Fault fault{symptom, "an answer to the control call that follows", std::move(actual)};
  if (check.survival == Survival::deaf) fault.habits = deafness_habits(step);
  charger.charge(charge_of_end(step), std::move(fault));
  if (findings.size() > known) drop_what_led_to(known, findings);
}

bool names(const corpus::Case& bound, std::string_view requirement) {
  return contains(bound.requirements, requirement);
}

// Findings that say the same twice (one reply in several roles) are one.
void drop_repeated(std::vector<Finding>& findings) {
  std::vector<Finding> kept;
  for (auto& each : findings) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const Finding& other) {
      return identity_of(other) == identity_of(each) && other.actual == each.actual &&
             other.step == each.step;
    });
    if (!known) kept.push_back(std::move(each));
  }
  findings = std::move(kept);
}

void drop_systematic(const corpus::Case& bound, const Context& context, Judgement& judgement) {
  auto& findings = judgement.findings;
  const auto dropped = std::stable_partition(
      findings.begin(), findings.end(),
      [&](const Finding& finding) { return context.systematic.count(finding.requirement) == 0; });
  const bool is_the_subject = std::any_of(dropped, findings.end(), [&](const Finding& finding) {
    return finding.requirement == bound.requirements.front();
  });
  // What the case asks about is violated: it must not look as if it had passed.
  if (is_the_subject)
    judgement.unjudged = "every reply violates it, as the calibration has charged";
  findings.erase(dropped, findings.end());
}

// The answer to the call behind a silence came while it was asked again, and not because it was: it
// is slow, as a server is that takes up its work where the silence is, and has stopped nothing. Nor
// has it lost its place in the stream where a header is broken: who reads late reads several
// messages at once, and may hold them back until another comes.
void let_be_what_came_late(const corpus::Step& step, const dialogue::Exchange& last,
                           const dialogue::SurvivalCheck& check, Judgement& judgement) {
  const bool is_late = check.survival == Survival::alive && check.answered_meanwhile &&
                       last.ending == dialogue::Ending::timed_out;
  const bool is_about_framing = step.raw && step.charge.count("silence") != 0;
  const auto said_to_have_stopped = [&](const Finding& each) {
    return (check.was_slow && each.symptom == Symptom::connection_dropped) ||
           (is_about_framing && each.symptom == Symptom::unanswered);
  };
  if (!is_late || std::erase_if(judgement.findings, said_to_have_stopped) == 0) return;
  judgement.unjudged = "the answer takes longer than is waited for";
}

// A case that asks about the framing itself says what silence means. That the rest of the stream is
// lost with the message is then the same fault and not another.
bool lost_the_stream_only(const corpus::Case& bound, std::span<const dialogue::Exchange> exchanges,
                          const dialogue::SurvivalCheck& check) {
  if (check.survival != Survival::deaf || exchanges.empty()) return false;
  const auto& step = bound.steps[exchanges.size() - 1];
  return step.raw && step.charge.count("silence") != 0 && exchanges.back().replies.empty();
}

// Who ends is seen to; who cannot be read may well serve.
bool is_only_misread(std::span<const dialogue::Exchange> exchanges,
                     const dialogue::SurvivalCheck& check, const wire::Binding& binding) {
  return check.survival != Survival::dead && std::ranges::any_of(exchanges, [&](const auto& each) {
           return has_lost_its_place(each, binding);
         });
}

bool said_nothing(const dialogue::Exchange& exchange) {
  return exchange.replies.empty() && exchange.http_status == 0 && !exchange.close &&
         exchange.pongs.empty() && !exchange.handshake;
}

// What went wrong otherwise says nothing about what the case asks for besides. Of the requirements
// behind the first, nothing is shown either by an outcome of another shape than the one that is
// due: a server that refuses a batch as a whole has answered none of its calls.
bool shows(const corpus::Case& bound, const Judgement& judgement, const std::string& requirement,
           bool ended_in_silence) {
  const bool is_subject = bound.requirements.front() == requirement;
  const auto& findings = judgement.findings;
  const auto charges_it = [&](const Finding& each) { return each.requirement == requirement; };
  const auto spoils_it = [&](const Finding& each) {
    // What it did before it ended it did; to keep silent is nothing done.
    if (each.requirement == "rob-survives") return ended_in_silence;
    const bool is_bad = each.severity == corpus::Verdict::fail ||
                        each.symptom == Symptom::unanswered ||
                        (!is_subject && judgement.came_otherwise);
    return is_bad && !each.rest_counts && !is_envelope_requirement(each.requirement);
  };
  return std::any_of(findings.begin(), findings.end(), charges_it) ||
         std::none_of(findings.begin(), findings.end(), spoils_it);
}

// How the connection itself was carried, where that is what a step is about.
void judge_tls_step(const corpus::Step& step, const dialogue::Exchange& exchange,
                    Charger& charger) {
  const auto named = step.charge.find("connection");
  if (!step.tls || named == step.charge.end() || exchange.lost_connection.empty()) return;
  charger.charge(named->second, {Symptom::tls_broken, "as RFC 8446 and RFC 7301 have it",
                                 exchange.lost_connection});
}

// No login, no payment, no right (RFC 9110 §15.5.2 to §15.5.4): time does not help.
bool keeps_out(const dialogue::Exchange& exchange) {
  return exchange.http_status > 400 && exchange.http_status < 404;
}

// Not the server's fault, or not known to be one.
std::string why_unjudged(const corpus::Step& step, const dialogue::Exchange& exchange,
                         const Context& context) {
  if (!exchange.not_asked.empty()) return exchange.not_asked;
  if (context.law && step.http.method == "POST") {
    auto kept =
        why_kept_from_user(step.messages, exchange, context.law->profile, context.is_user_limited);
    if (!kept.empty()) return kept;
  }
  // Who may do what is the server's own affair, where it is not what the step is about.
  if (exchange.asks_for_login && step.http.headers.empty()) {
    return "the server asks for a login for it (HTTP 401)";
  }
  if (exchange.limited) {
    const std::string how = keeps_out(exchange) ? "the server refuses every call by now"
                                                : "the server limits how often it is called";
    return how + " (HTTP " + std::to_string(exchange.http_status) + ")";
  }
  std::string limit = exchange.beyond_limit;
  for (const auto& reply : exchange.replies) {
    if (reply.is_beyond_limits()) limit = reply.error().message;
  }
  if (limit.empty()) return {};
  return "what came back is beyond a limit of jrpcheck's own: " + limit;
}

bool may_be_request(const dialogue::Message& message) {
  const json::Value* value = message.value();
  if (value == nullptr || !value->is(json::Kind::object)) return true;
  return value->find("method") != nullptr && value->find("id") != nullptr;
}

// Whether the protocol lets an HTTP error say that what the step sends is not accepted.
bool may_be_refused(const corpus::Step& step, const Context& context) {
  if (!context.law || !context.law->profile.http.refuses_notifications) return false;
  const auto sent = step.whole_messages();
  return std::none_of(sent.begin(), sent.end(), may_be_request);
}

std::size_t bytes_in(const std::vector<dialogue::Message>& messages) {
  std::size_t bytes = 0;
  for (const auto& each : messages) bytes += each.text().size();
  return bytes;
}

void exercise_what_was_shown(const corpus::Case& bound, const Judgement& judgement,
                             bool ended_in_silence, Charger& charger) {
  if (judgement.unjudged) return;
  for (const auto& id : bound.requirements) {
    const bool is_shown = shows(bound, judgement, id, ended_in_silence);
    if (is_shown && !is_envelope_requirement(id)) charger.exercise(id);
  }
}

}  // namespace

Judgement judge(const corpus::Case& bound, std::span<const dialogue::Exchange> exchanges,
                const dialogue::SurvivalCheck& survival, const corpus::Ledger& ledger,
                const Context& context) {
  // A stored run may hold more than the case has steps.
  exchanges = exchanges.first(std::min(exchanges.size(), bound.steps.size()));
  Judgement judgement;
  Charger charger(ledger, judgement);
  charger.use(context.dialect);
  const bool lost = lost_the_stream_only(bound, exchanges, survival) ||
                    is_only_misread(exchanges, survival, *context.binding) ||
                    (!exchanges.empty() && is_unframed(exchanges.back()));
  const bool survived =
      lost || survival.survival == Survival::unasked || survival.survival == Survival::alive;
  for (std::size_t step = 0; step < exchanges.size(); ++step) {
    const corpus::Step& asked = bound.steps[step];
    charger.begin_step(step, bytes_in(asked.messages));
    if (const std::string why = why_unjudged(asked, exchanges[step], context); !why.empty()) {
      judgement.unjudged = why;
      // TLS lets servers do without, such as TLS 1.3.
      const bool is_declined = asked.tls && !exchanges[step].not_asked.empty();
      judgement.is_declined = judgement.is_declined || is_declined;
      continue;
    }
    if (const std::string why = why_not_agreed(asked, exchanges[step]); !why.empty()) {
      judgement.unjudged = why;
      judgement.is_declined = true;
      continue;
    }
    // Only the last exchange can have met the server's end.
    const bool alive = survived || step + 1 < exchanges.size();
    auto evidence = read(exchanges[step], may_be_refused(asked, context));
    evidence.is_owed_http = context.binding->pairs_replies;
    if (context.law) {
      evidence.without_id = how_id_is_left_out(context.law->profile, exchanges[step]);
    }
    judge_step(bound, asked, evidence, alive, charger);
    if (asked.same_connection && exchanges[step].on_new_connection) {
      judgement.unjudged = "the server has closed the connection behind a reply";
    }
    judge_http_step(bound, step, exchanges, charger);
    judge_tls_step(asked, exchanges[step], charger);
    if (!asked.accepts(corpus::Outcome::Shape::anything)) {
      judge_framing(exchanges[step], asked.whole_messages(), *context.binding, charger);
    }
    if (context.binding->is_upgrade) {
      judge_websocket_step(bound, asked, exchanges[step], alive, charger);
    }
    if (names(bound, "err-message-uncompared")) observe_messages(exchanges[step], judgement);
    observe_exchange(asked, exchanges[step], judgement);
  }
  if (!lost && !exchanges.empty()) {
    judge_survival(survival, bound.steps[exchanges.size() - 1], charger);
    let_be_what_came_late(bound.steps[exchanges.size() - 1], exchanges.back(), survival, judgement);
  }
  if (!bound.calibration) drop_systematic(bound, context, judgement);
  drop_repeated(judgement.findings);
  if (exchanges.size() < bound.steps.size() && !judgement.unjudged) {
    judgement.unjudged = "the conversation ended before the last step";
  }
  const bool ended_in_silence = !exchanges.empty() && said_nothing(exchanges.back());
  exercise_what_was_shown(bound, judgement, ended_in_silence, charger);
  return judgement;
}

}  // namespace jrpcheck::judge
