// File descriptors with an owner, and a ByteStream over them.
#pragma once

#include <utility>

#include "transport/byte_stream.hpp"

namespace jrpcheck::transport {

/// Owns one file descriptor and closes it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  void reset();

 private:
  int value_ = -1;
};

/// A stream over two pipe ends.
std::unique_ptr<ByteStream> make_pipe_stream(Descriptor reading, Descriptor writing);

/// A stream over a connected socket.
std::unique_ptr<ByteStream> make_socket_stream(Descriptor socket);

/// The same over TCP, where neither end waits before it sends a short message. The peer does by
/// Nagle's algorithm (RFC 896), which most programs leave on, until what it has sent before is
/// acknowledged: that is done before anything is waited for, and not some 40 ms later (RFC 9293
/// §3.8.6.3).
std::unique_ptr<ByteStream> make_tcp_stream(Descriptor socket);

/// Makes reads and writes on it return at once. What comes of them is a matter for poll(2).
void set_nonblocking(int descriptor);

/// A pipe whose ends are not passed on to programs that are started; {reading, writing}.
std::pair<Descriptor, Descriptor> make_pipe();

}  // namespace jrpcheck::transport
