// Legal ways of using a stream that differ from the usual ones.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <span>
#include <string>
#include <utility>

#include "reference-impl/descriptor.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/decorated_framing.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using wire::Framing;

constexpr std::size_t kFlood = 16U << 10;
constexpr int kLateMs = 500;  // and longer than the end of a run waits for
constexpr std::string_view kNotification =
    R"({"jsonrpc":"2.0","method":"progress","params":{"percent":50}})";
constexpr std::string_view kRequest = R"({"jsonrpc":"2.0","method":"ask","id":"server-1"})";

Behaviour with_message_before(std::string_view message) {
  return on_reply([message](const std::string& reply) -> Reply {
    return Reply::several({std::string(message), reply});
  });
}

Behaviour with_message_after(std::string_view message) {
  return on_reply([message](const std::string& reply) -> Reply {
    return Reply::several({reply, std::string(message)});
  });
}

Behaviour with_head_of(const std::string& before_length, const std::string& length,
                       const std::string& after_length) {
  return on_writing([=](Framing&, std::string_view payload) {
    return before_length + length + std::to_string(payload.size()) + "\r\n" + after_length +
           "\r\n" + std::string(payload);
  });
}

/// Takes the messages that came together from the last to the first.
class LastFirst final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  std::optional<wire::Frame> next() override {
    while (auto frame = DecoratedFraming::next()) frames_.push_front(std::move(*frame));
    if (frames_.empty()) return std::nullopt;
    wire::Frame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

 private:
  std::deque<wire::Frame> frames_;
};

/// As sockets are unless a program says otherwise: a short message waits until the one before it is
/// acknowledged (RFC 896).
Behaviour last_first_by_nagle() {
  Behaviour behaviour = framed_by<LastFirst>();
  behaviour.reading_socket = [](int socket, std::span<char> buffer) {
    const int off = 0;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &off, sizeof off);
    return read_some(socket, buffer);
  };
  return behaviour;
}

}  // namespace

std::span<const Mutant> stream_variants() {
  static const Mutant all[] = {
      {"byte-by-byte", kLegal, kEverywhereAndTcp, "Each byte is written on its own.",
       in_pieces_of(1)},
      {"in-pieces-of-three", kLegal, kEverywhereAndTcp, "Three bytes are written at a time.",
       in_pieces_of(3)},
      {"notifications-before", kLegal, kStreamsAndTcp,
       "A Notification of the server comes before each reply.", with_message_before(kNotification)},
      {"notifications-after", kLegal, kStreamsAndTcp,
       "A Notification of the server comes after each reply.", with_message_after(kNotification)},
      {"requests-before", kLegal, kStreamsAndTcp,
       "A Request of the server comes before each reply.", with_message_before(kRequest)},
      {"notification-at-start", kLegal, kStreamsAndTcp,
       "A Notification of the server comes before all else.",
       Behaviour{.first_message = std::string(kNotification)}},
      {"replies-out-of-order", kLegal, kStreamsAndTcp,
       "Messages that come together are answered from the last to the first.",
       framed_by<LastFirst>()},
      {"replies-out-of-order-by-nagle", kLegal, kTcp,
       "Messages that come together are answered from the last to the first, without TCP_NODELAY.",
       last_first_by_nagle()},
      {"flood-on-standard-error", kLegal, kEverywhere,
       "Sixteen kibibytes are written to standard error for each message.",
       on_message([](std::string_view message) {
         std::string flood(kFlood, '.');
         flood.back() = '\n';
         write_all(STDERR_FILENO, flood);
         return std::string(message);
       })},
      {"ends-late",
       kLegal,
       kStreams,
       "The process ends half a second after its input.",
       {kLateMs, ending_late}},
      {"lines-end-in-crlf", kLegal, kLines, "Lines end in a carriage return and a line feed.",
       on_writing(
           [](Framing&, std::string_view payload) { return std::string(payload) + "\r\n"; })},
      {"header-with-type", kLegal, kContentLength, "A Content-Type follows Content-Length.",
       with_head_of(
           "", "Content-Length: ", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n")},
      {"header-with-type-first", kLegal, kContentLength,
       "A Content-Type comes before Content-Length.",
       with_head_of("Content-Type: application/vscode-jsonrpc; charset=utf8\r\n",
                    "Content-Length: ", "")},
  };
  return all;
}

}  // namespace jrpcheck::reference
