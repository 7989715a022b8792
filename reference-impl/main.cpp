// jrpcheck-reference: the reference server as a program.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/deviant.hpp"
#include "reference-impl/dialect_1_0.hpp"
#include "reference-impl/http_server.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/stdio_server.hpp"

namespace {

using namespace jrpcheck;
using namespace jrpcheck::reference;

constexpr int kFailure = 1;
constexpr int kUsageError = 2;

struct Options {
  bool over_stdio = false;
  std::string framing = "lines";
  int port = 0;
  std::string dialect = "2.0";
  std::string fault;
  std::string variant;
};

int run_stdio(const Options& options, const Handler& handler, const Conduct& conduct) {
  const auto framing = *wire::framing_named(options.framing);
  if (serve_stream(handler, framing, STDIN_FILENO, STDOUT_FILENO, conduct)) return 0;
  std::cerr << "jrpcheck-reference: nobody reads standard output any more\n";
  return kFailure;
}

int run_http(const Options& options, const Handler& handler, const Conduct& conduct) {
  auto server = HttpServer::listen(static_cast<std::uint16_t>(options.port));
  if (!server) {
    std::cerr << "jrpcheck-reference: " << server.error().message << '\n';
    return kFailure;
  }
  std::cerr << "listening on " << server->url() << std::endl;
  server->serve(handler, conduct);
  return 0;
}

int run(const Options& options, const Handler& handler, const Conduct& conduct) {
  return options.over_stdio ? run_stdio(options, handler, conduct)
                            : run_http(options, handler, conduct);
}

int run_deviant(const Options& options, const Behaviour& behaviour) {
  const Dispatcher dispatcher = make_reference_dispatcher(behaviour.limits.value_or(Limits{}));
  return run(options, DeviantHandler(dispatcher, behaviour), DeviantConduct(behaviour));
}

int run_deviation(const Options& options, const std::string& kind, const std::string& name,
                  const std::vector<Deviation>& all) {
  if (const Deviation* deviation = find(all, name)) {
    return run_deviant(options, deviation->behaviour());
  }
  std::cerr << "jrpcheck-reference: there is no " << kind << " \"" << name
            << "\"; jrpcheck-reference --list prints the names\n";
  return kUsageError;
}

std::vector<Deviation> all_faults() {
  std::vector<Deviation> all = faults();
  const std::vector<Deviation> deep = deep_faults();
  all.insert(all.end(), deep.begin(), deep.end());
  return all;
}

int run_1_0(const Options& options) {
  const FaultOf10* fault = find_fault_of_1_0(options.fault);
  if (!options.variant.empty() || (fault == nullptr && !options.fault.empty())) {
    std::cerr << "jrpcheck-reference: the dialect 1.0 has no such fault or variant; "
                 "jrpcheck-reference --dialect 1.0 --list prints the names\n";
    return kUsageError;
  }
  const Dispatcher methods = make_reference_dispatcher();
  return run(options, HandlerOf10(methods, fault), proper_conduct());
}

void add_options(CLI::App& app, Options& options) {
  app.set_version_flag("--version", "jrpcheck-reference " JRPCHECK_VERSION);
  auto* transport = app.add_option_group("transport")->require_option(1);
  auto* stdio =
      transport->add_flag("--stdio", options.over_stdio, "Serve on standard input and output");
  transport
      ->add_option("--http", options.port, "Serve HTTP/1.1 on 127.0.0.1; port 0 picks a free one")
      ->check(CLI::Range(0, 65535))
      ->type_name("PORT");
  app.add_option("--framing", options.framing,
                 "How messages are told apart on standard input and output")
      ->check(CLI::IsMember({"lines", "content-length", "concatenated"}))
      ->capture_default_str()
      ->needs(stdio);
  app.add_option("--dialect", options.dialect, "Speak JSON-RPC 2.0 or 1.0, and only that")
      ->check(CLI::IsMember({"2.0", "1.0"}))
      ->capture_default_str();
  auto* fault = app.add_option("--fault", options.fault, "Break one rule, for testing a judge")
                    ->type_name("NAME");
  app.add_option("--variant", options.variant, "Be odd in one way that no rule forbids")
      ->type_name("NAME")
      ->excludes(fault);
  app.add_flag_callback(
      "--list",
      [&options] {
        if (options.dialect == "1.0") {
          write_faults_of_1_0(std::cout);
        } else {
          write_list(std::cout);
        }
        throw CLI::Success();
      },
      "Print all faults and variants: kind, name, requirements, transports and a sentence");
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
  if (options.dialect == "1.0") return run_1_0(options);
  if (!options.fault.empty()) return run_deviation(options, "fault", options.fault, all_faults());
  if (!options.variant.empty()) {
    return run_deviation(options, "variant", options.variant, variants());
  }
  return run(options, make_reference_dispatcher(), proper_conduct());
}
