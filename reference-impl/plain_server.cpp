// jrpcheck-reference-plain: the reference server over stdio and HTTP, without the faults and the
// protocols on top that jrpcheck-reference has. `scripts/run` judges it, for it is built in a
// fraction of the time.
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <iostream>
#include <string_view>

#include "reference-impl/http_server.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/stdio_server.hpp"
#include "wire/binding.hpp"

namespace {

using namespace jrpcheck;
using namespace jrpcheck::reference;

int serve_stdio(const Handler& handler) {
  const auto framing = wire::known_binding("lines").framing;
  return serve_stream(handler, framing, STDIN_FILENO, STDOUT_FILENO, {}) ? 0 : 1;
}

int serve_http(const Handler& handler, int port) {
  auto server = HttpServer::listen(static_cast<std::uint16_t>(port));
  if (!server) {
    std::cerr << "jrpcheck-reference-plain: " << server.error().message << '\n';
    return 1;
  }
  std::cerr << "listening on " << server->url() << std::endl;
  server->serve(handler);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a peer that went away is a failed write, not a death
  const auto dispatcher = make_reference_dispatcher();
  const std::string_view door = argc > 1 ? argv[1] : "";
  if (argc == 2 && door == "--stdio") return serve_stdio(dispatcher);
  if (argc == 3 && door == "--http") return serve_http(dispatcher, std::atoi(argv[2]));
  std::cerr << "usage: jrpcheck-reference-plain --stdio | --http PORT\n";
  return 2;
}
