// The law of a protocol on top of JSON-RPC, for the commands that judge a server by one.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/commands.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"
#include "run/options.hpp"
#include "transport/guardian.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class Option;
}

namespace jrpcheck::cli {

/// By which version of its protocol a server is judged.
struct Settled {
  std::string note;         ///< what there is to say of that
  std::string unjudgeable;  ///< not empty: it answers in none that is known here
};

/// Of a protocol of which no version was named, takes the newest that the server speaks. The error
/// says why the server was not reached.
Result<Settled> settle_version(corpus::Corpus& corpus, const run::Options& options,
                               transport::Guardian& guardian);

struct LawWords {
  std::string profile{corpus::kDefaultProfile};
  std::vector<std::string> allowed;
  const CLI::Option* option = nullptr;  ///< --profile
};

/// Whether the server may be asked which protocol it speaks: how one speaks with it was not said.
bool may_be_recognised(const EndpointWords& words);
/// What there is to say where it was found out that it speaks that of the profile.
std::string note_of_recognition(const corpus::Profile& profile);

/// Declares --allow.
void declare_allow(CLI::App& app, std::vector<std::string>& allowed);
/// Whoever allows what there is not would wait for a call that never comes: a sentence for each
/// such name. Without a catalogue the server was not asked, and nothing is said where it would be.
std::vector<std::string> names_without_effect(const corpus::Profile& profile,
                                              const std::set<std::string>& allowed,
                                              const corpus::Catalogue* catalogue);
/// Says so, and notes it in the run.
void tell_names_without_effect(const corpus::Profile& profile, const std::set<std::string>& allowed,
                               const corpus::Catalogue* catalogue, result::Run& run);
/// Declares --profile and --allow, for commands that make the messages themselves.
void declare_law(CLI::App& app, LawWords& words);

/// The built-in corpus by that profile. The error says what else to do where messages of its kind
/// are not made.
Result<corpus::Corpus> corpus_by_law(const LawWords& words);
/// Whether messages are made for this profile, once its version is known.
Result<bool> can_generate_for(const corpus::Profile& profile);

/// As open_session, by the law of the corpus: its version is settled, its opening and habits are
/// adopted, and its control call is used. Where it `recognises`, the corpus becomes that of the
/// protocol that the server speaks. `note` gets what there is to say of protocol and version.
Result<bool> open_session_by_law(corpus::Corpus& corpus, run::Options& options,
                                 EndpointSession& session, std::string& note, bool recognises);

/// The second half of it: reaches the endpoint by the opening that `options` have, and gives a
/// server a folder that takes none for its project. `note` gets that.
Result<bool> reach_and_open(run::Options& options, EndpointSession& session,
                            session::ControlCall call, std::string& note);

}  // namespace jrpcheck::cli
