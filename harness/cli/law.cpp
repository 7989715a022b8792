#include "cli/law.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "cli/parse_words.hpp"
#include "cli/say.hpp"
#include "json/pointer.hpp"
#include "run/control_call.hpp"
#include "run/empty_folder.hpp"
#include "run/find_version.hpp"
#include "run/recognise_protocol.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::size_t kMostOfRefusal = 400;

// The names by which items of its lists can be allowed.
std::set<std::string> names_that_are_listed(const corpus::Catalogue& catalogue) {
  std::set<std::string> names;
  for (const auto& [name, selection] : catalogue.selections) {
    if (selection.name_at.empty()) continue;
    for (const auto* item : catalogue.items(selection.of)) {
      const auto* own = json::at(*item, selection.name_at);
      if (own != nullptr && own->is(json::Kind::string)) names.insert(own->text());
    }
  }
  return names;
}

bool has_what_can_be_allowed(const corpus::Profile& profile) {
  return std::any_of(profile.selections.begin(), profile.selections.end(),
                     [](const auto& each) { return !each.second.name_at.empty(); });
}

Result<bool> adopt_recognised(corpus::Corpus& corpus, run::Options& options,
                              EndpointSession& session, std::string& note) {
  auto recognised = run::recognise_protocol(options, *session.guardian);
  if (is_interrupted()) {
    return Error{interrupted_before("the target was reached", recognised.unreached)};
  }
  if (!recognised.unreached.empty()) {
    session.ending = recognised.ending;
    return Error{recognised.unreached};
  }
  // Whoever answers no call is not waited for again.
  options.silence.waited = recognised.waited;
  options.heard_in = recognised.heard_in;
  if (recognised.profile.empty()) return true;
  auto own = load_corpus({});
  if (own) own = corpus::with_profile(*std::move(own), recognised.profile);
  if (!own) return own.error();
  if (!can_generate_for(own->profile)) return true;
  corpus = *std::move(own);
  note = note_of_recognition(corpus.profile);
  return true;
}

}  // namespace

bool may_be_recognised(const EndpointWords& words) {
  return words.opening.empty() && words.methods.empty();
}

std::string note_of_recognition(const corpus::Profile& profile) {
  return fmt::format(
      "The server speaks {} and is judged by it: --profile {}. With --profile {} it is "
      "judged by JSON-RPC alone.",
      profile.title, profile.name, corpus::kDefaultProfile);
}

Result<Settled> settle_version(corpus::Corpus& corpus, const run::Options& options,
                               transport::Guardian& guardian) {
  const corpus::Profile& profile = corpus.profile;
  if (profile.versions.empty() || !profile.version.empty()) return Settled();
  auto found = run::find_version(profile, options, guardian);
  if (!found) return found.error();
  std::string note = found->note;
  if (found->version.empty()) {
    // By the rules of another version a verdict would be wrong.
    if (!found->refusal.empty()) {
      return Settled{{},
                     fmt::format("The server refuses the handshake in every version of {} that is "
                                 "known here: {}. --profile {}-{} judges it by one all the same, "
                                 "--profile {} by JSON-RPC 2.0 alone.",
                                 profile.title, to_visible(found->refusal, kMostOfRefusal),
                                 profile.family, profile.versions.back(), corpus::kDefaultProfile)};
    }
    if (!note.empty()) {
      return Settled{
          {},
          note + " jrpcheck run --opening " + profile.family + " judges it by JSON-RPC 2.0 alone."};
    }
    note = fmt::format("The server names no version of {} that is known here: it is judged by {}.",
                       profile.title, profile.versions.back());
    found->version = profile.versions.back();
  }
  const std::string name = profile.family + "-" + found->version;
  auto by_version = corpus::with_profile(std::move(corpus), name);
  if (!by_version) return by_version.error();
  corpus = *std::move(by_version);
  return Settled{std::move(note), {}};
}

void declare_allow(CLI::App& app, std::vector<std::string>& allowed) {
  app.add_option(
         "--allow", allowed,
         "a tool, or the URI of a resource, that may be used although it does not say that it only "
         "reads, or is large, or has a name like that of a secret")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

std::vector<std::string> names_without_effect(const corpus::Profile& profile,
                                              const std::set<std::string>& allowed,
                                              const corpus::Catalogue* catalogue) {
  const bool can_be_allowed = has_what_can_be_allowed(profile);
  if (can_be_allowed && catalogue == nullptr) return {};  // it was not asked
  const auto listed =
      catalogue != nullptr ? names_that_are_listed(*catalogue) : std::set<std::string>();
  std::vector<std::string> notes;
  for (const auto& name : allowed) {
    if (listed.count(name) != 0) continue;
    notes.push_back(
        can_be_allowed
            ? "--allow " + name + ": the server lists nothing of that name; nothing was allowed."
            : "--allow " + name + ": in the profile '" + profile.name +
                  "' nothing is called that would have to be allowed; it is for --profile mcp.");
  }
  return notes;
}

void tell_names_without_effect(const corpus::Profile& profile, const std::set<std::string>& allowed,
                               const corpus::Catalogue* catalogue, result::Run& run) {
  for (auto& note : names_without_effect(profile, allowed, catalogue)) {
    say(note);
    run.notes.push_back(std::move(note));
  }
}

void declare_law(CLI::App& app, LawWords& words) {
  words.option =
      app.add_option(
             "--profile", words.profile,
             "the protocol whose messages are made and by whose rules the answers are judged: "
             "jrpcheck list profiles shows them all")
          ->type_name("PROFILE")
          ->capture_default_str();
  declare_allow(app, words.allowed);
}

Result<corpus::Corpus> corpus_by_law(const LawWords& words) {
  auto corpus = load_corpus({});
  if (corpus) corpus = corpus::with_profile(*std::move(corpus), words.profile);
  if (!corpus) return Error{"--profile: " + corpus.error().message};
  if (auto ok = can_generate_for(corpus->profile); !ok) return ok.error();
  if (!words.allowed.empty() && !has_what_can_be_allowed(corpus->profile)) {
    return Error{"--allow: in the profile '" + words.profile +
                 "' nothing is called that would have to be allowed; it is for --profile mcp"};
  }
  return corpus;
}

Result<bool> can_generate_for(const corpus::Profile& profile) {
  if (profile.dialect == corpus::Dialect::json_rpc_2_0) return true;
  return Error{
      fmt::format("--profile {}: messages are made in JSON-RPC 2.0 alone; jrpcheck run --profile "
                  "{} judges such "
                  "a server",
                  profile.name, profile.name)};
}

Result<bool> open_session_by_law(corpus::Corpus& corpus, run::Options& options,
                                 EndpointSession& session, std::string& note, bool recognises) {
  session.guardian = guard_what_is_started();
  run::Options as_given = options;
  run::adopt(corpus.profile, options);
  if (recognises) {
    if (auto ok = adopt_recognised(corpus, options, session, note); !ok) return ok;
    as_given.silence = options.silence;
  }
  auto settled = settle_version(corpus, options, *session.guardian);
  if (!settled) return settled.error();
  if (!settled->unjudgeable.empty()) return Error{settled->unjudgeable};
  if (note.empty()) note = std::move(settled->note);
  options = std::move(as_given);
  run::adopt(corpus.profile, options);
  return reach_and_open(options, session, run::control_call_of(corpus.profile), note);
}

Result<bool> reach_and_open(run::Options& options, EndpointSession& session,
                            session::ControlCall call, std::string& note) {
  auto reached = reach(options, session, std::move(call));
  if (!reached || !options.folder_place) return reached;
  dialogue::Transcript opening;
  const auto opened = session.endpoint->converse()->open(opening);
  if (!opened && is_interrupted()) {
    return Error{interrupted_before("the session was open", opened.error().message)};
  }
  if (!opened && run::is_opening_refused(opening) &&
      run::open_with_folder(options, *session.guardian)) {
    note += (note.empty() ? "" : " ") + run::note_of_folder(options) + " With null " +
            to_visible(opened.error().message, kMostOfRefusal) +
            ". --opening FILE names a folder of your own.";
  }
  return reached;
}

}  // namespace jrpcheck::cli
