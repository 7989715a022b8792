// jrpcheck-reference: the reference server as a program.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdint>
#include <iostream>
#include <string>

#include "reference-impl/http_server.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/stdio_server.hpp"

namespace {

using namespace jrpcheck;
using namespace jrpcheck::reference;

constexpr int kFailure = 1;
constexpr int kUsageError = 2;

int run_stdio(const Dispatcher& dispatcher, wire::FramingKind framing) {
  if (serve_stream(dispatcher, framing, STDIN_FILENO, STDOUT_FILENO)) return 0;
  std::cerr << "jrpcheck-reference: nobody reads standard output any more\n";
  return kFailure;
}

int run_http(const Dispatcher& dispatcher, std::uint16_t port) {
  auto server = HttpServer::listen(port);
  if (!server) {
    std::cerr << "jrpcheck-reference: " << server.error().message << '\n';
    return kFailure;
  }
  std::cerr << "listening on " << server->url() << std::endl;
  server->serve(dispatcher);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A small JSON-RPC 2.0 server that keeps to every rule.", "jrpcheck-reference");
  app.set_version_flag("--version", "jrpcheck-reference " JRPCHECK_VERSION);

  bool over_stdio = false;
  std::string framing = "lines";
  int port = 0;
  auto* transport = app.add_option_group("transport")->require_option(1);
  auto* stdio = transport->add_flag("--stdio", over_stdio, "Serve on standard input and output");
  transport->add_option("--http", port, "Serve HTTP/1.1 on 127.0.0.1; port 0 picks a free one")
      ->check(CLI::Range(0, 65535))
      ->type_name("PORT");
  app.add_option("--framing", framing, "How messages are told apart on standard input and output")
      ->check(CLI::IsMember({"lines", "content-length", "concatenated"}))
      ->capture_default_str()
      ->needs(stdio);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;  // --help and --version come this way too
  }

  std::signal(SIGPIPE, SIG_IGN);  // a peer that went away is a failed write, not a death
  const Dispatcher dispatcher = make_reference_dispatcher();
  if (over_stdio) return run_stdio(dispatcher, *wire::framing_named(framing));
  return run_http(dispatcher, static_cast<std::uint16_t>(port));
}
