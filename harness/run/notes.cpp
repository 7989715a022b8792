#include "run/notes.hpp"

#include <algorithm>

#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "base/join.hpp"
#include "run/http_triage.hpp"

namespace jrpcheck::run {
namespace {

// The roles that cases of this corpus ask for and no method plays.
std::vector<std::string> unbound_roles(const corpus::Corpus& corpus,
                                       const corpus::RoleBindings& roles) {
  std::vector<std::string> unbound;
  for (const auto& role : corpus::known_roles()) {
    const bool wanted =
        std::any_of(corpus.cases.begin(), corpus.cases.end(),
                    [&](const corpus::Case& one) { return contains(one.roles, role); });
    if (wanted && roles.count(role) == 0) unbound.push_back(role);
  }
  return unbound;
}

}  // namespace

void add_role_notes(const corpus::Corpus& corpus, const Options& options,
                    const wire::Binding& binding, const corpus::RoleBindings& roles,
                    const Traits& traits, result::Run& run) {
  run.unjudgeable = traits.unjudgeable;
  if (!traits.unjudgeable.empty()) {
    run.notes.push_back(traits.unjudgeable);
    return;
  }
  if (!traits.still_starts.empty()) {
    run.notes.push_back(traits.still_starts);
  } else if (roles.empty() && traits.constant) {
    const bool has_login = wire::field_of(options.headers, "Authorization").has_value();
    const std::string hint = traits.constant->hint(
        binding, {!options.opening.messages.empty(), has_login, !options.headers.empty()});
    if (!hint.empty()) run.notes.push_back(hint);
  }
  const auto unbound = unbound_roles(corpus, roles);
  if (unbound.empty() || is_interrupted()) return;  // they were not looked for to the end
  run.notes.push_back(
      "Some cases need methods whose behaviour is known, and were not exercised: " +
      joined(unbound) + ". This writes a file in which to name yours, for --methods:\n  " +
      command_for(options, options.target ? options.target->redacted : "", "methods") +
      " > roles.json");
}

// Whoever reads lines would wait for ever, and no clause says that a program must write them.
void add_framing_note(const Options& options, const wire::Binding& binding, result::Run& run) {
  if (options.framing != nullptr || !binding.structures_only || binding.on_sockets) return;
  run.notes.push_back(
      "The server ends no message with a line feed: it was judged with --framing concatenated. "
      "Clients that read lines, as those of MCP do, get no answer from it.");
}

std::string note_of_unconfirmed(std::size_t cases) {
  return (cases == 1 ? "One case" : std::to_string(cases) + " cases") +
         " went wrong beside others, and no time was left to run that again alone: nothing is "
         "charged for it. A longer --max-time tells.";
}

}  // namespace jrpcheck::run
