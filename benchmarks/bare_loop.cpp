// A bare write/read loop: the same call written, one answer back, and again. What anything else
// that talks to the same server can be measured against. Prints how many times a second.
//
//   bare_loop SECONDS COMMAND [ARG...]     a program on stdio, lines
//   bare_loop SECONDS --tcp PORT           a server on 127.0.0.1, lines
//   bare_loop SECONDS --ws PORT            the same over WebSocket
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

const std::string kCall =
    "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[42,23],\"id\":1}";

struct Ends {
  int reading = -1;
  int writing = -1;
  pid_t child = 0;
};

Ends start(char** command) {
  int to[2];
  int from[2];
  if (::pipe(to) != 0 || ::pipe(from) != 0) std::exit(3);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(to[0], 0);
    ::dup2(from[1], 1);
    for (const int each : {to[0], to[1], from[0], from[1]}) ::close(each);
    ::execvp(command[0], command);
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  return {from[0], to[1], child};
}

Ends connect_to(const char* port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<unsigned short>(std::atoi(port)));
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::exit(3);
  return {socket, socket, 0};
}

std::string read_more(int from) {
  char buffer[4096];
  const ssize_t size = ::read(from, buffer, sizeof buffer);
  if (size <= 0) std::exit(3);
  return {buffer, static_cast<std::size_t>(size)};
}

// Masked with zero: the bytes of the frame are those of the call.
std::string upgraded(const Ends& ends) {
  const std::string request =
      "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
  if (::write(ends.writing, request.data(), request.size()) < 0) std::exit(3);
  std::string heard;
  while (heard.find("\r\n\r\n") == heard.npos) heard += read_more(ends.reading);
  return std::string("\x81") + static_cast<char>(0x80 | kCall.size()) + std::string(4, '\0') +
         kCall;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string how = argv[2];
  const bool is_websocket = how == "--ws";
  const bool is_socket = is_websocket || how == "--tcp";
  if (is_socket && argc < 4) return 2;
  const Ends ends = is_socket ? connect_to(argv[3]) : start(argv + 2);
  const std::string call = is_websocket ? upgraded(ends) : kCall + "\n";
  const auto is_whole = [&](const std::string& answer) {
    if (!is_websocket) return answer.back() == '\n';
    return answer.size() >= 2 && answer.size() >= 2U + static_cast<unsigned char>(answer[1]);
  };
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double> wanted(std::atof(argv[1]));
  unsigned long long count = 0;
  std::chrono::duration<double> took{0};
  for (; took < wanted; took = std::chrono::steady_clock::now() - begin) {
    if (::write(ends.writing, call.data(), call.size()) < 0) return 3;
    std::string answer = read_more(ends.reading);
    while (!is_whole(answer)) answer += read_more(ends.reading);
    ++count;
  }
  std::printf("%.0f\n", static_cast<double>(count) / took.count());
  ::close(ends.writing);
  if (ends.child != 0) ::waitpid(ends.child, nullptr, 0);
  return 0;
}
