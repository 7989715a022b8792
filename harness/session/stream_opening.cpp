#include "session/stream_opening.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/duration_text.hpp"
#include "base/letter_case.hpp"
#include "session/folder.hpp"
#include "session/incoming.hpp"
#include "session/intake.hpp"
#include "session/opening.hpp"
#include "session/peer_conversation.hpp"

namespace jrpcheck::session {
namespace {

using dialogue::Direction;

constexpr const char* kDuringOpening = "during the opening";

// What came while an opening message waits for the answer with this id. Text that is no message is
// no more one than it is during a case.
dialogue::Event what_came(const wire::Frame& frame, const std::string& key,
                          const IncomingSorter& sorter) {
  dialogue::Event event{Direction::aside, {}, frame.payload, kDuringOpening};
  if (!frame.is_message()) {
    if (!frame.beyond_limit) event.direction = Direction::violation;
    event.note = frame.violation;
    return event;
  }
  const dialogue::Message message(frame.payload);
  const auto keys = dialogue::id_keys_of(message);
  if (sorter.sort(message) == IncomingKind::noise) {
    event.direction = Direction::noise;
  } else if (message.find("method") != nullptr) {
    event.direction = Direction::unasked;
  } else if (contains(keys, key)) {
    event.direction = Direction::received;
  }
  return event;
}

bool is_response(const dialogue::Message& message) {
  return message.find("result") != nullptr || message.find("error") != nullptr;
}

// Behind a Response with another id the right one may follow.
constexpr std::chrono::seconds kAfterWrongId{2};

// Behind one in another framing it will not: this is for a program that also prints such lines.
constexpr std::chrono::seconds kAfterOtherFraming{2};

constexpr std::size_t kOpeningShown = 120;

// Whether it answers the opening message, be it by saying that nobody can read it.
bool answers(const wire::Frame& frame, const std::vector<std::string>& keys) {
  if (!frame.is_message()) return false;
  const dialogue::Message message(frame.payload);
  const json::Value* version = message.find("jsonrpc");
  if (version == nullptr || !is_response(message)) return false;
  const auto own = dialogue::id_keys_of(message);
  const json::Value* id = message.find("id");
  const bool is_to_nobody = id != nullptr && id->is(json::Kind::null);
  return (is_to_nobody && message.find("error") != nullptr) ||
         std::any_of(own.begin(), own.end(),
                     [&keys](const auto& key) { return contains(keys, key); });
}

std::string answer_within(const wire::Binding& binding, const std::string& bytes,
                          const std::vector<std::string>& keys) {
  const auto framing = binding.framing(kReplyLimits);
  framing->feed(bytes);
  while (const auto frame = framing->next()) {
    if (answers(*frame, keys)) return frame->payload;
  }
  return {};
}

// A head that nobody can read, as where a space stands before its colon (RFC 9110 §5.1), parts no
// values that stand one behind the other.
bool is_behind_unread_head(const std::string& bytes, const std::string& answer) {
  const std::string before = in_lower_case(bytes.substr(0, bytes.find(answer)));
  return before.find("content-length") != std::string::npos;
}

Result<bool> send_opening(const std::string& message, Channel& channel, const Patience& patience,
                          dialogue::Transcript& transcript) {
  const auto begin = Clock::now();
  const microseconds most = patience.for_first_answer();
  const Deadline deadline = Deadline::in(most);
  const wire::Binding& spoken = *channel.settings.binding;
  if (const auto answer = answer_of_opening(message, channel.settings.opening.answers,
                                            *channel.stream, spoken, deadline, transcript)) {
    if (is_refused(*answer)) return refused_opening(message, *answer);
    return true;
  }
  const auto program = channel.program();
  const auto reaping = Deadline::in(channel.stream->ended() ? kReaping : milliseconds(0));
  const auto how = program ? program->ended(reaping) : std::nullopt;
  const auto elapsed = time_since(begin);
  const microseconds waited = std::min(elapsed, most);  // less where an interruption came
  return unanswered_opening(message, *channel.stream, spoken, how,
                            deadline.passed() ? waited : microseconds(0),
                            program ? program->standard_error_tail() : std::string());
}

}  // namespace

Result<bool> go_through_opening(Channel& channel, const Patience& patience,
                                dialogue::Transcript& transcript) {
  const auto* folder = channel.own_folder();
  const auto& opening = channel.settings.opening;
  for (const auto& message : opening.messages) {
    auto opened = send_opening(
        folder == nullptr ? message : with_folder(message, *opening.folder_place, folder->uri()),
        channel, patience, transcript);
    if (!opened) return opened;
  }
  return true;
}

AnswerInOtherFraming answer_in_other_framing(const std::string& message, const FramedStream& stream,
                                             const wire::Binding& spoken) {
  const auto keys = dialogue::id_keys_of(dialogue::Message(message));
  if (!spoken.is_framing() || stream.first_bytes().empty()) return {};
  for (const auto& binding : wire::bindings()) {
    if (!binding.is_framing() || binding.name == spoken.name) continue;
    auto text = answer_within(binding, stream.first_bytes(), keys);
    if (!text.empty()) return {binding.name, std::move(text)};
  }
  return {};
}

std::optional<std::string> answer_of_opening(const std::string& opening_message,
                                             const std::map<std::string, std::string>& answers,
                                             FramedStream& stream, const wire::Binding& spoken,
                                             Deadline deadline, dialogue::Transcript& transcript) {
  const auto keys = dialogue::id_keys_of(dialogue::Message(opening_message));
  const std::string framed = stream.encode(opening_message);
  transcript.add(dialogue::Direction::sent, stream.shown(opening_message, framed), "opening");
  const Volume before = stream.received();
  stream.send(framed, deadline);
  const IncomingSorter sorter(spoken.delimits_messages);
  std::optional<std::size_t> with_wrong_id;  // an event of the transcript
  bool is_in_other_framing = false;
  while (!keys.empty()) {
    const auto frame = stream.receive_some(deadline);
    if (!frame && !is_in_other_framing &&
        !answer_in_other_framing(opening_message, stream, spoken).text.empty()) {
      is_in_other_framing = true;
      deadline = Deadline::earlier(deadline, Deadline::in(kAfterOtherFraming));
    }
    if (!frame && !stream.ended() && !deadline.passed() && !is_flood(before, stream.received())) {
      continue;
    }
    if (!frame && with_wrong_id) {
      // One call is under way: this answers it, badly.
      transcript.put_right(*with_wrong_id, Direction::received, kDuringOpening);
      return transcript.events()[*with_wrong_id].bytes;
    }
    if (!frame || is_flood(before, stream.received())) return std::nullopt;
    if (frame->control) {
      dialogue::Exchange aside;
      Intake::take_control(*frame, aside, transcript);
      continue;
    }
    auto event = what_came(*frame, keys.front(), sorter);
    const Direction direction = event.direction;
    transcript.add(std::move(event));
    if (direction == Direction::received) return frame->payload;
    if (direction == Direction::aside && !with_wrong_id && is_response(frame->payload)) {
      with_wrong_id = transcript.whole().size() - 1;
      deadline = Deadline::earlier(deadline, Deadline::in(kAfterWrongId));
    }
    if (const auto answer =
            frame->is_message() ? answer_to_request(frame->payload, answers) : std::nullopt) {
      const std::string bytes = stream.encode(*answer);
      transcript.add(dialogue::Direction::sent, stream.shown(*answer, bytes),
                     std::string(dialogue::kOwnAnswerNote));
      stream.send(bytes, deadline);
    }
  }
  return std::string();
}

Error unanswered_opening(const std::string& message, const FramedStream& stream,
                         const wire::Binding& spoken,
                         const std::optional<transport::ExitStatus>& how_ended, microseconds waited,
                         const std::string& standard_error) {
  const auto otherwise = answer_in_other_framing(message, stream, spoken);
  std::string text = shown_opening(message) + " was ";
  const bool has_unread_head = !otherwise.text.empty() &&
                               wire::known_binding(otherwise.framing).structures_only &&
                               is_behind_unread_head(stream.first_bytes(), otherwise.text);
  if (has_unread_head) {
    text += "sent as " + std::string(spoken.name) +
            " and answered behind a head that cannot be read: " +
            to_visible(stream.first_bytes().substr(0, kOpeningShown));
    return {text + "\n" + to_visible_lines(standard_error)};
  }
  if (!otherwise.text.empty()) {
    text += "sent as " + std::string(spoken.name) + " and answered as " +
            std::string(otherwise.framing) + ": " + to_visible(otherwise.text, kOpeningShown) +
            "; --framing " + std::string(otherwise.framing) + " speaks that";
    return {text + "\n" + to_visible_lines(standard_error)};
  }
  text += "not answered";
  if (how_ended) {
    text += ": the program " + how_ended->text();
  } else if (waited.count() > 0) {
    text += " in " + duration_text(waited);
    if (!is_interrupted()) text += "; --start-timeout gives it more";
  }
  if (!stream.first_bytes().empty()) {
    text += "; what came begins with " + to_visible(stream.first_bytes().substr(0, kOpeningShown));
  }
  return {text + "\n" + to_visible_lines(standard_error)};
}

}  // namespace jrpcheck::session
