#include "cli/upstream_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>
#include <utility>

#include "base/bytes.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/parse_words.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kBlanksOfLine = " \t\r\n";

// Whether what passes the door can be carried to the server.
bool leads_to(const client::Door& door, const run::Options& endpoint) {
  const bool has_own = endpoint.target && !endpoint.target->scheme->binding.empty();
  return has_own ? door.binding == endpoint.target->scheme->binding : door.takes_framings();
}

std::vector<std::string> words_again(const UpstreamWords& words, const client::Door& door) {
  std::vector<std::string> again = {"--door", std::string(door.name)};
  const auto add = [&again](const char* option, const std::string& value) {
    if (!value.empty()) again.insert(again.end(), {option, value});
  };
  add("--upstream", words.target);
  add("--upstream-command", words.command);
  add("--framing", words.framing);
  add("--cacert", words.tls.authorities);
  add("--cert", words.tls.certificate);
  add("--key", words.tls.key);
  add("--servername", words.tls.server_name);
  if (words.tls.is_insecure) again.emplace_back("--insecure");
  return again;
}

Result<bool> refuse_without_upstream(const UpstreamWords& words) {
  if (words.answer == 0 && words.framing.empty() && !speaks_of_tls(words.tls)) return true;
  return Error{"--answer, --framing and what concerns TLS are about an --upstream"};
}

}  // namespace

Result<const client::Door*> door_towards(const run::Options& endpoint, const std::string& named,
                                         bool is_upstream) {
  if (named.empty() && !is_upstream) return &client::usual_door(false);
  if (named.empty()) {
    return &*std::ranges::find_if(client::doors(), [&](const client::Door& each) {
      return each.is_stdio() != endpoint.target.has_value() && leads_to(each, endpoint);
    });
  }
  const auto* door = client::door_named(named);
  if (door == nullptr) return Error{"--door takes one of " + client::names_of_doors()};
  if (!is_upstream || leads_to(*door, endpoint)) return door;
  return Error{"--door " + named +
               " does not lead to such an upstream: HTTP leads to HTTP, "
               "WebSocket to WebSocket, tcp, tls and stdio to streams and programs"};
}

void declare_upstream(CLI::App& app, UpstreamWords& words) {
  app.add_option("--upstream", words.target,
                 "a real server that answers the client, and of whose answers one is bent")
      ->type_name("TARGET");
  app.add_option("--upstream-command", words.command,
                 "the same, of a program on stdio: its words as a shell tells them apart")
      ->type_name("WORDS");
  app.add_option("--answer", words.answer,
                 "which answer with a result is bent, from 1 (default: the last but one)")
      ->type_name("N")
      ->check(whole_number(1, INT_MAX));
  app.add_option("--framing", words.framing,
                 "how messages are separated on the upstream's stream; without it jrpcheck finds "
                 "out")
      ->type_name(wire::framing_names("|"));
  declare_tls(app, words.tls);
}

Result<std::optional<UpstreamOptions>> interpret_upstream(const UpstreamWords& words,
                                                          const std::string& door) {
  if (words.target.empty() && words.command.empty()) {
    if (auto ok = refuse_without_upstream(words); !ok) return ok.error();
    return std::optional<UpstreamOptions>();
  }
  if (!words.target.empty() && !words.command.empty()) {
    return Error{"--upstream and --upstream-command: name one server"};
  }
  EndpointWords endpoint;
  endpoint.target = words.target;
  endpoint.framing = words.framing;
  endpoint.tls = words.tls;
  CommandLine line;
  if (words.target.empty()) {
    auto command = split_words(words.command);
    if (!command) return Error{"--upstream-command: " + command.error().message};
    if (command->empty()) return Error{"--upstream-command names no program"};
    line.command = *std::move(command);
    line.has_command = true;
  }
  UpstreamOptions options;
  if (auto ok = interpret_endpoint(line, endpoint, options.endpoint); !ok) {
    return Error{"--upstream: " + ok.error().message};
  }
  auto leading = door_towards(options.endpoint, door);
  if (!leading) return leading.error();
  options.door = *leading;
  options.answer = static_cast<std::size_t>(words.answer);
  options.repeated = words_again(words, *options.door);
  return std::optional(std::move(options));
}

client::BendOptions bend_options(const UpstreamOptions& options, transport::Guardian& guardian,
                                 std::unique_ptr<transport::Peer>& peer) {
  const auto& endpoint = options.endpoint;
  client::BendOptions made;
  made.answer = options.answer;
  made.repeated = options.repeated;
  made.upstream.framing = endpoint.framing;
  if (endpoint.target) {
    peer = transport::make_server_peer(endpoint.target->place());
    made.shown = endpoint.target->redacted;
    made.upstream.destination = {endpoint.target->authority, endpoint.target->authorization};
    made.path = endpoint.target->path;
  } else {
    peer = transport::make_program_peer(endpoint.command, guardian);
    made.shown = shell_line(endpoint.command);
  }
  made.upstream.peer = peer.get();
  made.upstream.tell_secret = [](const result::Secret& each) { keep_secret({each}); };
  return made;
}

Result<std::vector<std::string>> split_words(const std::string& line) {
  std::vector<std::string> words;
  bool is_within = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && kBlanksOfLine.find(c) != std::string_view::npos) {
      is_within = false;
      continue;
    }
    if (!std::exchange(is_within, true)) words.emplace_back();
    const bool has_next = i + 1 < line.size();
    const bool is_escaped =
        has_next && c == '\\' &&
        (quote == 0 || (quote == '"' && (line[i + 1] == '"' || line[i + 1] == '\\')));
    if (is_escaped) {
      words.back() += line[++i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) return Error{"a quote is not closed"};  // the line may hold a secret
  return words;
}

}  // namespace jrpcheck::cli
