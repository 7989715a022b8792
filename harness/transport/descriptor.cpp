#include "transport/descriptor.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace jrpcheck::transport {
namespace {

constexpr std::size_t kReadSize = 64U << 10;

bool is_would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

// Away from 0, 1 and 2: they may be free here, and in a program that is started they are
// redirected.
Descriptor clear_of_standard(Descriptor descriptor) {
  if (descriptor.get() > STDERR_FILENO) return descriptor;
  return Descriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

class DescriptorStream : public ByteStream {
 public:
  DescriptorStream(Descriptor reading, Descriptor writing)
      : reading_(std::move(reading)), writing_(std::move(writing)) {
    set_nonblocking(reading_.get());
    if (writing_.is_open()) set_nonblocking(writing_.get());
  }

  Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    Transfer done;
    if (!out.empty()) write_some(out, done);
    while (done.written == 0 && !done.broken) {
      // What has come already need not be waited for.
      read_some(in, done);
      if (done.received || done.ended) return done;
      const bool is_over = deadline.passed();  // which may have waited for who is held back
      if (!is_over) prepare_to_wait();
      if (is_over || !await(!out.empty(), deadline)) {
        // On a busy machine it comes between the last look and the end of the wait: who was held
        // back for a processor has answered as soon as it had one.
        read_some(in, done);
        done.timed_out = !done.received && !done.ended;
        return done;
      }
      if (!out.empty()) write_some(out, done);
    }
    return done;
  }

  void close_write() override {
    if (writing_.is_open()) {
      writing_.reset();
    } else {
      ::shutdown(reading_.get(), SHUT_WR);
    }
  }

  void reset() override {
    const linger at_once{1, 0};
    ::setsockopt(reading_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    reading_.reset();
    writing_.reset();
  }

  Polled polled() override { return {reading_.get(), writing_descriptor()}; }

 protected:
  virtual void prepare_to_wait() {}

 private:
  // A socket is one descriptor for both directions; a pair of pipes is two.
  int writing_descriptor() const { return writing_.is_open() ? writing_.get() : reading_.get(); }

  bool await(bool to_write, Deadline deadline) const {
    std::array<pollfd, 2> polled{{{reading_.get(), POLLIN, 0}, {-1, POLLOUT, 0}}};
    if (to_write) polled[1].fd = writing_descriptor();
    for (;;) {
      const int ready = ::poll(polled.data(), polled.size(), deadline.next_look_ms());
      if (ready > 0) return true;
      if (ready == 0 && deadline.passed()) return false;
      if (ready < 0 && errno != EINTR) return false;
    }
  }

  void write_some(std::string_view out, Transfer& done) const {
    const ssize_t count = ::write(writing_descriptor(), out.data(), out.size());
    if (count > 0) {
      done.written = static_cast<std::size_t>(count);
    } else if (count < 0 && !is_would_block(errno) && errno != EINTR) {
      done.broken = true;
    }
  }

  void read_some(std::string& in, Transfer& done) const {
    std::array<char, kReadSize> buffer;
    const ssize_t count = ::read(reading_.get(), buffer.data(), buffer.size());
    if (count > 0) {
      in.append(buffer.data(), static_cast<std::size_t>(count));
      done.received = true;
    } else if (count == 0 || (!is_would_block(errno) && errno != EINTR)) {
      done.ended = true;
      done.reset = count < 0 && errno == ECONNRESET;
    }
  }

  Descriptor reading_;
  Descriptor writing_;
};

void enable_in_tcp(int socket, int option) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, option, &on, sizeof on);
}

// The peer may hold its next message back until this side has acknowledged the last one (RFC 896):
// that is done before a wait, and before anything waits on `polled`. In a dialogue that goes on at
// once the next message does it.
class TcpStream : public DescriptorStream {
 public:
  explicit TcpStream(Descriptor socket) : DescriptorStream(std::move(socket), Descriptor()) {}

  Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    const Transfer done = DescriptorStream::transfer(out, in, deadline);
    is_to_acknowledge_ = is_to_acknowledge_ || done.received;
    return done;
  }

  Polled polled() override {
    prepare_to_wait();
    return DescriptorStream::polled();
  }

 private:
  void prepare_to_wait() override {
    // It lasts until the kernel takes the connection for a dialogue again (tcp(7)).
    if (std::exchange(is_to_acknowledge_, false)) {
      enable_in_tcp(DescriptorStream::polled().reading, TCP_QUICKACK);
    }
  }

  bool is_to_acknowledge_ = false;
};

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    value_ = std::exchange(other.value_, -1);
  }
  return *this;
}

void Descriptor::reset() {
  if (value_ >= 0) ::close(value_);
  value_ = -1;
}

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void wait_until(Deadline deadline) {
  while (!deadline.passed()) ::poll(nullptr, 0, deadline.next_look_ms());
}

std::unique_ptr<ByteStream> make_pipe_stream(Descriptor reading, Descriptor writing) {
  return std::make_unique<DescriptorStream>(std::move(reading), std::move(writing));
}

std::unique_ptr<ByteStream> make_socket_stream(Descriptor socket) {
  return std::make_unique<DescriptorStream>(std::move(socket), Descriptor());
}

std::unique_ptr<ByteStream> make_tcp_stream(Descriptor socket) {
  enable_in_tcp(socket.get(), TCP_NODELAY);
  return std::make_unique<TcpStream>(std::move(socket));
}

void set_nonblocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

std::pair<Descriptor, Descriptor> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  }
  return {clear_of_standard(Descriptor(ends[0])), clear_of_standard(Descriptor(ends[1]))};
}

}  // namespace jrpcheck::transport
