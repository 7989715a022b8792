// A bare write/read loop: the same call written to a program on stdio, one line back, and again.
// `bare_loop SECONDS COMMAND [ARG...]` prints how many times a second. What anything else that
// talks to the same program can be measured against.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int to[2];
  int from[2];
  if (::pipe(to) != 0 || ::pipe(from) != 0) return 3;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(to[0], 0);
    ::dup2(from[1], 1);
    for (const int each : {to[0], to[1], from[0], from[1]}) ::close(each);
    ::execvp(argv[2], argv + 2);
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  const char call[] = "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[42,23],\"id\":1}\n";
  char answer[4096];
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double> wanted(std::atof(argv[1]));
  unsigned long long count = 0;
  std::chrono::duration<double> took{0};
  for (; took < wanted; took = std::chrono::steady_clock::now() - begin) {
    if (::write(to[1], call, sizeof call - 1) < 0) return 3;
    ssize_t got = 0;
    do {
      got = ::read(from[0], answer, sizeof answer);
      if (got <= 0) return 3;
    } while (answer[got - 1] != '\n');
    ++count;
  }
  std::printf("%.0f\n", static_cast<double>(count) / took.count());
  ::close(to[1]);
  ::waitpid(child, nullptr, 0);
  return 0;
}
