#include "run/framing_discovery.hpp"

#include <memory>

#include "base/bytes.hpp"
#include "session/framed_stream.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::run {
namespace {

using wire::Binding;

// How long one candidate is listened to before it is the other's turn.
constexpr milliseconds kTurn{5};

class Candidate {
 public:
  Candidate(const Binding& binding, transport::Connection connection)
      : binding_(&binding),
        connection_(std::move(connection)),
        stream_(*connection_.stream, binding),
        sorter_(binding.delimits_messages) {}

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
  const Binding* binding() const { return binding_; }

  std::string obituary() {
    const auto& program = connection_.program;
    if (!program) return "closed the connection";
    const auto status = program->ended(Deadline::in(milliseconds(200)));
    std::string text = status ? status->text() : "closed its output";
    const std::string tail = program->standard_error_tail();
    if (!tail.empty()) text += "; its standard error:\n" + to_visible_lines(tail);
    return text;
  }

 private:
  const Binding* binding_;
  transport::Connection connection_;
  session::FramedStream stream_;
  session::IncomingSorter sorter_;
};

}  // namespace

Result<const Binding*> discover_framing(transport::Peer& peer, const std::string& name,
                                        const session::Opening& opening,
                                        const session::ControlCall& call, Deadline deadline) {
  std::vector<std::string> messages = opening.messages;
  messages.push_back(call.text(1));
  std::vector<std::unique_ptr<Candidate>> candidates;
  for (const Binding& binding : wire::bindings()) {
    if (!binding.tried_unasked) continue;
    auto connection = peer.connect(deadline);
    if (!connection) return connection.error();
    candidates.push_back(std::make_unique<Candidate>(binding, *std::move(connection)));
    candidates.back()->speak(messages, deadline);
  }
  while (!deadline.passed()) {
    bool all_ended = true;
    for (auto& candidate : candidates) {
      const auto turn = Deadline::earlier(deadline, Deadline::in(kTurn));
      if (candidate->listen(turn)) return candidate->binding();
      all_ended = all_ended && candidate->ended();
    }
    if (all_ended) {
      return Error{"'" + name + "' ended before it answered a call: it " +
                   candidates.front()->obituary()};
    }
  }
  return &wire::default_stream_binding();
}

}  // namespace jrpcheck::run
