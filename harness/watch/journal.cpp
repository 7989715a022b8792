#include "watch/journal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/failure.hpp"

namespace jrpcheck::watch {
namespace {

constexpr int kPipeBytes = 1 << 20;
constexpr std::size_t kMostInAnEntry = 256U << 10;
// A reader that takes nothing for so long is not waited for.
constexpr milliseconds kPatience{1000};
// Once nothing passes any more it is.
constexpr milliseconds kPatienceAtTheEnd{30'000};
// Beside the kinds that readers are told of: nothing follows.
constexpr std::uint8_t kEnd = 0xFF;

// As it stands in the pipe, which both ends of one program share.
struct Head {
  std::int64_t at = 0;
  std::uint32_t connection = 0;
  std::uint32_t size = 0;
  std::uint8_t kind = 0;
  std::uint8_t side = 0;
};

}  // namespace

JournalWriter::JournalWriter(transport::Descriptor pipe)
    : pipe_(std::move(pipe)), patience_(kPatience) {
  ::fcntl(pipe_.get(), F_SETPIPE_SZ, kPipeBytes);
  transport::set_nonblocking(pipe_.get());
}

JournalWriter::~JournalWriter() {
  is_behind_ = false;
  patience_ = kPatienceAtTheEnd;
  // Where there is no memory for it, the reader finds the end missing, and says so.
  static_cast<void>(failure_of([this] {
    tell_losses();
    add(static_cast<JournalEntry::Kind>(kEnd), dialogue::Side::client, kUnseenConnections, {});
    flush();
  }));
}

// Whether all has left. An entry that has begun to leave is never given up, for half of it would
// make nonsense of all that follows.
bool JournalWriter::flush() {
  std::string_view rest = pending_;
  auto deadline = Deadline::firmly_in(patience_);
  while (!rest.empty() && !is_broken_) {
    const ssize_t count = ::write(pipe_.get(), rest.data(), rest.size());
    if (count > 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
      deadline = Deadline::firmly_in(patience_);
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) {
      is_broken_ = true;  // the reader is gone
      break;
    }
    if (is_behind_ || deadline.passed()) break;
    pollfd polled{pipe_.get(), POLLOUT, 0};
    ::poll(&polled, 1, deadline.remaining_ms());
  }
  pending_.erase(0, pending_.size() - rest.size());
  is_behind_ = !pending_.empty();
  return !is_behind_;
}

void JournalWriter::add(JournalEntry::Kind kind, dialogue::Side side, std::uint32_t connection,
                        std::string_view part) {
  Head head;
  head.at = time_since(begin_).count();
  head.connection = connection;
  head.size = static_cast<std::uint32_t>(part.size());
  head.kind = static_cast<std::uint8_t>(kind);
  head.side = static_cast<std::uint8_t>(side);
  pending_.append(reinterpret_cast<const char*>(&head), sizeof head).append(part);
}

void JournalWriter::leave_out(JournalEntry::Kind kind, std::uint32_t connection) {
  has_untold_ = true;
  const bool is_over = kind == JournalEntry::Kind::over;
  auto& followed = followed_[connection];
  if (is_over && !followed.is_known) {
    // However long the reader stands still, what comes and goes meanwhile is only counted.
    ++unseen_;
    followed_.erase(connection);
    return;
  }
  followed.has_lost = followed.has_lost || !is_over;  // its end is told yet
  followed.is_over = is_over;
}

void JournalWriter::tell_losses() {
  if (!std::exchange(has_untold_, false)) return;
  using Kind = JournalEntry::Kind;
  constexpr auto kNoSide = dialogue::Side::client;
  for (auto each = followed_.begin(); each != followed_.end();) {
    auto& [connection, followed] = *each;
    if (followed.has_lost && !std::exchange(followed.is_told, true)) {
      add(Kind::lost, kNoSide, connection, {});
      followed.is_known = true;
    }
    if (followed.is_over) add(Kind::over, kNoSide, connection, {});
    each = followed.is_over ? followed_.erase(each) : std::next(each);
  }
  const std::size_t unseen = std::exchange(unseen_, 0);
  if (unseen > 0) add(Kind::lost, kNoSide, kUnseenConnections, std::to_string(unseen));
}

void JournalWriter::write(JournalEntry::Kind kind, dialogue::Side side, std::uint32_t connection,
                          std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  do {
    if (is_broken_) return;
    if (!flush()) return leave_out(kind, connection);
    tell_losses();
    auto& followed = followed_[connection];
    // Behind a gap nobody knows where a message begins.
    if (followed.has_lost && kind == JournalEntry::Kind::bytes) break;
    const auto part = bytes.substr(0, kMostInAnEntry);
    bytes.remove_prefix(part.size());
    add(kind, side, connection, part);
    followed.is_known = true;
    if (kind == JournalEntry::Kind::over) followed_.erase(connection);
    flush();
  } while (!bytes.empty());
  flush();
}

bool JournalReader::read_whole(char* into, std::size_t size) {
  while (size > 0) {
    if (taken_ == buffer_.size()) {
      taken_ = 0;
      buffer_.resize(kMostInAnEntry);
      const ssize_t count = ::read(pipe_.get(), buffer_.data(), buffer_.size());
      buffer_.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
    }
    const std::size_t part = std::min(size, buffer_.size() - taken_);
    std::memcpy(into, buffer_.data() + taken_, part);
    taken_ += part;
    into += part;
    size -= part;
  }
  return true;
}

std::optional<JournalEntry> JournalReader::next() {
  Head head;
  is_cut_off_ = !read_whole(reinterpret_cast<char*>(&head), sizeof head);
  if (is_cut_off_ || head.kind == kEnd) return std::nullopt;
  JournalEntry entry{static_cast<JournalEntry::Kind>(head.kind),
                     static_cast<dialogue::Side>(head.side), head.connection,
                     microseconds(head.at)};
  is_cut_off_ = head.size > kMostInAnEntry;
  if (is_cut_off_) return std::nullopt;
  entry.bytes.resize(head.size);
  is_cut_off_ = !read_whole(entry.bytes.data(), head.size);
  if (is_cut_off_) return std::nullopt;
  return entry;
}

}  // namespace jrpcheck::watch
