#include "run/eavesdropper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "run/http_triage.hpp"
#include "transport/listening_ports.hpp"
#include "transport/tcp.hpp"

namespace jrpcheck::run {
namespace {

// What is sent back and followed by nothing else is no more than that. A terminal echoes at once
// what a program behind it reads when it has come up.
constexpr milliseconds kEchoAlone{4000};
// A greeting may be followed by an answer.
constexpr milliseconds kGreetingAlone{1000};
// A program that serves both ways has answered on stdio by then; one that loads a lot, and opens a
// port for its own purposes first, may take longer.
constexpr milliseconds kBeforePorts{2000};
constexpr milliseconds kBetweenPorts{1000};
constexpr milliseconds kSilentBesideHttp{5000};
constexpr std::size_t kMostKept = 4096;

}  // namespace

// What all connections have shown.
struct Eavesdropper::Notes {
  const Options& options;
  session::ControlCall call;
  std::optional<Stranger> stranger = {};
  std::string first_words = {};  // on whatever connection
  std::vector<pid_t> groups = {};
  Clock::time_point begin = Clock::now();
  Deadline next_look = Deadline::in(kBeforePorts);
  std::vector<int> seen = {};         // ports that have been looked at
  std::optional<int> http_port = {};  // the first that speaks HTTP, and no JSON-RPC

  void look_at_ports();
  void look_at(int port);
};

void Eavesdropper::Notes::look_at_ports() {
  if (stranger || groups.empty() || !next_look.passed()) return;
  next_look = Deadline::in(kBetweenPorts);
  for (const pid_t group : groups) {
    for (const int port : transport::listening_ports(group)) {
      if (std::find(seen.begin(), seen.end(), port) != seen.end()) continue;
      seen.push_back(port);
      look_at(port);
      if (stranger) return;
    }
  }
  if (!http_port || options.start_timeout || Clock::now() - begin < kSilentBesideHttp) return;
  const std::string url = fmt::format("http://127.0.0.1:{}/", *http_port);
  stranger = Stranger{
      .what = fmt::format("it says nothing on stdio, and speaks HTTP on port {}", *http_port),
      .advice = {"did you mean", command_for(options, url)}};
}

void Eavesdropper::Notes::look_at(int port) {
  const auto target = transport::parse_target(fmt::format("http://127.0.0.1:{}/", port));
  if (!target) return;
  const auto dial = target->place().dial;
  const auto found = find_path(dial, *target, {}, call, {});
  if (found.is_http && !http_port) http_port = port;
  if (!found.path) return;
  stranger = Stranger{
      .what =
          fmt::format("it says nothing on stdio, and answers JSON-RPC over HTTP on port {}", port),
      .advice = {"did you mean",
                 command_for(options, fmt::format("http://127.0.0.1:{}{}", port, *found.path))}};
}

// One connection. What comes back as it was sent is kept to itself until something else follows.
class Eavesdropper::Stream : public transport::ByteStream {
 public:
  Stream(std::unique_ptr<transport::ByteStream> inner, std::shared_ptr<Notes> notes)
      : inner_(std::move(inner)), notes_(std::move(notes)) {}

  transport::Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    if (notes_->stranger) return {.ended = true, .broken = true};
    std::string came;
    auto done = inner_->transfer(out, came, deadline);
    sent_.append(out.substr(0, done.written));
    if (!came.empty()) last_ = Clock::now();
    done.received = take(came, done.ended, in);
    conclude();
    notes_->look_at_ports();
    return done;
  }

  void close_write() override { inner_->close_write(); }

 private:
  bool is_echo() const {
    return !kept_.empty() && std::string_view(sent_).substr(0, kept_.size()) == kept_;
  }

  bool take(const std::string& came, bool ended, std::string& in) {
    if (notes_->first_words.empty()) notes_->first_words = came.substr(0, kMostKept);
    if (heard_.size() < kMostKept) heard_.append(came, 0, kMostKept - heard_.size());
    kept_ += came;
    if (kept_.empty() || (is_echo() && !ended)) return false;
    in += kept_;
    kept_.clear();
    sent_.clear();  // no echo from here on
    return true;
  }

  void conclude() {
    const auto quiet = Clock::now() - last_;
    if (is_echo() && kept_.size() == sent_.size() && quiet > kEchoAlone) {
      notes_->stranger = Stranger{.what = "it sends back what it is sent"};
      return;
    }
    // What a program prints first may be anything.
    if (heard_.empty() || !notes_->groups.empty() || quiet < kGreetingAlone) return;
    const std::string speaker = speaker_named(heard_);
    if (speaker.empty()) return;
    notes_->stranger =
        Stranger{.what = fmt::format("it is {}, and says {}", speaker, to_visible(heard_, 100))};
  }

  std::unique_ptr<transport::ByteStream> inner_;
  std::shared_ptr<Notes> notes_;
  std::string sent_;
  std::string kept_;   // has come, and is all that was sent so far
  std::string heard_;  // the beginning
  Clock::time_point last_ = Clock::now();
};

Eavesdropper::Eavesdropper(transport::Peer& peer, const Options& options,
                           const session::ControlCall& call)
    : peer_(peer), notes_(std::make_shared<Notes>(Notes{options, call})) {}

Eavesdropper::~Eavesdropper() = default;

std::optional<Stranger> Eavesdropper::by_first_words() const {
  const std::string& words = notes_->first_words;
  if (words.empty()) {
    return Stranger{
        .what = "it accepts connections and says nothing",
        .advice = {"if it needs longer, say how it separates messages: --framing lines"},
        .is_nobody = true,
        .is_silent = true};
  }
  const std::string speaker = speaker_named(words);
  if (speaker.empty()) return std::nullopt;
  return Stranger{.what = fmt::format("it is {}, and says {}", speaker, to_visible(words, 100))};
}

Result<transport::Connection> Eavesdropper::connect(Deadline deadline) {
  auto connection = peer_.connect(deadline);
  if (!connection) return connection;
  if (connection->program) {
    if (const auto group = connection->program->group()) notes_->groups.push_back(*group);
  }
  connection->stream = std::make_unique<Stream>(std::move(connection->stream), notes_);
  return connection;
}

const std::optional<Stranger>& Eavesdropper::stranger() const { return notes_->stranger; }

}  // namespace jrpcheck::run
