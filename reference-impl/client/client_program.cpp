#include "reference-impl/client/client_program.hpp"

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "reference-impl/client/client.hpp"
#include "reference-impl/client/client_mutants.hpp"
#include "reference-impl/client/protocol_client.hpp"

namespace jrpcheck::reference {

namespace {

std::string variable(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

std::vector<int> numbers_in(const std::string& text) {
  std::vector<int> numbers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');)
    numbers.push_back(std::atoi(word.c_str()));
  return numbers;
}

Error no_mutant(const ClientWords& words) {
  std::string of = words.protocol.empty() ? "" : " --" + words.protocol;
  if (!words.version.empty()) of.append(" ").append(words.version);
  return Error{"the client has no " + std::string(words.is_fault ? "fault" : "variant") + " \"" +
               words.mutant + "\"; jrpcheck-reference --client" + of + " --list prints the names"};
}

// A session of MCP or LSP.
Result<bool> run_protocol(const ClientWords& words, const ServerPlace& place) {
  const auto* mutant = find_client_mutant(protocol_mutants(), words.mutant);
  const std::string family = family_of_client(words.protocol, words.version);
  const bool is_one = mutant != nullptr && mutant->name.starts_with(family + "-") &&
                      mutant->breaks.certain.empty() != words.is_fault;
  if (!words.mutant.empty() && !is_one) return no_mutant(words);
  return run_session(place, words.protocol, words.version, words.mutant);
}

Result<ClientHooks> hooks_for(const ClientWords& words) {
  ClientHooks hooks;
  if (words.mutant.empty()) return hooks;
  const auto faults = client_faults();
  const auto* mutant =
      find_client_mutant(words.is_fault ? faults : client_variants(), words.mutant);
  if (mutant == nullptr && words.is_fault) {
    mutant = find_client_mutant(client_faults_of_state(), words.mutant);
  }
  if (mutant == nullptr) return no_mutant(words);
  mutant->change(hooks);
  return hooks;
}

CallManner manner_asked_for() {
  const std::string order = variable("JRPCHECK_ORDER", "in-turn");
  CallManner manner;
  manner.notify = numbers_in(variable("JRPCHECK_NOTIFY"));
  manner.order = order == "batch"      ? CallsAre::batch
                 : order == "together" ? CallsAre::together
                                       : CallsAre::in_turn;
  return manner;
}

}  // namespace

// As the drivers of `jrpcheck client` do: whoever calls fewer numbers sets JRPCHECK_CALLS.
Result<bool> run_client_program(const ClientWords& words) {
  const ServerPlace place{words.url.empty() ? variable("JRPCHECK_URL") : words.url,
                          variable("JRPCHECK_CACERT"), words.command};
  if (place.url.empty() && place.command.empty()) {
    return Error{"no server is named: --client URL, JRPCHECK_URL, or a program behind --"};
  }
  if (const auto url = parse_url(place.url); place.command.empty() && !url) return url.error();
  if (!words.protocol.empty()) return run_protocol(words, place);
  auto hooks = hooks_for(words);
  if (!hooks) return hooks.error();
  if (const auto limit = limit_of_calls()) {
    if (hooks->heeds_limit) hooks->patience = *limit;
    std::cout << "{\"limit\":" << variable("JRPCHECK_TIMEOUT") << "}" << std::endl;
  }
  return call_echo(place, numbers_in(variable("JRPCHECK_CALLS", "1,2,3")), manner_asked_for(),
                   *hooks, std::cout);
}

}  // namespace jrpcheck::reference
