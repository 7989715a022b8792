#include "session/tls_conversation.hpp"

#include <algorithm>
#include <utility>

#include "session/forwarding_conversation.hpp"
#include "session/framed_stream.hpp"

namespace jrpcheck::session {
namespace {

// Behind the control calls of the case itself, and of those beside it.
constexpr long long kIdsAside = 950;

// How long the end of a connection is waited for that is to be seen.
constexpr milliseconds kForEnd{1000};

// How long what is refused at once may take to be refused.
constexpr milliseconds kForRefusal{50};

using Stream = std::shared_ptr<transport::ByteStream>;

// What others hold too.
class SharedStream : public transport::ByteStream {
 public:
  explicit SharedStream(Stream stream) : stream_(std::move(stream)) {}
  transport::Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    return stream_->transfer(out, in, deadline);
  }
  void close_write() override { stream_->close_write(); }
  void reset() override { stream_->reset(); }

 private:
  Stream stream_;
};

// One connection, which cannot be had twice.
class PeerOfOneStream : public transport::Peer {
 public:
  explicit PeerOfOneStream(Stream stream) : stream_(std::move(stream)) {}

  Result<bool> start(Deadline) override { return true; }
  Result<transport::Connection> connect(Deadline) override {
    auto stream = std::exchange(stream_, nullptr);
    if (!stream) return Error{"the connection has ended"};
    return transport::Connection{std::make_unique<SharedStream>(std::move(stream))};
  }
  Result<bool> revive(transport::Generation, Deadline) override {
    return Error{"the connection has ended"};
  }
  transport::Generation generation() const override { return 0; }
  bool is_shared() const override { return true; }

 private:
  Stream stream_;
};

// A JSON-RPC message in bytes of which nothing else is known.
std::optional<dialogue::Message> message_in(const std::string& bytes) {
  const auto begin = bytes.find('{');
  const auto end = bytes.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  dialogue::Message message(bytes.substr(begin, end + 1 - begin));
  const bool is_response = message.find("jsonrpc") != nullptr || message.find("result") != nullptr;
  if (!is_response) return std::nullopt;
  return message;
}

class TlsConversation : public ForwardingConversation {
 public:
  TlsConversation(std::unique_ptr<Conversation> usual, transport::Target target,
                  ConverseWith converse, Patience& patience)
      : ForwardingConversation(std::move(usual)),
        target_(std::move(target)),
        converse_(std::move(converse)),
        patience_(patience) {}

  void begin_case(long long first_control_id) override {
    next_id_ = first_control_id + kIdsAside;
    ForwardingConversation::begin_case(first_control_id);
  }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    if (!step.tls) return ForwardingConversation::exchange(step, transcript);
    return step.tls->is_plain ? send_in_the_clear(step, transcript)
                              : exchange_otherwise(step, transcript);
  }

 private:
  dialogue::Exchange exchange_otherwise(const corpus::Step& step, dialogue::Transcript& transcript);
  dialogue::Exchange send_in_the_clear(const corpus::Step& step, dialogue::Transcript& transcript);
  static dialogue::Exchange closed(const corpus::Step& step, const std::string& why,
                                   std::string bytes, dialogue::Transcript& transcript);
  void await_end(transport::ByteStream& stream, const transport::TlsNotes& notes) const;

  transport::Target target_;
  ConverseWith converse_;
  Patience& patience_;
  long long next_id_ = kIdsAside;
};

dialogue::Exchange TlsConversation::closed(const corpus::Step& step, const std::string& why,
                                           std::string bytes, dialogue::Transcript& transcript) {
  dialogue::Exchange exchange;
  exchange.sent.assign(step.messages.begin(), step.messages.end());
  exchange.ending = dialogue::Ending::closed;
  exchange.detail = why;
  transcript.add(dialogue::Direction::closed, std::move(bytes), why);
  return exchange;
}

void TlsConversation::await_end(transport::ByteStream& stream,
                                const transport::TlsNotes& notes) const {
  const Deadline deadline = Deadline::in(std::min<microseconds>(kForEnd, patience_.timeout()));
  while (!notes.has_ended && !deadline.passed()) {
    std::string aside;
    const auto done = stream.transfer({}, aside, deadline);
    if (done.ended || done.timed_out) return;
  }
}

dialogue::Exchange TlsConversation::exchange_otherwise(const corpus::Step& step,
                                                       dialogue::Transcript& transcript) {
  const auto notes = std::make_shared<transport::TlsNotes>();
  const Deadline deadline = Deadline::in(patience_.timeout());
  auto connected = target_.dial_otherwise(*step.tls, notes)(deadline);
  if (!connected && deadline.passed()) {
    auto exchange = closed(step, connected.error().message, {}, transcript);
    exchange.ending = dialogue::Ending::timed_out;
    return exchange;
  }
  if (!connected) {
    auto exchange = closed(step, connected.error().message, {}, transcript);
    exchange.lost_connection = notes->complaint;
    return exchange;
  }
  if (!notes->not_asked.empty()) {
    dialogue::Exchange none;
    none.sent = step.messages;
    none.not_asked = notes->not_asked;
    return none;
  }
  const Stream stream = *std::move(connected);
  const auto aside = converse_(std::make_shared<PeerOfOneStream>(stream));
  aside->begin_case(next_id_++);
  dialogue::Transcript unheard;
  if (auto opened = aside->open(unheard); !opened) {
    return closed(step, opened.error().message, {}, transcript);
  }
  auto exchange = aside->exchange(step, transcript);
  // Whoever ends this connection has not ended with it: that is asked afterwards.
  if (exchange.replies.empty() && exchange.ending == dialogue::Ending::exited) {
    exchange.ending = dialogue::Ending::closed;
  }
  if (step.tls->awaits_end) await_end(*stream, *notes);
  exchange.lost_connection = notes->complaint;
  if (step.tls->awaits_end && notes->has_ended && !notes->was_announced) {
    exchange.lost_connection = "the connection ended without close_notify";
  }
  exchange.on_new_connection = false;
  return exchange;
}

dialogue::Exchange TlsConversation::send_in_the_clear(const corpus::Step& step,
                                                      dialogue::Transcript& transcript) {
  const auto notes = std::make_shared<transport::TlsNotes>();
  // Whoever may go on waiting for the rest is not waited for.
  const bool is_to_close = step.accept.front().shape == corpus::Outcome::Shape::closed;
  auto connected = target_.dial_otherwise(*step.tls, notes)(Deadline::in(patience_.timeout()));
  const Deadline deadline =
      Deadline::in(is_to_close ? std::min<microseconds>(kForEnd, patience_.timeout())
                               : std::max<microseconds>(patience_.tail(), kForRefusal));
  if (!connected) return closed(step, connected.error().message, {}, transcript);
  std::string bytes;
  for (const auto& message : step.messages) bytes += message.text();
  transcript.add(dialogue::Direction::sent, bytes);
  std::string_view out = bytes;
  std::string heard;
  bool ends = false;
  while (!ends && !message_in(heard) && heard.size() <= kReplyLimits.max_message_bytes &&
         !deadline.passed()) {
    const auto done = (*connected)->transfer(out, heard, deadline);
    out.remove_prefix(done.written);
    ends = done.ended || done.broken;
  }
  auto message = message_in(heard);
  if (!message && ends) {
    return closed(step, "the server closed the connection", std::move(heard), transcript);
  }
  dialogue::Exchange exchange;
  exchange.sent.assign(step.messages.begin(), step.messages.end());
  if (message) {
    transcript.add(dialogue::received(*message));
    exchange.replies.push_back({*std::move(message)});
  }
  return exchange;
}

}  // namespace

std::unique_ptr<Conversation> make_tls_conversation(std::unique_ptr<Conversation> usual,
                                                    transport::Target target, ConverseWith converse,
                                                    Patience& patience) {
  return std::make_unique<TlsConversation>(std::move(usual), std::move(target), std::move(converse),
                                           patience);
}

}  // namespace jrpcheck::session
