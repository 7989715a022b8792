#include "reference-impl/client/connection.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <utility>

extern char** environ;

namespace jrpcheck::reference {

namespace {

constexpr std::chrono::seconds kForHandshake{10};

bool is_ready(int descriptor, short event, Deadline deadline) {
  pollfd waiting{descriptor, event, 0};
  return ::poll(&waiting, 1, deadline.remaining_ms()) > 0;
}

class PlainConnection : public Connection {
 public:
  PlainConnection(Descriptor reading, Descriptor writing, pid_t program, bool terminates)
      : reading_(std::move(reading)),
        writing_(std::move(writing)),
        program_(program),
        terminates_(terminates) {}
  ~PlainConnection() override {
    if (terminates_) ::kill(program_, SIGTERM);
    if (terminates_) ::waitpid(std::exchange(program_, 0), nullptr, 0);
    writing_ = Descriptor();
    if (program_ != 0) ::waitpid(program_, nullptr, 0);
  }

  bool write(std::string_view bytes) override {
    return write_all(writing_ ? writing_.number() : reading_.number(), bytes);
  }

  void read(std::string& bytes, Deadline deadline) override {
    if (!is_ready(reading_.number(), POLLIN, deadline)) return;
    std::array<char, 65536> buffer;
    const auto size = read_some(reading_.number(), buffer);
    has_ended_ = size == 0;
    bytes.append(buffer.data(), size);
  }

 private:
  Descriptor reading_;
  Descriptor writing_;  // of a program; a socket has one descriptor for both
  pid_t program_;
  bool terminates_;
};

class TlsConnection : public Connection {
 public:
  explicit TlsConnection(Descriptor socket)
      : socket_(std::move(socket)),
        context_(::SSL_CTX_new(::TLS_client_method()), &::SSL_CTX_free),
        session_(nullptr, &::SSL_free) {}
  ~TlsConnection() override {
    if (session_) ::SSL_shutdown(session_.get());
  }

  // Empty where the server is who it should be.
  std::string shake_hands(const std::string& host, const std::string& authorities) {
    SSL_CTX* context = context_.get();
    ::SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    const bool has_authorities =
        authorities.empty() ? ::SSL_CTX_set_default_verify_paths(context) == 1
                            : ::SSL_CTX_load_verify_file(context, authorities.c_str()) == 1;
    if (!has_authorities) return "the authorities cannot be read";
    session_.reset(::SSL_new(context));
    SSL* session = session_.get();
    ::SSL_set_fd(session, socket_.number());
    ::SSL_set_tlsext_host_name(session, host.c_str());
    auto* expected = ::SSL_get0_param(session);
    if (::X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) != 1) {
      ::SSL_set1_host(session, host.c_str());
    }
    ::fcntl(socket_.number(), F_SETFL, ::fcntl(socket_.number(), F_GETFL) | O_NONBLOCK);
    const auto deadline = Deadline::in(kForHandshake);
    const bool done = repeat(deadline, [session] { return ::SSL_connect(session); }) == 1;
    return done ? "" : "the handshake of TLS failed";
  }

  bool write(std::string_view bytes) override {
    const auto deadline = Deadline::in(kForHandshake);
    while (!bytes.empty()) {
      const int size = repeat(deadline, [&] {
        return ::SSL_write(session_.get(), bytes.data(), static_cast<int>(bytes.size()));
      });
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }

  void read(std::string& bytes, Deadline deadline) override {
    std::array<char, 16384> buffer;
    const int size = repeat(deadline, [&] {
      return ::SSL_read(session_.get(), buffer.data(), static_cast<int>(buffer.size()));
    });
    if (size > 0) bytes.append(buffer.data(), static_cast<std::size_t>(size));
    has_ended_ = size <= 0 && !deadline.passed();
  }

 private:
  // Until it is done, fails, or the deadline has passed.
  template <typename Step>
  int repeat(Deadline deadline, Step step) {
    for (;;) {
      ::ERR_clear_error();
      const int done = step();
      if (done > 0) return done;
      const int why = ::SSL_get_error(session_.get(), done);
      if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) return done;
      const short event = why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
      if (!is_ready(socket_.number(), event, deadline)) return done;
    }
  }

  Descriptor socket_;
  std::unique_ptr<SSL_CTX, decltype(&::SSL_CTX_free)> context_;
  std::unique_ptr<SSL, decltype(&::SSL_free)> session_;
};

Result<Descriptor> connected_socket(const std::string& host, const std::string& port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (::getaddrinfo(host.c_str(), port.c_str(), &wanted, &list) != 0) {
    return Error{"the host " + host + " is not known"};
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(list, &::freeaddrinfo);
  for (const auto* each = list; each != nullptr; each = each->ai_next) {
    Descriptor socket(::socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, 0));
    if (::connect(socket.number(), each->ai_addr, each->ai_addrlen) == 0) return socket;
  }
  return Error{"nobody listens at port " + port + " of " + host};
}

}  // namespace

Result<std::unique_ptr<Connection>> connect_to(const std::string& host, const std::string& port) {
  auto socket = connected_socket(host, port);
  if (!socket) return socket.error();
  return std::unique_ptr<Connection>(
      std::make_unique<PlainConnection>(*std::move(socket), Descriptor(), 0, false));
}

Result<std::unique_ptr<Connection>> connect_over_tls(const std::string& host,
                                                     const std::string& port,
                                                     const std::string& authorities) {
  auto socket = connected_socket(host, port);
  if (!socket) return socket.error();
  auto connection = std::make_unique<TlsConnection>(*std::move(socket));
  const std::string fault = connection->shake_hands(host, authorities);
  if (!fault.empty()) return Error{fault};
  return std::unique_ptr<Connection>(std::move(connection));
}

Result<std::unique_ptr<Connection>> start_program(std::vector<std::string> command,
                                                  ProgramHabits habits) {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  if (::pipe2(to.data(), O_CLOEXEC) != 0) return Error{"no pipe can be made"};
  Descriptor reading_of_program(to[0]);
  Descriptor writing(to[1]);
  if (::pipe2(from.data(), O_CLOEXEC) != 0) return Error{"no pipe can be made"};
  Descriptor reading(from[0]);
  Descriptor writing_of_program(from[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, reading_of_program.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, writing_of_program.number(), STDOUT_FILENO);
  if (habits.reads_errors) {
    posix_spawn_file_actions_adddup2(&actions, writing_of_program.number(), STDERR_FILENO);
  }
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (auto& each : command) words.push_back(each.data());
  words.push_back(nullptr);
  pid_t program = 0;
  const int error = ::posix_spawnp(&program, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return Error{"cannot start " + command[0] + ": " + std::strerror(error)};
  return std::unique_ptr<Connection>(std::make_unique<PlainConnection>(
      std::move(reading), std::move(writing), program, habits.terminates));
}

}  // namespace jrpcheck::reference
