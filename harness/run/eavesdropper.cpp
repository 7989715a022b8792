#include "run/eavesdropper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "base/letter_case.hpp"
#include "run/program_sight.hpp"
#include "transport/process_group.hpp"

namespace jrpcheck::run {
namespace {

// What is sent back and followed by nothing else is no more than that. A terminal echoes at once
// what a program behind it reads when it has come up.
constexpr milliseconds kEchoAlone{4000};
// A greeting may be followed by an answer.
constexpr milliseconds kGreetingAlone{1000};
// By then an echo is worth telling, and whether calls are read.
constexpr milliseconds kSeen{2000};
constexpr std::size_t kMostKept = 4096;

std::optional<Stranger> named_by(const std::string& words) {
  const std::string speaker = speaker_named(words);
  if (speaker.empty()) return std::nullopt;
  return Stranger{.what = fmt::format("it is {}, and says {}", speaker, to_visible(words, 100))};
}

}  // namespace

// What all connections have shown.
struct Eavesdropper::Notes {
  const Options& options;
  ProgramSight sight;
  std::optional<Stranger> stranger = {};
  std::string first_words = {};  // on whatever connection
  bool has_programs = false;
  bool has_told = false;
  Clock::time_point begin = Clock::now();

  void look();
  void tell(const std::string& seen);
};

void Eavesdropper::Notes::look() {
  if (stranger) return;
  if (has_programs) {
    sight.look();
    stranger = sight.recognised();
  } else if (first_words.empty() && Clock::now() - begin > kSeen) {
    tell("it connects, and says nothing");
  }
}

void Eavesdropper::Notes::tell(const std::string& seen) {
  if (options.tell_seen && !has_told) options.tell_seen(seen);
  has_told = true;
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
    written_ += done.written;
    if (!came.empty()) last_ = Clock::now();
    done.received = take(came, done.ended, in);
    conclude();
    note_reading();
    notes_->look();
    return done;
  }

  void close_write() override { inner_->close_write(); }

 private:
  bool is_echo() const {
    return !kept_.empty() && std::string_view(sent_).substr(0, kept_.size()) == kept_;
  }

  // What the pipe does not hold any more has been read; where that is not told, it may have been.
  void note_reading() {
    if (!notes_->has_programs || written_ == 0) return;
    const auto unread = transport::unread_bytes(inner_->polled().writing);
    if (unread.value_or(0) < written_) notes_->sight.note_input_read();
  }

  bool take(const std::string& came, bool ended, std::string& in) {
    if (notes_->first_words.empty()) notes_->first_words = came.substr(0, kMostKept);
    if (heard_.size() < kMostKept) heard_.append(came, 0, kMostKept - heard_.size());
    kept_ += came;
    if (!came.empty() && notes_->has_programs) notes_->sight.note_output(notes_->first_words);
    if (kept_.empty() || (is_echo() && !ended)) return false;
    in += kept_;
    kept_.clear();
    sent_.clear();  // no echo from here on
    return true;
  }

  void conclude() {
    const auto quiet = Clock::now() - last_;
    const bool has_echoed = is_echo() && kept_.size() == sent_.size();
    if (has_echoed && quiet > kSeen) notes_->tell("it sends back what it is sent");
    if (has_echoed && quiet > kEchoAlone) {
      notes_->stranger = Stranger{.what = "it sends back what it is sent"};
      return;
    }
    // What a program prints first may be anything.
    if (heard_.empty() || notes_->has_programs || quiet < kGreetingAlone) return;
    if (auto named = named_by(heard_)) notes_->stranger = std::move(named);
  }

  std::unique_ptr<transport::ByteStream> inner_;
  std::shared_ptr<Notes> notes_;
  std::string sent_;
  std::size_t written_ = 0;
  std::string kept_;   // has come, and is all that was sent so far
  std::string heard_;  // the beginning
  Clock::time_point last_ = Clock::now();
};

Eavesdropper::Eavesdropper(transport::Peer& peer, const Options& options,
                           const session::ControlCall& call)
    : peer_(peer), notes_(std::make_shared<Notes>(Notes{options, ProgramSight(options, call)})) {}

Eavesdropper::~Eavesdropper() = default;

std::optional<Stranger> Eavesdropper::by_first_words() const {
  if (notes_->first_words.empty()) {
    const auto waited = std::chrono::floor<std::chrono::seconds>(time_since(begin_));
    return Stranger{
        .what =
            fmt::format("it accepts connections and says nothing (for {})", duration_text(waited)),
        .advice = {notes_->options.command.empty()
                       ? "if it needs longer, say how it separates messages: --framing lines"
                       : "if it needs longer: --start-timeout SECONDS"},
        .is_nobody = true,
        .is_silent = true};
  }
  return named_by(notes_->first_words);
}

std::optional<Stranger> Eavesdropper::speaks_http() const {
  const std::string& words = notes_->first_words;
  const bool is_http = begins_ignoring_case(words, "HTTP/1.") || is_html(words);
  return is_http ? named_by(words) : std::nullopt;
}

Result<transport::Connection> Eavesdropper::connect(Deadline deadline) {
  auto connection = peer_.connect(deadline);
  if (!connection) return connection;
  if (connection->program) {
    notes_->has_programs = true;
    notes_->sight.add(connection->program);
  }
  connection->stream = std::make_unique<Stream>(std::move(connection->stream), notes_);
  return connection;
}

const std::optional<Stranger>& Eavesdropper::stranger() const { return notes_->stranger; }

std::optional<Stranger> Eavesdropper::supposed() const { return notes_->sight.supposed(); }

}  // namespace jrpcheck::run
