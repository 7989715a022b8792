#include "reference-impl/mutants/socket_edits.hpp"

#include <sys/socket.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>

#include "reference-impl/descriptor.hpp"

namespace jrpcheck::reference {

Behaviour reading_one_at_a_time() {
  struct Turn {
    std::mutex mutex;
    std::condition_variable free;
    int taken_by = -1;
  };
  const auto turn = std::make_shared<Turn>();
  return {.reading_socket = [turn](int socket, std::span<char> buffer) {
    const std::size_t size = read_some(socket, buffer);
    const bool is_whole = ends_line(read_into(buffer, size));
    std::unique_lock lock(turn->mutex);
    if (turn->taken_by != socket) turn->free.wait(lock, [&] { return turn->taken_by < 0; });
    turn->taken_by = is_whole ? -1 : socket;
    if (is_whole) turn->free.notify_all();
    return size;
  }};
}

Behaviour spilling_over() {
  struct Tail {
    std::mutex mutex;
    int left_by = -1;
  };
  const auto tail = std::make_shared<Tail>();
  return {.reading_socket = [tail](int socket, std::span<char> buffer) {
    const std::size_t size = read_some(socket, buffer);
    const std::lock_guard lock(tail->mutex);
    const bool is_spoilt = tail->left_by >= 0 && tail->left_by != socket;
    const bool is_end = size == 0;
    if (!is_end || tail->left_by == socket) {
      tail->left_by = is_end || ends_line(read_into(buffer, size)) ? -1 : socket;
    }
    if (is_spoilt && size > 0) buffer.front() = '#';  // no call begins so
    return size;
  }};
}

namespace {

// How long the first answer on a connection waits for another connection to come: how quickly the
// server answers must not decide whether the fault shows.
constexpr std::chrono::milliseconds kForAnother{50};

/// A descriptor's number is used again for later connections; this number of Linux's is not.
std::uint64_t identity_of(int socket) {
  std::uint64_t identity = 0;
  socklen_t size = sizeof identity;
  (void)::getsockopt(socket, SOL_SOCKET, SO_COOKIE, &identity, &size);
  return identity;
}

}  // namespace

Behaviour answering_the_last_connection() {
  struct Last {
    std::mutex mutex;
    std::condition_variable has_changed;
    int socket = -1;
    std::uint64_t identity = 0;
    std::set<std::uint64_t> known;
    std::set<std::uint64_t> answered;
    bool is_open() const { return socket >= 0 && identity_of(socket) == identity; }
  };
  const auto last = std::make_shared<Last>();
  return {.reading_socket =
              [last](int socket, std::span<char> buffer) {
                const std::uint64_t identity = identity_of(socket);
                {
                  const std::lock_guard lock(last->mutex);
                  if (last->known.insert(identity).second) {
                    last->socket = socket;
                    last->identity = identity;
                    last->has_changed.notify_all();
                  }
                }
                const std::size_t size = read_some(socket, buffer);
                const std::lock_guard lock(last->mutex);
                if (size == 0 && last->identity == identity) last->socket = -1;
                return size;
              },
          .writing_socket =
              [last](int socket, std::string_view bytes) {
                const std::uint64_t identity = identity_of(socket);
                std::unique_lock lock(last->mutex);
                if (last->answered.insert(identity).second) {
                  last->has_changed.wait_for(lock, kForAnother,
                                             [&] { return last->identity != identity; });
                }
                return (last->is_open() && write_all(last->socket, bytes)) ||
                       write_all(socket, bytes);
              }};
}

Behaviour answering_twice_beside_others() {
  struct Open {
    std::mutex mutex;
    std::set<int> sockets;
  };
  constexpr std::size_t kFew = 2;
  const auto open = std::make_shared<Open>();
  return {.reading_socket =
              [open](int socket, std::span<char> buffer) {
                {
                  const std::lock_guard lock(open->mutex);
                  open->sockets.insert(socket);
                }
                const std::size_t size = read_some(socket, buffer);
                const std::lock_guard lock(open->mutex);
                if (size == 0) open->sockets.erase(socket);
                return size;
              },
          .writing_socket =
              [open](int socket, std::string_view bytes) {
                const std::lock_guard lock(open->mutex);
                const bool is_twice = open->sockets.size() > kFew;
                return write_all(socket, bytes) && (!is_twice || write_all(socket, bytes));
              }};
}

}  // namespace jrpcheck::reference
