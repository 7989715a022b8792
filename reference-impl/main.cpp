// jrpcheck-reference: the reference server as a program.
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/client/client_mutants.hpp"
#include "reference-impl/client/client_program.hpp"
#include "reference-impl/client/protocol_client.hpp"
#include "reference-impl/dialect_1_0.hpp"
#include "reference-impl/event_stream_server.hpp"
#include "reference-impl/http_connection.hpp"
#include "reference-impl/http_server.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mutated_server.hpp"
#include "reference-impl/mutants/protocols.hpp"
#include "reference-impl/socket_server.hpp"
#include "reference-impl/stdio_server.hpp"
#include "reference-impl/tls.hpp"
#include "reference-impl/websocket_server.hpp"
#include "wire/binding.hpp"

namespace {

using namespace jrpcheck;
using namespace jrpcheck::reference;

constexpr int kFailure = 1;
constexpr int kUsageError = 2;

struct Options {
  bool over_stdio = false;
  std::string framing_given;
  std::optional<int> http_port;
  std::optional<int> tcp_port;
  std::optional<int> ws_port;
  std::optional<int> sse_port;
  std::optional<std::string> unix_path;
  std::vector<std::string> tls_files;
  bool tls_self_signed = false;
  std::string dialect = "2.0";
  const ProtocolOnTop* protocol = nullptr;  ///< null: JSON-RPC alone
  std::string version;                      ///< of that
  std::string fault;
  std::string variant;
  bool is_client = false;
  std::string server_url;                   ///< of a client
  std::vector<std::string> server_command;  ///< in place of that

  wire::MakeFraming framing() const {
    const std::string usual = protocol == nullptr ? "lines" : protocol->framing;
    return wire::known_binding(framing_given.empty() ? usual : framing_given).framing;
  }
};

int complain(const std::string& message, int code = kFailure) {
  std::cerr << "jrpcheck-reference: " << message << '\n';
  return code;
}

int refuse(const std::string& message) { return complain(message, kUsageError); }

using Served = std::shared_ptr<const Handler>;

/// Makes what answers one conversation, which may be what answers all.
using MakeHandler = std::function<Served(const Door& door)>;

int run_stdio(const Options& options, const MakeHandler& make, const TransportHooks& hooks) {
  const auto framing = options.framing();
  const auto handler = make({[](int code) { ::_exit(code); }, true});
  if (serve_stream(*handler, framing, STDIN_FILENO, STDOUT_FILENO, hooks)) return 0;
  return complain("nobody reads standard output any more");
}

std::optional<Result<TlsServer>> tls_of(const Options& options, const TlsHabits& habits) {
  if (options.tls_files.size() == 2) {
    return TlsServer::with_files(options.tls_files[0], options.tls_files[1], habits);
  }
  if (options.tls_self_signed) return TlsServer::self_signed(habits);
  return std::nullopt;
}

std::string url_of(const Options& options, std::uint16_t port, bool is_secure) {
  if (options.unix_path) return "unix:" + *options.unix_path;
  const std::string authority = "://127.0.0.1:" + std::to_string(port);
  if (options.tcp_port) return (is_secure ? "tls" : "tcp") + authority;
  return (options.ws_port ? (is_secure ? "wss" : "ws") : (is_secure ? "https" : "http")) +
         authority + "/";
}

SocketServer::Serve serving(const Options& options, const MakeHandler& make,
                            const TransportHooks& hooks) {
  const auto made_for = [make, can_tell = !options.http_port && !options.sse_port](int socket) {
    return make({[socket](int) { ::shutdown(socket, SHUT_RDWR); }, can_tell});
  };
  if (options.ws_port) {
    return [&, made_for](int socket) { serve_websocket(*made_for(socket), socket, hooks); };
  }
  if (options.http_port) {
    return [&, made_for](int socket) { serve_http_connection(*made_for(socket), socket, hooks); };
  }
  if (options.sse_port) {
    const auto server = std::make_shared<EventStreamServer>(hooks);
    return [made_for, server](int socket) { server->serve(*made_for(socket), socket); };
  }
  const auto framing = options.framing();
  return [&, made_for, framing](int socket) {
    serve_stream(*made_for(socket), framing, socket, socket, hooks);
  };
}

int run_sockets(const Options& options, const MakeHandler& make, const TransportHooks& hooks) {
  const auto tls = tls_of(options, hooks.tls);
  if (tls && !*tls) return complain(tls->error().message);
  int port = 0;
  for (const auto& each :
       {options.http_port, options.sse_port, options.ws_port, options.tcp_port}) {
    port = each.value_or(port);
  }
  auto server = options.unix_path ? SocketServer::on_path(*options.unix_path)
                                  : SocketServer::on_port(static_cast<std::uint16_t>(port));
  if (!server) return complain(server.error().message);
  std::cerr << "listening on " << url_of(options, server->port(), tls.has_value()) << std::endl;
  const auto serve = serving(options, make, hooks);
  if (!tls) {
    server->serve(serve);
  } else {
    server->serve([&](int socket) { (*tls)->serve(socket, serve); });
  }
  return 0;
}

MakeHandler handlers_of(const Options& options, const Limits& limits) {
  if (options.protocol != nullptr) {
    return [&options, limits](const Door& door) {
      return options.protocol->make(options.version, limits, door);
    };
  }
  const auto dispatcher = std::make_shared<const Dispatcher>(make_reference_dispatcher(limits));
  if (options.dialect != "1.0") return [dispatcher](const Door&) -> Served { return dispatcher; };
  const auto of_1_0 = std::make_shared<const HandlerOf10>(*dispatcher);
  return [dispatcher, of_1_0](const Door&) -> Served { return of_1_0; };
}

int run(const Options& options, const Behaviour& behaviour) {
  TransportHooks hooks = hooks_of(behaviour);
  const Limits limits = behaviour.limits.value_or(Limits{});
  if (options.protocol != nullptr && options.protocol->over_http) {
    hooks.http = options.protocol->over_http(options.version, limits, behaviour);
  }
  const MakeHandler make = handlers_of(options, limits);
  return options.over_stdio ? run_stdio(options, make, hooks) : run_sockets(options, make, hooks);
}

/// The mutant of that name among those that the options choose from.
std::optional<Mutant> named(const Options& options, std::string_view name) {
  const auto copied = [](const Mutant* found) {
    return found == nullptr ? std::nullopt : std::optional<Mutant>(*found);
  };
  const bool is_fault = options.variant.empty();
  if (options.protocol != nullptr) {
    return copied(find(is_fault ? options.protocol->faults(options.version)
                                : options.protocol->variants(options.version),
                       name));
  }
  const bool is_1_0 = options.dialect == "1.0";
  if (is_fault) return copied(is_1_0 ? find_fault_of_1_0(name) : find_fault(name));
  return copied(is_1_0 ? find_variant_of_1_0(name) : find_variant(name));
}

/// The number of NAME=NUMBER, which some mutants take; 0 where it is none from 1 on.
std::optional<int> number_behind(const std::string& given) {
  const std::size_t equals = given.find('=');
  if (equals == given.npos) return std::nullopt;
  int number = 0;
  const char* end = given.data() + given.size();
  const auto [stop, error] = std::from_chars(given.data() + equals + 1, end, number);
  return error == std::errc() && stop == end ? std::max(number, 0) : 0;
}

int run_client(const Options& options) {
  const std::string protocol = options.protocol == nullptr ? "" : options.protocol->name;
  const auto done =
      run_client_program({.url = options.server_url,
                          .command = options.server_command,
                          .protocol = protocol,
                          .version = options.version,
                          .mutant = options.fault.empty() ? options.variant : options.fault,
                          .is_fault = !options.fault.empty()});
  if (!done) return refuse(done.error().message);
  return *done ? 0 : kFailure;
}

int run(const Options& options) {
  if (options.is_client) return run_client(options);
  const std::string& given = options.fault.empty() ? options.variant : options.fault;
  if (given.empty()) return run(options, Behaviour{});
  const std::string name = given.substr(0, given.find('='));
  const auto number = number_behind(given);
  if (number == 0)
    return refuse("what stands behind = in \"" + given + "\" is no number from 1 on");
  const auto mutant = named(options, name);
  if (mutant && number.has_value() <= mutant->behaviour.takes_number()) {
    return run(options, mutant->behaviour(number));
  }
  std::string dialect = options.dialect == "1.0" ? " --dialect 1.0" : "";
  if (options.protocol != nullptr) dialect = " --" + options.protocol->name;
  if (!options.version.empty()) dialect += " " + options.version;
  return refuse("there is no " + std::string(options.fault.empty() ? "variant" : "fault") + " \"" +
                name + "\"; jrpcheck-reference" + dialect + " --list prints the names");
}

std::vector<std::string> framing_names() {
  std::vector<std::string> names;
  for (const auto& binding : wire::bindings()) {
    if (binding.is_framing()) names.emplace_back(binding.name);
  }
  return names;
}

/// Each is spoken alone, and only some by the client.
void add_protocols(CLI::App& app, CLI::Option* dialect, CLI::Option* client, Options& options) {
  std::vector<CLI::Option*> all = {dialect};
  for (const auto& each : protocols_on_top()) {
    const std::string name = "--" + each.name;
    const auto choose = [&options, &each](const std::string& version) {
      options.protocol = &each;
      options.version = version;
    };
    auto* option = each.versions.empty()
                       ? app.add_flag_callback(
                             name, [choose] { choose({}); }, each.about)
                       : app.add_option_function<std::string>(name, choose, each.about)
                             ->check(CLI::IsMember(each.versions))
                             ->type_name("VERSION");
    for (auto* other : all) option->excludes(other);
    if (!each.has_client) option->excludes(client);
    all.push_back(option);
  }
}

CLI::Option* add_client(CLI::App& transport, Options& options) {
  const auto choose = [&options](const std::string& url) {
    options.is_client = true;
    options.server_url = url;
  };
  return transport
      .add_option_function<std::string>(
          "--client", choose,
          "Be a client: call echo [n] for each n of JRPCHECK_CALLS at this URL, at "
          "JRPCHECK_URL, or at the program named after --; with --mcp or --lsp, a short session")
      ->expected(0, 1)
      ->type_name("[URL]");
}

void print_list(const Options& options, bool of_clients) {
  if (of_clients && options.protocol != nullptr) {
    write_list_of_protocol_clients(std::cout,
                                   family_of_client(options.protocol->name, options.version));
  } else if (of_clients) {
    write_list_of_client(std::cout);
  } else if (options.protocol != nullptr) {
    write_list(std::cout, options.protocol->faults(options.version),
               options.protocol->variants(options.version));
  } else if (options.dialect == "1.0") {
    write_list_of_1_0(std::cout);
  } else {
    write_list(std::cout);
  }
}

void add_options(CLI::App& app, Options& options) {
  app.set_version_flag("--version", "jrpcheck-reference " JRPCHECK_VERSION);
  auto* transport = app.add_option_group("transport")->require_option(1);
  auto* stdio =
      transport->add_flag("--stdio", options.over_stdio, "Serve on standard input and output");
  auto* http = transport->add_option("--http", options.http_port,
                                     "Serve HTTP/1.1 on 127.0.0.1; port 0 picks a free one");
  auto* tcp = transport->add_option("--tcp", options.tcp_port,
                                    "Serve a stream on 127.0.0.1; port 0 picks a free one");
  auto* ws = transport->add_option("--ws", options.ws_port,
                                   "Serve WebSocket on 127.0.0.1; port 0 picks a free one");
  auto* sse =
      transport->add_option("--sse", options.sse_port,
                            "Serve event streams over HTTP on 127.0.0.1: in answer to a "
                            "POST, and at /sse as of MCP 2024-11-05; port 0 picks a free one");
  for (auto* port : {http, tcp, ws, sse}) port->check(CLI::Range(0, 65535))->type_name("PORT");
  transport->add_option("--unix", options.unix_path, "Serve a stream on a socket at this path")
      ->type_name("PATH");
  auto* client = add_client(*transport, options);
  auto* tls = app.add_option("--tls", options.tls_files,
                             "Serve HTTP, WebSocket or TCP over TLS, with a certificate chain and "
                             "its key in PEM")
                  ->expected(2)
                  ->type_name("CERTIFICATE KEY")
                  ->excludes(stdio)
                  ->excludes(client);
  app.add_flag("--tls-self-signed", options.tls_self_signed,
               "The same with a certificate made for the occasion")
      ->excludes(tls)
      ->excludes(stdio)
      ->excludes(client);
  app.add_option("--framing", options.framing_given,
                 "How messages are told apart on a stream (default lines; with --lsp "
                 "content-length)")
      ->check(CLI::IsMember(framing_names()))
      ->excludes(http)
      ->excludes(sse)
      ->excludes(ws)
      ->excludes(client);
  auto* dialect =
      app.add_option("--dialect", options.dialect, "Speak JSON-RPC 2.0 or 1.0, and only that")
          ->check(CLI::IsMember({"2.0", "1.0"}))
          ->capture_default_str()
          ->excludes(client);
  add_protocols(app, dialect, client, options);
  auto* fault = app.add_option("--fault", options.fault, "Break one rule, for testing a judge")
                    ->type_name("NAME[=NUMBER]");
  app.add_option("--variant", options.variant, "Be odd in one way that no rule forbids")
      ->type_name("NAME")
      ->excludes(fault);
  app.add_flag_callback(
      "--list",
      [&options, client] {
        print_list(options, client->count() != 0);
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
  // What stands behind -- is another program's, whatever it looks like.
  char** const words_end = argv + argc;
  char** const end = std::find(argv, words_end, std::string_view("--"));
  if (end != words_end) options.server_command.assign(end + 1, words_end);
  try {
    app.parse(static_cast<int>(end - argv), argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;  // --help and --version come this way too
  }

  if (!options.is_client && !options.server_command.empty()) {
    return refuse("a program behind -- is the server of --client");
  }
  std::signal(SIGPIPE, SIG_IGN);  // a peer that went away is a failed write, not a death
  return run(options);
}
