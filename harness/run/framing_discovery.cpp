#include "run/framing_discovery.hpp"

#include <algorithm>
#include <memory>

#include "base/bytes.hpp"
#include "session/framed_stream.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::run {
namespace {

using wire::Binding;

// How long one candidate is listened to before it is the other's turn.
constexpr milliseconds kTurn{5};

// Most programs have come up and answered by then.
constexpr milliseconds kBeforeOthers{5000};

class Candidate {
 public:
  Candidate(const Binding& binding, transport::Connection connection)
      : binding_(&binding),
        connection_(std::move(connection)),
        stream_(*connection_.stream, binding),
        sorter_(binding.delimits_messages),
        begin_(Clock::now()) {}

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
  microseconds age() const {
    return std::chrono::duration_cast<microseconds>(Clock::now() - begin_);
  }
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
  Clock::time_point begin_;
};

using Candidates = std::vector<std::unique_ptr<Candidate>>;

// Says the same in each framing that is tried.
Result<bool> speak(transport::Peer& peer, const std::vector<std::string>& messages,
                   Deadline deadline, Candidates& candidates) {
  for (const Binding& binding : wire::bindings()) {
    if (!binding.tried_unasked) continue;
    auto connection = peer.connect(deadline);
    if (!connection) return connection.error();
    candidates.push_back(std::make_unique<Candidate>(binding, *std::move(connection)));
    candidates.back()->speak(messages, deadline);
  }
  return true;
}

}  // namespace

Result<FoundFraming> discover_framing(transport::Peer& peer, const std::string& name,
                                      const session::Opening& opening,
                                      const session::ControlCall& call, Deadline deadline) {
  std::vector<std::string> messages = opening.messages;
  // Some servers answer no call without params: any answer tells the framing.
  long long id = 1;
  for (const char* params : {"", "[]", "{}"}) {
    messages.push_back(session::ControlCall{call.method, params, call.dialect}.text(id++));
  }
  Candidates candidates;
  if (auto spoken = speak(peer, messages, deadline, candidates); !spoken) return spoken.error();
  // A server that takes its time with such calls may have an answer at once to what is no Request.
  std::vector<std::string> others = opening.messages;
  others.insert(others.end(), {R"({"jsonrpc":"2.0","id":4})", "[]"});
  Deadline patience = Deadline::in(kBeforeOthers);
  while (!deadline.passed()) {
    if (patience.passed() && !others.empty()) {
      const bool is_gone = std::all_of(candidates.begin(), candidates.end(),
                                       [](const auto& each) { return each->ended(); });
      if (!is_gone) {
        auto spoken = speak(peer, others, deadline, candidates);
        if (!spoken) return spoken.error();
      }
      others.clear();
    }
    bool all_ended = true;
    for (auto& candidate : candidates) {
      const auto turn = Deadline::earlier(deadline, Deadline::in(kTurn));
      if (candidate->listen(turn)) return FoundFraming{candidate->binding(), candidate->age()};
      all_ended = all_ended && candidate->ended();
    }
    if (all_ended) {
      return Error{"'" + name + "' ended before it answered a call: it " +
                   candidates.front()->obituary()};
    }
  }
  return FoundFraming{&wire::default_stream_binding(), {}};
}

}  // namespace jrpcheck::run
