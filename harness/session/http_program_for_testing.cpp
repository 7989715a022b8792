// For tests: an HTTP server as a program, `http_program_for_testing PORT HABIT`.
//   serves  answers calls; dies of the body "die", and serves nothing more after the body "wedge"
//   loads   the same, but the first three requests are answered 503
//   fails   ends with a message instead of listening
//   keeps-out:FILE  the same as serves, but refuses every call while there is that file, which the
//                   body "lock" makes
// Behind the body "bar" every call is refused, until it is started anew.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "session/http_script_for_testing.hpp"

int main(int argc, char** argv) {
  using namespace jrpcheck::session::testing;
  if (argc != 3) return 2;
  const std::string habit = argv[2];
  if (habit == "fails") {
    std::puts("cannot open the database");
    return 1;
  }
  std::atomic<int> refusals{habit == "loads" ? 3 : 0};
  std::atomic<bool> wedged{false};
  std::atomic<bool> barred{false};
  const std::string keeping_out = "keeps-out:";
  const std::string lock = habit.starts_with(keeping_out) ? habit.substr(keeping_out.size()) : "";
  const auto serve = [&](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      if (request->body == "die") {
        std::fputs("cannot digest this\n", stderr);
        std::_Exit(3);
      }
      if (request->body == "wedge") wedged = true;
      if (wedged) return connection.hang();
      const bool is_kept_out = barred || (!lock.empty() && std::filesystem::exists(lock));
      if (request->body == "bar") barred = true;
      if (request->body == "lock") std::ofstream(lock) << "locked";
      connection.send(is_kept_out      ? with_length("no", 401)
                      : refusals-- > 0 ? with_length("loading", 503)
                                       : with_length(answer_to(*request)));
    }
  };
  const ScriptedHttpServer server(serve, static_cast<std::uint16_t>(std::stoi(argv[1])));
  for (;;) ::pause();
}
