// Defects that only connections show: beside each other, at their ends, and in what a read brings.
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "reference-impl/descriptor.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/decorated_framing.hpp"
#include "reference-impl/mutants/json_text.hpp"
#include "reference-impl/mutants/rewrites.hpp"
#include "reference-impl/mutants/socket_edits.hpp"

namespace jrpcheck::reference {

namespace {

using Manner = Catastrophe::Manner;

constexpr std::size_t kBufferOfUnixSocket = 212'992;  // of a Unix socket, as Linux has it
// How long the end of the input may follow its last bytes: a client that closes behind them does
// so at once.
constexpr int kForTheEndMs = 2;
constexpr std::size_t kRestsWithin = 64U << 10;
constexpr int kRestMs = 150;

/// What is known of each connection, for mutants that serve one otherwise for what happened on it.
template <typename Fact>
class Connections {
 public:
  template <typename Use>
  auto use(int socket, Use use) {
    const std::lock_guard lock(mutex_);
    return use(facts_[socket]);
  }

 private:
  std::mutex mutex_;
  std::map<int, Fact> facts_;
};

void reset(int socket) {
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;  // ends the connection by a reset, and leaves the descriptor
  (void)::connect(socket, &nobody, sizeof nobody);
}

Behaviour resetting_after_answers() {
  return {.writing_socket = [](int socket, std::string_view bytes) {
    write_all(socket, bytes);
    reset(socket);
    return false;
  }};
}

// What a case about length asks for, and no other: the rest is as it should be.
constexpr std::size_t kCutBeyond = 8U << 10;

Behaviour cutting_long_answers() {
  return {.writing_socket = [](int socket, std::string_view bytes) {
    if (bytes.size() <= kCutBeyond) return write_all(socket, bytes);
    write_all(socket, bytes.substr(0, kCutBeyond));
    reset(socket);
    return false;
  }};
}

Behaviour resting_within_long_answers() {
  return {.writing_socket = [](int socket, std::string_view bytes) {
    const std::size_t begin = bytes.size() > kRestsWithin ? kRestsWithin / 2 : bytes.size();
    write_all(socket, bytes.substr(0, begin));
    pollfd unread{socket, POLLIN, 0};
    if (begin < bytes.size() && ::poll(&unread, 1, kRestMs) > 0) {
      reset(socket);
    } else {
      write_all(socket, bytes.substr(begin));
    }
    return false;
  }};
}

Behaviour closing_after_third_answer() {
  return {.writing_socket = [](int socket, std::string_view bytes) {
    constexpr int kAnswers = 3;
    thread_local int given = 0;  // each connection has a thread
    return write_all(socket, bytes) && ++given < kAnswers;
  }};
}

/// Answers the first of the calls that came in one read, and closes.
Behaviour closing_after_first_of_several() {
  const auto closing = std::make_shared<Connections<bool>>();
  return {.reading_socket =
              [closing](int socket, std::span<char> buffer) {
                const std::size_t size = read_some(socket, buffer);
                const auto bytes = read_into(buffer, size);
                const bool several = std::count(bytes.begin(), bytes.end(), '\n') > 1;
                closing->use(socket, [several](bool& fact) { fact = several; });
                return size;
              },
          .writing_socket =
              [closing](int socket, std::string_view bytes) {
                const bool written = write_all(socket, bytes);
                return written && !closing->use(socket, [](bool& fact) { return fact; });
              }};
}

/// What stands behind the last line of a read is dropped where a line stands before it.
Behaviour forgetting_the_tail() {
  return {.arriving = [](std::string_view bytes) {
    const std::size_t last = bytes.rfind('\n');
    return std::string(last == bytes.npos ? bytes : bytes.substr(0, last + 1));
  }};
}

// How long an answer waits for its client to be gone.
constexpr int kForTheResetMs = 15;

Behaviour dying_of_resets() {
  return {.writing_socket = [](int socket, std::string_view bytes) {
    // A reset shows as an error, whatever is asked for.
    pollfd waiting{socket, 0, 0};
    ::poll(&waiting, 1, kForTheResetMs);
    if (!write_all(socket, bytes)) throw Catastrophe{Manner::exit};
    return true;
  }};
}

// An answer that is longer is written in two parts, of which the first fits into any buffer.
constexpr std::size_t kLongAnswer = 512U << 10;
constexpr std::size_t kFirstPart = 4U << 10;
// How long the second waits for its client to be gone, however busy the machine is.
constexpr int kForTheResetWithinMs = 250;

Behaviour dying_of_resets_within_answers() {
  return {.writing_socket = [](int socket, std::string_view bytes) {
    if (bytes.size() < kLongAnswer) return write_all(socket, bytes);
    if (!write_all(socket, bytes.substr(0, kFirstPart))) return false;
    pollfd waiting{socket, 0, 0};
    ::poll(&waiting, 1, kForTheResetWithinMs);
    if (!write_all(socket, bytes.substr(kFirstPart))) throw Catastrophe{Manner::exit};
    return true;
  }};
}

/// A read that is followed by the end of the input at once is thrown away.
Behaviour dropping_at_half_close() {
  return {.reading_socket = [](int socket, std::span<char> buffer) -> std::size_t {
    const std::size_t size = read_some(socket, buffer);
    pollfd waiting{socket, POLLRDHUP, 0};
    const bool has_ended = size > 0 && ::poll(&waiting, 1, kForTheEndMs) > 0;
    return has_ended ? 0 : size;
  }};
}

/// Nothing is read before the input has ended.
Behaviour awaiting_half_close() {
  const auto read = std::make_shared<Connections<std::string>>();
  return {.reading_socket = [read](int socket, std::span<char> buffer) {
    return read->use(socket, [&](std::string& all) {
      while (const std::size_t size = read_some(socket, buffer)) {
        all.append(buffer.data(), size);
      }
      const std::size_t size = std::min(all.size(), buffer.size());
      std::copy_n(all.begin(), size, buffer.begin());
      all.erase(0, size);
      return size;
    });
  }};
}

Behaviour closing_on_empty_lines() {
  const auto inside = std::make_shared<Connections<bool>>();
  return {.reading_socket = [inside](int socket, std::span<char> buffer) -> std::size_t {
    const std::size_t size = read_some(socket, buffer);
    const auto bytes = read_into(buffer, size);
    const bool was_inside =
        inside->use(socket, [&](bool& fact) { return std::exchange(fact, !ends_line(bytes)); });
    const bool begins_empty = !was_inside && bytes.starts_with('\n');
    return begins_empty || bytes.find("\n\n") != bytes.npos ? 0 : size;
  }};
}

/// The end of the input within a line ends the process.
Behaviour dying_of_cut_messages() {
  const auto inside = std::make_shared<Connections<bool>>();
  return {.reading_socket = [inside](int socket, std::span<char> buffer) {
    const std::size_t size = read_some(socket, buffer);
    const auto bytes = read_into(buffer, size);
    const bool was_inside = inside->use(
        socket, [&](bool& fact) { return std::exchange(fact, size > 0 && !ends_line(bytes)); });
    if (size == 0 && was_inside) throw Catastrophe{Manner::exit};
    return size;
  }};
}

Behaviour dying_of_foreign_bytes(std::string_view beginning) {
  return {.arriving = [beginning](std::string_view bytes) {
    if (bytes.starts_with(beginning)) throw Catastrophe{Manner::exit};
    return std::string(bytes);
  }};
}

/// Takes a closing brace within a String for the end of the message.
class BraceCounting final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  std::optional<wire::Frame> next() override {
    auto frame = DecoratedFraming::next();
    if (!frame || !frame->is_message()) return frame;
    const std::string& text = frame->payload;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) in_string = !in_string;
      if (!in_string || text[i] != '}') continue;
      frame->payload.resize(i + 1);
      break;
    }
    return frame;
  }
};

Behaviour with_raw_line_feeds() {
  return on_writing([](wire::Framing& proper, std::string_view payload) {
    std::string text(payload);
    for (std::size_t at = 0; (at = text.find("\\n", at)) != text.npos; ++at) {
      text.replace(at, 2, "\n");
    }
    return proper.encode(text);
  });
}

/// Behind which length a payload is written.
Behaviour behind_length(std::size_t (*length)(std::string_view payload)) {
  return on_writing([length](wire::Framing& proper, std::string_view payload) {
    return proper.encode(std::string(length(payload), ' ')).substr(0, 4) + std::string(payload);
  });
}

/// What is too long has a reply that is not sent: in its place the connection is closed.
Behaviour closing_on_messages_longer_than_64_kib() {
  constexpr std::string_view kTooLong = "too long";
  return {.reply = [kTooLong](std::string_view message, const ProperReply& proper) -> Reply {
            return message.size() > (64U << 10) ? Reply(std::string(kTooLong)) : proper(message);
          },
          .writing_socket =
              [kTooLong](int socket, std::string_view bytes) {
                return !bytes.starts_with(kTooLong) && write_all(socket, bytes);
              }};
}

}  // namespace

std::span<const Mutant> socket_faults() {
  static const Mutant all[] = {
      {"socket-banner", breaks("tcp-framing"), kTcp, "A banner is written to each new connection.",
       Behaviour{.greeting = "220 server ready\n"}},
      {"socket-raw-line-feeds", breaks("tcp-line-delimiter"), kTcp,
       "Line feeds in Strings stand in the reply as they are.", with_raw_line_feeds},
      {"socket-reset-after-answer",
       breaks("tcp-orderly-close")
           .perhaps("tcp-framing", "res-always", "rob-split", "tcp-coalesced"),
       kTcp, "Each answer is followed by a reset.", resetting_after_answers},
      {"socket-long-answer-cut-by-reset",
       breaks("tcp-framing").perhaps("res-always", "rob-size", "bat-large", "tcp-client-reset"),
       kTcp, "An answer of more than 8 KiB ends there, by a reset.", cutting_long_answers},
      {"socket-closes-after-first-of-several", breaks("tcp-coalesced").perhaps("rob-pipelined"),
       kTcp, "Of several calls in one segment the first is answered, and the connection closed.",
       closing_after_first_of_several},
      {"socket-forgets-the-tail", breaks("tcp-coalesced").perhaps("rob-split"), kTcp,
       "The half of a call that shares a segment with another is dropped.", forgetting_the_tail},
      {"socket-half-message-stops-others",
       breaks("tcp-isolation").perhaps("tcp-foreign", "tcp-client-reset"), kTcp,
       "Half a message on one connection keeps all others waiting.", reading_one_at_a_time},
      {"socket-half-message-spills-over",
       breaks("tcp-isolation")
           .perhaps("tcp-foreign", "rob-split", "tcp-coalesced", "tcp-client-reset",
                    "err-code-invalid"),
       kTcp, "Half a message on one connection spoils the next on another.", spilling_over},
      {"socket-client-reset-fatal",
       breaks("tcp-client-reset").perhaps("rob-survives", "tcp-foreign"), kTcp,
       "A client that resets before its answer ends the process.", dying_of_resets},
      {"socket-reset-within-answer-fatal", breaks("tcp-client-reset"), kTcp,
       "A client that resets while a long answer is written ends the process.",
       dying_of_resets_within_answers},
      {"ws-client-reset-fatal", breaks("ws-isolation").perhaps("rob-survives", "ws-length"), kWs,
       "A client that resets before its answer ends the process.", dying_of_resets},
      {"ws-answers-the-last-connection", breaks("ws-isolation").wherever_it_strikes(), kWs,
       "Every answer goes to the connection that was opened last.", answering_the_last_connection},
      {"socket-half-close-drops-answer", breaks("tcp-half-close"), kTcp,
       "A call whose sender closes its side behind it is not answered.", dropping_at_half_close},
      {"socket-closes-on-empty-line", breaks("tcp-line-tolerance"), kTcp,
       "An empty line ends the connection.", closing_on_empty_lines},
      {"socket-truncated-fatal", breaks("tcp-truncated").perhaps("rob-survives", "tcp-isolation"),
       kTcp, "A message that the end of the stream cuts off ends the process.",
       dying_of_cut_messages},
      {"socket-http-request-fatal", breaks("tcp-foreign").perhaps("rob-survives"), kTcp,
       "An HTTP request ends the process.", dying_of_foreign_bytes("GET ")},
      {"socket-tls-hello-fatal", breaks("tcp-foreign"), kTcp, "A TLS ClientHello ends the process.",
       dying_of_foreign_bytes("\x16\x03")},
      {"socket-answers-the-last-connection", breaks("tcp-isolation").wherever_it_strikes(), kTcp,
       "Every answer goes to the connection that was opened last.", answering_the_last_connection},
      {"unix-answers-the-last-connection", breaks("unix-many").wherever_it_strikes(), kUnix,
       "Every answer goes to the connection that was opened last.", answering_the_last_connection},
      {"socket-answers-twice-beside-others", breaks("res-once").wherever_it_strikes(), kTcp,
       "With three connections open each answer is sent twice.", answering_twice_beside_others},
      {"unix-answers-twice-beside-others", breaks("res-once").wherever_it_strikes(), kUnix,
       "With three connections open each answer is sent twice.", answering_twice_beside_others},
      {"unix-long-replies-dropped", breaks("unix-large"), kUnix,
       "A reply that does not fit into the buffer ends the connection.",
       Behaviour{.writing_socket =
                     [](int socket, std::string_view bytes) {
                       if (bytes.size() <= kBufferOfUnixSocket) return write_all(socket, bytes);
                       return false;
                     }}},
      {"socket-length-in-characters",
       breaks("tcp-length-prefix")
           .perhaps("json-utf8", "id-string-exact", "err-code-parse", "tcp-framing", "res-always",
                    "res-json", "rob-survives"),
       kTcpLength32, "The length before a message counts characters.",
       behind_length(characters_in)},
      {"socket-length-one-too-large",
       breaks("tcp-length-prefix")
           .perhaps("rob-concurrent", "rob-depth", "rob-pipelined", "rob-split")
           .perhaps_any_of("tcp-", "res-", "id-", "bat-"),
       kTcpLength32, "The length before a message is one too large.",
       behind_length([](std::string_view payload) { return payload.size() + 1; })},
      {"socket-length-one-too-small",
       breaks("tcp-length-prefix")
           .perhaps("rob-concurrent", "rob-depth", "rob-pipelined", "rob-split")
           .perhaps_any_of("tcp-", "res-", "id-", "bat-"),
       kTcpLength32, "The length before a message is one short.",
       behind_length([](std::string_view payload) { return payload.size() - 1; })},
      {"socket-length-counts-itself",
       breaks("tcp-length-prefix")
           .perhaps("rob-concurrent", "rob-depth", "rob-pipelined", "rob-split")
           .perhaps_any_of("tcp-", "res-", "id-", "bat-"),
       kTcpLength32, "The length before a message counts its own four bytes.",
       behind_length([](std::string_view payload) { return payload.size() + 4; })},
      {"socket-line-feed-not-counted", breaks("tcp-length-prefix"), kTcpLength32,
       "Behind each message stands a line feed that its length does not count.",
       on_writing([](wire::Framing& proper, std::string_view payload) {
         return proper.encode(payload) + "\n";
       })},
      {"socket-absurd-length-fatal", breaks("tcp-length-prefix").perhaps("tcp-foreign"),
       kTcpLength32, "A length that no message has ends the process.",
       on_frame([](wire::Frame frame) {
         if (!frame.is_message()) throw Catastrophe{Manner::abort};
         return std::optional(std::move(frame));
       })},
      {"socket-counts-braces",
       breaks("tcp-strings").perhaps("err-code-parse", "sec-reserved-injection", "id-string-exact"),
       kTcp, "A brace within a String ends the message.", framed_by<BraceCounting>()},
  };
  return all;
}
std::span<const Mutant> socket_variants() {
  static const Mutant all[] = {
      {"socket-one-call-a-connection", kLegal, kTcp, "Each connection is closed behind its answer.",
       Behaviour{.writing_socket =
                     [](int socket, std::string_view bytes) {
                       write_all(socket, bytes);
                       return false;
                     }}},
      {"socket-one-call-and-slow-long-answers", kLegal, kTcp,
       "Each connection is closed behind its answer. One of more than 64 KiB rests halfway, and "
       "what comes meanwhile cuts it off.",
       resting_within_long_answers},
      {"socket-three-calls-a-connection", kLegal, kTcp,
       "Each connection is closed behind its third answer.", closing_after_third_answer},
      {"socket-long-message-closed", kLegal, kTcp,
       "A message of more than 64 KiB ends its connection.",
       closing_on_messages_longer_than_64_kib()},
      {"socket-answers-at-the-end", kLetsNobodyIn, kTcp,
       "Nothing is answered before the client closes its sending side.", awaiting_half_close},
  };
  return all;
}

}  // namespace jrpcheck::reference
