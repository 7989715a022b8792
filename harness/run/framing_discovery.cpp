#include "run/framing_discovery.hpp"

#include <memory>

#include "base/bytes.hpp"
#include "session/framed_stream.hpp"
#include "session/incoming.hpp"
#include "transport/child_process.hpp"

namespace jrpcheck::run {
namespace {

using transport::ChildProcess;
using wire::FramingKind;

// How long one candidate is listened to before it is the other's turn.
constexpr milliseconds kTurn{5};

class Candidate {
 public:
  Candidate(FramingKind framing, std::unique_ptr<ChildProcess> process)
      : framing_(framing),
        process_(std::move(process)),
        stream_(process_->stream(), framing),
        sorter_(framing == FramingKind::content_length) {}

  void speak(const std::vector<std::string>& messages, Deadline deadline) {
    for (const auto& message : messages) {
      stream_.send(stream_.encode(message), Deadline::earlier(deadline, Deadline::in(kTurn)));
    }
  }

  // Whether a message in this framing has come.
  bool listen(Deadline deadline) {
    const auto frame = stream_.receive(deadline);
    if (!frame || !frame->is_message()) return false;
    const auto kind = sorter_.sort(frame->payload);
    const auto first = frame->payload.find_first_not_of(" \t\r\n");
    const bool is_object = first != std::string::npos && frame->payload[first] == '{';
    return is_object && kind != session::IncomingKind::noise;
  }

  bool ended() const { return stream_.ended(); }
  FramingKind framing() const { return framing_; }

  std::string obituary() {
    const auto status = process_->await_exit(Deadline::in(milliseconds(200)));
    std::string text = status ? status->text() : "closed its output";
    const std::string tail = process_->standard_error_tail();
    if (!tail.empty()) text += "; its standard error:\n" + to_visible_lines(tail);
    return text;
  }

 private:
  FramingKind framing_;
  std::unique_ptr<ChildProcess> process_;
  session::FramedStream stream_;
  session::IncomingSorter sorter_;
};

}  // namespace

Result<FramingKind> discover_framing(const std::vector<std::string>& command,
                                     const session::Opening& opening,
                                     const session::ControlCall& call,
                                     transport::Guardian& guardian, Deadline deadline) {
  std::vector<std::string> messages = opening.messages;
  // Some servers answer no call without params: any answer tells the framing.
  long long id = 1;
  for (const char* params : {"", "[]", "{}"}) {
    messages.push_back(session::ControlCall{call.method, params, call.dialect}.text(id++));
  }
  std::vector<std::unique_ptr<Candidate>> candidates;
  for (const auto framing : {FramingKind::lines, FramingKind::content_length}) {
    auto process = ChildProcess::start(command, ChildProcess::Output::piped, guardian);
    if (!process) return process.error();
    candidates.push_back(std::make_unique<Candidate>(framing, *std::move(process)));
    candidates.back()->speak(messages, deadline);
  }
  while (!deadline.passed()) {
    bool all_ended = true;
    for (auto& candidate : candidates) {
      const auto turn = Deadline::earlier(deadline, Deadline::in(kTurn));
      if (candidate->listen(turn)) return candidate->framing();
      all_ended = all_ended && candidate->ended();
    }
    if (all_ended) {
      return Error{"'" + command[0] + "' ended before it answered a call: it " +
                   candidates.front()->obituary()};
    }
  }
  return FramingKind::lines;
}

}  // namespace jrpcheck::run
