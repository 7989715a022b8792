// jrpcheck-reference: the reference server as a program.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/dialect_1_0.hpp"
#include "reference-impl/http_server.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mutated_server.hpp"
#include "reference-impl/socket_server.hpp"
#include "reference-impl/stdio_server.hpp"
#include "reference-impl/websocket_server.hpp"
#include "wire/binding.hpp"

namespace {

using namespace jrpcheck;
using namespace jrpcheck::reference;

constexpr int kFailure = 1;
constexpr int kUsageError = 2;

struct Options {
  bool over_stdio = false;
  std::string framing = "lines";
  int http_port = 0;
  std::optional<int> tcp_port;
  std::optional<int> ws_port;
  std::string unix_path;
  std::string dialect = "2.0";
  std::string fault;
  std::string variant;
};

int complain(const std::string& message) {
  std::cerr << "jrpcheck-reference: " << message << '\n';
  return kFailure;
}

int run_stdio(const Options& options, const Handler& handler, const TransportHooks& hooks) {
  const auto framing = wire::known_binding(options.framing).framing;
  if (serve_stream(handler, framing, STDIN_FILENO, STDOUT_FILENO, hooks)) return 0;
  return complain("nobody reads standard output any more");
}

int run_http(const Options& options, const Handler& handler, const TransportHooks& hooks) {
  auto server = HttpServer::listen(static_cast<std::uint16_t>(options.http_port));
  if (!server) return complain(server.error().message);
  std::cerr << "listening on " << server->url() << std::endl;
  server->serve(handler, hooks);
  return 0;
}

int run_sockets(const Options& options, const Handler& handler, const TransportHooks& hooks) {
  auto server = options.tcp_port
                    ? SocketServer::on_port(static_cast<std::uint16_t>(*options.tcp_port))
                    : SocketServer::on_path(options.unix_path);
  if (!server) return complain(server.error().message);
  std::cerr << "listening on "
            << (options.tcp_port ? "tcp://127.0.0.1:" + std::to_string(server->port())
                                 : "unix:" + options.unix_path)
            << std::endl;
  const auto framing = wire::known_binding(options.framing).framing;
  server->serve([&](int socket) { serve_stream(handler, framing, socket, socket, hooks); });
  return 0;
}

int run_websocket(const Options& options, const Handler& handler, const TransportHooks& hooks) {
  auto server = SocketServer::on_port(static_cast<std::uint16_t>(*options.ws_port));
  if (!server) return complain(server.error().message);
  std::cerr << "listening on ws://127.0.0.1:" << server->port() << '/' << std::endl;
  server->serve([&](int socket) { serve_websocket(handler, socket, hooks); });
  return 0;
}

int run(const Options& options, const Handler& handler, const TransportHooks& hooks) {
  if (options.ws_port) return run_websocket(options, handler, hooks);
  if (options.over_stdio) return run_stdio(options, handler, hooks);
  const bool on_sockets = options.tcp_port || !options.unix_path.empty();
  return on_sockets ? run_sockets(options, handler, hooks) : run_http(options, handler, hooks);
}

int run(const Options& options, const Behaviour& behaviour) {
  const Dispatcher dispatcher = make_reference_dispatcher(behaviour.limits.value_or(Limits{}));
  const TransportHooks hooks = hooks_of(behaviour);
  if (options.dialect == "1.0") return run(options, HandlerOf10(dispatcher), hooks);
  return run(options, dispatcher, hooks);
}

/// The mutants among which the options choose.
std::vector<Mutant> eligible(const Options& options) {
  const bool is_1_0 = options.dialect == "1.0";
  if (!options.variant.empty()) return is_1_0 ? std::vector<Mutant>() : variants();
  if (is_1_0) return faults_of_1_0();
  std::vector<Mutant> all = faults();
  const std::vector<Mutant> deep = deep_faults();
  all.insert(all.end(), deep.begin(), deep.end());
  return all;
}

/// The number of NAME=NUMBER, which some mutants take.
std::optional<int> number_behind(const std::string& given) {
  const std::size_t equals = given.find('=');
  if (equals == given.npos) return std::nullopt;
  return std::atoi(given.c_str() + equals + 1);
}

int run(const Options& options) {
  const std::string& given = options.fault.empty() ? options.variant : options.fault;
  if (given.empty()) return run(options, Behaviour{});
  const std::string name = given.substr(0, given.find('='));
  const auto number = number_behind(given);
  const std::vector<Mutant> all = eligible(options);
  const Mutant* mutant = find(all, name);
  if (mutant != nullptr && number.has_value() <= mutant->behaviour.takes_number()) {
    return run(options, mutant->behaviour(number));
  }
  const std::string dialect = options.dialect == "1.0" ? " --dialect 1.0" : "";
  std::cerr << "jrpcheck-reference: there is no " << (options.fault.empty() ? "variant" : "fault")
            << " \"" << name << "\"; jrpcheck-reference" << dialect << " --list prints the names\n";
  return kUsageError;
}

std::vector<std::string> framing_names() {
  std::vector<std::string> names;
  for (const auto& binding : wire::bindings()) {
    if (binding.is_framing()) names.emplace_back(binding.name);
  }
  return names;
}

void add_options(CLI::App& app, Options& options) {
  app.set_version_flag("--version", "jrpcheck-reference " JRPCHECK_VERSION);
  auto* transport = app.add_option_group("transport")->require_option(1);
  transport->add_flag("--stdio", options.over_stdio, "Serve on standard input and output");
  auto* http = transport->add_option("--http", options.http_port,
                                     "Serve HTTP/1.1 on 127.0.0.1; port 0 picks a free one");
  auto* tcp = transport->add_option("--tcp", options.tcp_port,
                                    "Serve a stream on 127.0.0.1; port 0 picks a free one");
  auto* ws = transport->add_option("--ws", options.ws_port,
                                   "Serve WebSocket on 127.0.0.1; port 0 picks a free one");
  for (auto* port : {http, tcp, ws}) port->check(CLI::Range(0, 65535))->type_name("PORT");
  transport->add_option("--unix", options.unix_path, "Serve a stream on a socket at this path")
      ->type_name("PATH");
  app.add_option("--framing", options.framing, "How messages are told apart on a stream")
      ->check(CLI::IsMember(framing_names()))
      ->capture_default_str()
      ->excludes(http)
      ->excludes(ws);
  app.add_option("--dialect", options.dialect, "Speak JSON-RPC 2.0 or 1.0, and only that")
      ->check(CLI::IsMember({"2.0", "1.0"}))
      ->capture_default_str();
  auto* fault = app.add_option("--fault", options.fault, "Break one rule, for testing a judge")
                    ->type_name("NAME[=NUMBER]");
  app.add_option("--variant", options.variant, "Be odd in one way that no rule forbids")
      ->type_name("NAME")
      ->excludes(fault);
  app.add_flag_callback(
      "--list",
      [&options] {
        if (options.dialect == "1.0") {
          write_list_of_1_0(std::cout);
        } else {
          write_list(std::cout);
        }
        throw CLI::Success();
      },
      "Print all faults and variants: kind, name, requirements that it breaks and that may break "
      "with them, transports, opening and a sentence");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A small JSON-RPC 2.0 server that keeps to every rule.", "jrpcheck-reference");
  Options options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;  // --help and --version come this way too
  }

  std::signal(SIGPIPE, SIG_IGN);  // a peer that went away is a failed write, not a death
  return run(options);
}
