#include "run/how_to_ask.hpp"

#include "run/dialect_probe.hpp"
#include "run/first_answers.hpp"
#include "run/harmless_calls.hpp"

namespace jrpcheck::run {
namespace {

using dialogue::Survival;
using session::Conversation;

constexpr long long kFirstHarmlessId = 4'900'001;
constexpr long long kPresentId = 4'890'001;

// A call that is answered by a server which then goes away may be answered by the next one.
dialogue::SurvivalCheck check_twice(Conversation& conversation, Endings& endings) {
  dialogue::Transcript aside;
  auto check = conversation.check_survival(aside);
  if (!is_lost(check.survival) || !conversation.usable()) return check;
  auto second = conversation.check_survival(aside);
  if (second.survival != Survival::alive) return check;
  endings.note_unexplained(check, kAtTheBeginning);
  return second;
}

// Whether some harmless method is answered where the unknown one was not, on a connection of its
// own: what was sent before may still keep the server busy.
bool settle_on_harmless_method(Endpoint& endpoint, Conversation& conversation,
                               const session::ControlCall& present,
                               const corpus::RoleBindings& roles, bool with_id = false) {
  long long id = kFirstHarmlessId;
  for (const auto& call : harmless_calls(roles, present.dialect)) {
    conversation.use_control_call(call);
    const auto step = corpus::step_sending(call.text(id++));
    dialogue::Transcript aside;
    if (!conversation.open(aside)) continue;
    const auto exchange = conversation.exchange(step, aside);
    if (has_response({exchange}) && (!with_id || carries_the_id(exchange)) &&
        conversation.check_survival(aside).survival == Survival::alive) {
      endpoint.use_control_call(call);
      return true;
    }
  }
  conversation.use_control_call(present);
  return false;
}

// Whether the call by which its protocol asks is answered, and not under its id: who loses ids in
// results alone keeps them in errors.
bool loses_id_of(const session::ControlCall& present, Conversation& conversation) {
  if (present.method == unknown_control_call().method || !conversation.usable()) return false;
  dialogue::Transcript aside;
  const auto exchange =
      conversation.exchange(corpus::step_sending(present.text(kPresentId)), aside);
  return has_response({exchange}) && !carries_the_id(exchange);
}

std::string find_control_call(Endpoint& endpoint, Conversation& conversation,
                              const session::ControlCall& present,
                              const corpus::RoleBindings& roles, const CaseRun& first,
                              Endings& endings) {
  if (!first.exchanges.empty() && first.exchanges.back().held_back) {
    return "The server keeps each answer back until the next message comes.";
  }
  if (has_response(first.exchanges)) {
    const bool is_theirs = first.has_its_id;
    // Many a server loses the id in its errors, and in these alone.
    if (!is_theirs && conversation.usable() &&
        settle_on_harmless_method(endpoint, conversation, present, roles, true)) {
      return {};
    }
    if (is_theirs && loses_id_of(present, conversation) &&
        settle_on_harmless_method(endpoint, conversation, present, roles, true)) {
      return {};
    }
    const auto check = check_twice(conversation, endings);
    if (check.survival == Survival::alive) return {};
    if (is_theirs && conversation.usable() &&
        settle_on_harmless_method(endpoint, conversation, present, roles)) {
      return {};
    }
    if (is_theirs) endings.note_unexplained(check, kAtTheBeginning);
    if (check.survival == Survival::dead) return "The server answers one call and then ends.";
    if (is_theirs) return "The server answers one call and then nothing more.";
    if (first.exchanges.back().replies.empty()) {
      return "The server answers one call, and the next with " + what_came(first.exchanges) + ".";
    }
    return "The server answers, but its replies do not carry the id of the call, so nothing that "
           "follows can be told apart: " +
           what_came(first.exchanges);
  }
  // What every server of a protocol serves may be all that this one lets us call. Who refuses each
  // call for their number is there, and answers none.
  const bool is_limited = !first.exchanges.empty() && first.exchanges.back().limited;
  if (present.method != unknown_control_call().method) {
    const auto check = check_twice(conversation, endings);
    const dialogue::Message answer(check.answer);
    const bool is_array = answer.outline() != nullptr && answer.outline()->is(json::Kind::array);
    if (check.survival == Survival::alive && !is_array && !(is_limited && check.answer.empty()))
      return {};
  }
  if (settle_on_harmless_method(endpoint, conversation, present, roles)) return {};
  if (is_limited) {
    return "The server refuses to be called so often, whatever time it is given: a call of a "
           "method came back as " +
           what_came(first.exchanges);
  }
  return "The server speaks no JSON-RPC 2.0: a call of a method came back as " +
         what_came(first.exchanges) + "." + hint_for(first.exchanges);
}

}  // namespace

Obstacle find_how_to_ask(Endpoint& endpoint, Conversation& conversation,
                         const session::ControlCall& present, const corpus::RoleBindings& roles,
                         CaseRun& first, Endings& endings) {
  const bool answered = has_response(first.exchanges);
  std::string other_dialect;
  const auto recognise = [&] {
    if (present.dialect != corpus::Dialect::json_rpc_1_0) {
      other_dialect = recognise_1_0(first.exchanges, conversation);
    }
  };
  if (answered) recognise();
  std::string obstacle;
  if (other_dialect.empty()) {
    obstacle = find_control_call(endpoint, conversation, present, roles, first, endings);
    if (!answered && !obstacle.empty()) recognise();
  }
  if (other_dialect.empty()) return {obstacle};
  note_fact(fact_event(dialogue::Fact::speaks_1_0, {}, other_dialect), first.result);
  return {other_dialect, true};
}

}  // namespace jrpcheck::run
