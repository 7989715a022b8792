#include "cli/probe_session.hpp"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/interruption.hpp"
#include "cli/law.hpp"
#include "cli/say.hpp"
#include "fuzz/company.hpp"
#include "run/control_call.hpp"
#include "run/first_answers.hpp"
#include "run/try_handshakes.hpp"

namespace jrpcheck::cli {
namespace {

Result<fuzz::Capabilities> probe(const corpus::Corpus& corpus, const run::Options& options,
                                 EndpointSession& session, bool recognises_handshake) {
  return fuzz::probe_capabilities(corpus, options, *session.endpoint, *session.patience,
                                  recognises_handshake);
}

void tell_of_handshake(const std::string& sentence, std::string& note) {
  say(sentence);
  note += (note.empty() ? "" : " ") + sentence;
}

// Where one is taken, for `begin` has no error with it, the options have it from then on; else they
// are as they were, and the session is closed.
run::TriedHandshakes give_handshake(const std::vector<std::string>& handshakes,
                                    const corpus::Profile& profile, run::Options& options,
                                    EndpointSession& session,
                                    const std::function<Result<bool>()>& begin) {
  const run::Options as_given = options;
  std::string of_folder;
  auto tried =
      run::try_handshakes(handshakes, as_given, [&](const run::Options& with) -> std::string {
        session.endpoint.reset();  // a server that was started here leaves its port to the next one
        options = with;
        of_folder.clear();
        auto begun = reach_and_open(options, session, run::control_call_of(profile), of_folder);
        if (begun) begun = begin();
        return begun ? std::string() : begun.error().message;
      });
  if (tried.was_taken()) {
    tried.note += (of_folder.empty() ? "" : " ") + of_folder;
  } else {
    session.endpoint.reset();
    options = as_given;
  }
  return tried;
}

Result<dialogue::Exchange> ask_once(run::Endpoint& endpoint) {
  const auto conversation = endpoint.converse();
  dialogue::Transcript aside;
  if (auto opened = conversation->open(aside); !opened) return opened.error();
  return conversation->exchange(corpus::step_sending(fuzz::first_call()), aside);
}

}  // namespace

Result<fuzz::Capabilities> probe_session(const corpus::Corpus& corpus, run::Options& options,
                                         EndpointSession& session, std::string& note) {
  auto first = probe(corpus, options, session, true);
  if (!first || first->handshakes.empty() || is_interrupted()) return first;
  std::optional<fuzz::Capabilities> served;
  const auto tried =
      give_handshake(first->handshakes, corpus.profile, options, session, [&]() -> Result<bool> {
        auto capabilities = probe(corpus, options, session, false);
        if (!capabilities) return capabilities.error();
        served = *std::move(capabilities);
        return true;
      });
  if (served) {
    tell_of_handshake(tried.note, note);
    return *std::move(served);
  }
  // It may be a code of its own for something else, as a run has it.
  auto reached = reach(options, session, run::control_call_of(corpus.profile));
  if (!reached) return reached.error();
  auto without = probe(corpus, options, session, false);
  if (!without) return is_interrupted() ? std::move(without) : Error{tried.hint};
  tell_of_handshake(tried.hint, note);
  return without;
}

Result<bool> give_wanted_handshake(const corpus::Profile& profile, run::Options& options,
                                   EndpointSession& session) {
  if (!options.opening.messages.empty()) return true;
  const auto first = ask_once(*session.endpoint);
  if (!first) return first.error();
  const auto wanted = run::wanted_handshakes({*first}, session.endpoint->binding());
  if (wanted.empty()) return true;
  const auto tried = give_handshake(wanted, profile, options, session, [&]() -> Result<bool> {
    dialogue::Transcript opening;
    return session.endpoint->converse()->open(opening);
  });
  if (!tried.was_taken()) return Error{tried.hint};
  say(tried.note);
  return true;
}

}  // namespace jrpcheck::cli
