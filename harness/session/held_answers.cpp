#include "session/held_answers.hpp"

#include <algorithm>

#include "base/duration_text.hpp"
#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "session/channel.hpp"
#include "session/patience.hpp"
#include "session/waiting.hpp"

namespace jrpcheck::session {
namespace {

// What decides by which way an answer leaves: what it is, its length, and its letters.
std::string kind_of(const dialogue::Message& sent, const dialogue::Message& reply) {
  constexpr std::size_t kLong = 4096;  // the least that buffers hold
  const json::Value& value = *reply.value();
  const json::Value* code = json::at(value, "/error/code");
  std::string kind = value.is(json::Kind::array)      ? "batch"
                     : code != nullptr                ? json::write(*code)
                     : value.find("error") != nullptr ? "error"
                                                      : "success";
  const auto is_any = [&](const auto& has) { return has(sent.text()) || has(reply.text()); };
  if (is_any([](const std::string& text) { return text.size() > kLong; })) kind += ", long";
  const auto is_beyond_ascii = [](unsigned char letter) { return letter >= 0x80U; };
  if (is_any([&](const auto& text) { return std::ranges::any_of(text, is_beyond_ascii); })) {
    kind += ", beyond ASCII";
  }
  return kind;
}

// One message and the one answer to it, which a second one is as well.
bool is_plain(const dialogue::Exchange& exchange) {
  if (exchange.sent.size() != 1 || exchange.replies.size() != 1) return false;
  const dialogue::Reply& reply = exchange.replies.front();
  const auto ids = dialogue::id_keys_of(reply);
  const bool has_its_ids =
      !ids.empty() && std::ranges::is_permutation(ids, dialogue::id_keys_of(exchange.sent.front()));
  return reply.value() != nullptr && (has_its_ids || dialogue::is_of_unknown_call(reply));
}

// The message once more, and what becomes of it.
class AskedAlone {
 public:
  AskedAlone(Channel& channel, Patience& patience, microseconds most,
             dialogue::Transcript& transcript)
      : channel_(channel),
        patience_(patience),
        most_(most),
        transcript_(transcript),
        waiting_{channel.due_in(most), {}, channel.stream->received()} {}

  bool lets_go_only_for_more(const dialogue::Message& message) {
    const auto since = transcript_.whole().size();
    const std::string framed = channel_.stream->encode(message.text());
    transcript_.add(dialogue::Direction::sent, channel_.stream->shown(message.text(), framed),
                    std::string(dialogue::kAskedAloneNote));
    channel_.stream->send(framed, waiting_.deadline);
    const bool is_held = !await_answer() && !has_heard_ && comes_behind_more();
    if (again_.replies.empty() && has_heard_) {  // or it would come behind what is sent next
      waiting_.deadline = channel_.due_in(patience_.timeout());
      await_answer();
    }
    transcript_.set_aside(since, std::string(dialogue::kAnswersAloneNote));
    return is_held;
  }

 private:
  bool listen(const auto& is_enough) {
    while (!is_enough() && !channel_.stream->ended() && !waiting_.deadline.passed()) {
      if (channel_.intake.owes()) channel_.answer_requests(waiting_.deadline, transcript_);
      if (channel_.await_frame(waiting_.deadline, again_, waiting_, transcript_)) has_heard_ = true;
    }
    return is_enough();
  }
  bool await_answer() {
    return listen([&] { return !again_.replies.empty(); });
  }

  // Much sooner than it had been waited for in vain, or it was slow again.
  bool comes_behind_more() {
    constexpr int kMuchSooner = 4;
    if (!channel_.stream->can_write()) return false;
    transcript_.add(dialogue::Direction::quiet, {},
                    "no answer in " + duration_text(most_) + ", with nothing sent behind it");
    waiting_.deadline = channel_.due_in(patience_.timeout());
    const auto begin = Clock::now();
    waiting_.control_id = channel_.send_control(waiting_.deadline, transcript_);
    const bool has_come = await_answer();
    const bool at_once = time_since(begin) * kMuchSooner < most_;
    const bool goes_on = listen([&] { return waiting_.control_answered; });
    return has_come && at_once && goes_on;
  }

  Channel& channel_;
  Patience& patience_;
  microseconds most_;
  dialogue::Transcript& transcript_;
  dialogue::Exchange again_ = {};
  bool has_heard_ = false;
  Waiting waiting_;
};

}  // namespace

std::optional<bool> HeldAnswers::find(const std::string& kind) const {
  const std::lock_guard lock(mutex_);
  const auto known = kinds_.find(kind);
  return known == kinds_.end() ? std::nullopt : std::optional(known->second);
}

void HeldAnswers::note(const std::string& kind, bool is_held) {
  const std::lock_guard lock(mutex_);
  bool& known = kinds_.try_emplace(kind, is_held).first->second;
  known = known && is_held;
}

void note_what_is_held(Channel& channel, Patience& patience, const Waiting& waiting,
                       dialogue::Exchange& exchange, dialogue::Transcript& transcript) {
  constexpr int kTimes = 2;  // who is slow by chance is not so each time for as long
  HeldAnswers& known = patience.held_answers();
  if (!known.are_watched() || !waiting.before_call || !is_plain(exchange)) return;
  if (channel.late_by_one || channel.stream->ended() || !channel.stream->can_write()) return;
  const auto& sent = exchange.sent.front();
  const std::string kind = kind_of(sent, exchange.replies.front());
  const auto before = known.find(kind);
  const microseconds most =
      before ? *waiting.before_call : patience.for_answer_alone(*waiting.before_call);
  if (!before && waiting.came_at_once) {
    bool is_held = true;
    for (int time = 0; is_held && time < kTimes; ++time) {
      is_held = AskedAlone(channel, patience, most, transcript).lets_go_only_for_more(sent);
    }
    known.note(kind, is_held);
  }
  if (!known.find(kind).value_or(false)) return;
  exchange.held_until_more = "nothing in " + duration_text(most) +
                             ", and the answer as soon as a control call was sent" +
                             (before ? "; so it is with each of its kind" : ", again and again");
}

}  // namespace jrpcheck::session
