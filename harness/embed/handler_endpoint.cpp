#include "embed/handler_endpoint.hpp"

#include <exception>

#include "corpus/reply_count.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::embed {

HandlerConversation::Answer HandlerConversation::ask(const std::string& message,
                                                     dialogue::Transcript& transcript) const {
  transcript.add(dialogue::Direction::sent, message);
  Answer answer;
  try {
    answer.reply = handler_(message);
  } catch (const std::exception& error) {
    answer.thrown = std::string("the handler threw an exception: ") + error.what();
  } catch (...) {
    answer.thrown = "the handler threw something that is no std::exception";
  }
  if (answer.reply && answer.reply->empty()) answer.reply.reset();
  if (answer.reply) transcript.add(dialogue::Direction::received, *answer.reply);
  if (!answer.thrown.empty()) transcript.add(dialogue::Direction::exited, {}, answer.thrown);
  return answer;
}

dialogue::Exchange HandlerConversation::exchange(const corpus::Step& step,
                                                 dialogue::Transcript& transcript) {
  dialogue::Exchange exchange;
  thrown_.clear();
  for (const auto& message : step.messages) {
    exchange.sent.push_back(message);
    Answer answer = ask(message.text(), transcript);
    if (answer.reply) exchange.replies.push_back({*std::move(answer.reply)});
    if (answer.thrown.empty()) continue;
    thrown_ = std::move(answer.thrown);
    exchange.ending = dialogue::Ending::exited;
    exchange.detail = thrown_;
    ++generation_;
    return exchange;
  }
  if (exchange.replies.size() < corpus::count_replies(step).least) {
    exchange.ending = dialogue::Ending::timed_out;
    exchange.detail = "the handler returned nothing";
    transcript.add(dialogue::Direction::quiet, {}, exchange.detail);
  }
  return exchange;
}

dialogue::SurvivalCheck HandlerConversation::check_survival(dialogue::Transcript& transcript) {
  if (!thrown_.empty()) {
    dialogue::SurvivalCheck check{dialogue::Survival::dead, std::move(thrown_), {}};
    thrown_.clear();
    return check;
  }
  const long long id = control_id_++;
  const Answer answer = ask(control_.text(id), transcript);
  if (answer.reply && session::IncomingSorter::answers(*answer.reply, id)) {
    return {dialogue::Survival::alive, {}, {}};
  }
  if (!answer.thrown.empty()) {
    ++generation_;
    return {dialogue::Survival::dead, answer.thrown, {}};
  }
  return {dialogue::Survival::deaf, "the handler does not answer a call any more", {}};
}

}  // namespace jrpcheck::embed
