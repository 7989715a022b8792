#include "client/dialogue_run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "client/dialogue_connection.hpp"
#include "client/dialogue_judge.hpp"
#include "client/oauth_judge.hpp"
#include "client/trial_judge.hpp"
#include "client/wire_form.hpp"
#include "transport/work_together.hpp"

namespace jrpcheck::client {
namespace {

using corpus::Dialogue;
using result::CaseResult;

constexpr microseconds kForTheirAnswers{1'000'000};
// The client's call is held meanwhile, and is given up where that takes long.
constexpr int kLongestHold = 2;
// So many times as long is waited in the second look.
constexpr int kSecondPatience = 3;

class DialogueTrials {
 public:
  DialogueTrials(const corpus::Corpus& corpus, const corpus::Dialogues& dialogues,
                 const ClientRunOptions& options, transport::Guardian& guardian)
      : corpus_(corpus),
        dialogues_(dialogues),
        options_(options),
        law_(judge::client_law_of(corpus)),
        door_(*options.client.door),
        framing_(corpus.profile.framing.empty() ? wire::default_stream_binding()
                                                : wire::known_binding(corpus.profile.framing)),
        guardian_(guardian),
        wire_form_(corpus, door_) {}

  result::Run run() {
    result::Run run;
    const std::string_view spoken = door_.takes_framings() ? framing_.name : door_.binding;
    run.target = {shell_line(options_.client.command), std::string(door_.name),
                  std::string(spoken)};
    run.profile = corpus_.profile.name;
    run.corpus_cases = dialogues_.dialogues.size();
    run.corpus_hash = corpus_.hash;
    const auto begin = Clock::now();
    auto premises = Premises::for_door(door_, guardian_);
    run.unreached = premises ? "" : premises.error().message;
    if (premises) {
      premises_ = *std::move(premises);
      run.unreached = try_control();
    }
    if (run.unreached.empty()) {
      try_all(run);
    } else {
      run.verdict = result::RunVerdict::unreachable;
      run.notes.push_back(run.unreached);
      run.target.framing.clear();
    }
    run.duration = time_since(begin);
    if (run.interrupted.empty() && is_interrupted()) run.interrupted = interruption_text();
    const bool is_whole = options_.selection.select.empty() && options_.selection.skip.empty() &&
                          run.interrupted.empty();
    result::summarise(run, corpus_.ledger, {classes(), {}, is_whole});
    return run;
  }

 private:
  std::vector<std::string> classes() const {
    std::vector<std::string> names = {"client"};
    for (const auto& each : corpus_.profile.classes) {
      if (corpus_.profile.is_of_clients(each)) names.push_back(each);
    }
    return names;
  }

  Result<DialogueTrial> tried(const Dialogue& one, int patience) {
    DialogueScript script(dialogues_, one, law_);
    const auto for_answers = std::min(patience, kLongestHold) *
                             std::max(kForTheirAnswers, options_.client.patience * 2 / 3);
    auto server = ScriptedServer::start(
        door_,
        [&](transport::ByteStream& stream, std::uint32_t number, TrialState& state) {
          serve_dialogue(door_, framing_, script, state, stream, number, for_answers);
        },
        *premises_);
    if (!server) return server.error();
    ClientStart start{options_.client.command, options_.client.relay};
    start.relay_writes_errors = one.writes_errors;
    script.stand_at((*server)->url(""));
    if (auto* oauth = script.oauth()) prepare_oauth(*one.authorization, **server, *oauth, start);
    start.patience = patience * options_.client.patience;
    if (!one.withholds.empty()) start.more = {"JRPCHECK_TIMEOUT=0.5"};
    start.awaits_server = [&] { return script.lets_wait(); };
    auto end = run_to_end(start, **server, door_, *premises_, guardian_);
    if (!end) return end.error();
    return DialogueTrial{*std::move(end), script.notes()};
  }

  static void prepare_oauth(const corpus::AuthorizationPlan& plan, const ScriptedServer& server,
                            OAuthServer& oauth, ClientStart& start) {
    oauth.stand_at(server.url(""));
    start.path = kResourcePath;
    start.is_enough = [&oauth](const std::string&, const std::string&) {
      return oauth.goes_in_circles();
    };
    if (!plan.gives_credentials) return;
    start.more = {"JRPCHECK_CLIENT_ID=" + std::string(corpus::kGivenId),
                  "JRPCHECK_CLIENT_SECRET=" + std::string(corpus::kGivenSecret)};
  }

  // What the client does where nothing is odd. Empty: something can be judged.
  std::string try_control() {
    const auto& usual = dialogues_.dialogues.front();
    auto first = tried(usual, 1);
    if (!first) return first.error().message;
    auto second = tried(usual, kSecondPatience);
    if (!second) return second.error().message;
    if (is_interrupted()) return interruption_text() + " before the control was through";
    control_.difference = difference_between(*first, *second);
    control_.is_steady = control_.difference.empty();
    rests_too_long_ = !first->end.status && second->end.status;
    control_.result = seen_twice(judge_dialogue(usual, *first, nullptr, corpus_.ledger),
                                 judge_dialogue(usual, *second, nullptr, corpus_.ledger));
    // Who is slow to come up, on a busy machine, seems to say nothing.
    const bool came_late = first->notes.methods.empty() && !second->notes.methods.empty();
    control_.trial = *std::move(came_late ? second : first);
    const auto& notes = control_.trial.notes;
    const bool has_handshake = !dialogues_.ready.empty();
    if (!has_handshake && notes.without_handshake == 0 && !notes.methods.empty()) {
      return "the client asks for " + notes.methods.front() +
             " and speaks no version without a handshake; --profile mcp is for those with one";
    }
    if (!notes.methods.empty() || !control_.result.findings.empty()) return {};
    const auto& end = control_.trial.end;
    const std::string given = door_.is_stdio()
                                  ? "the command of its server as {server} and in JRPCHECK_SERVER"
                                  : "the URL as {url} and in JRPCHECK_URL";
    const std::string came = first_words(end.traffic);
    return "the client said nothing " + std::string(came.empty() ? "" : "that can be read ") +
           "over " + std::string(door_.name) + ": it " +
           (end.status ? end.status->text() : "waited") + ". " +
           (came.empty() ? "It is given " + given : "What came begins with " + came) +
           broken_form(corpus_, door_, end.traffic) + last_words_of(end.standard_error);
  }

  bool applies(const Dialogue& one) const {
    if (one.writes_errors && !door_.is_stdio()) return false;
    return one.doors.empty() || contains(one.doors, door_.kind);
  }

  // What the client does in the dialogue that this one is compared with.
  const DialogueTrial* tried_other(const Dialogue& one) {
    const auto& all = dialogues_.dialogues;
    const auto found = std::ranges::find_if(
        all, [&](const Dialogue& each) { return !one.as_in.empty() && each.id == one.as_in; });
    if (found == all.end()) return nullptr;
    // Whoever needs the same waits for it.
    const std::lock_guard lock(of_others_);
    const auto [place, is_new] = others_.try_emplace(found->id);
    if (is_new) {
      if (auto trial = tried(*found, 1)) place->second = *std::move(trial);
    }
    return place->second ? &*place->second : nullptr;
  }

  static CaseResult not_tried(const Dialogue& one, std::string why) {
    CaseResult result;
    result.id = one.id;
    result.title = one.title;
    result.requirements = one.requirements;
    result.reason = std::move(why);
    return result;
  }

  CaseResult try_one(const Dialogue& one) {
    const bool is_control = &one == &dialogues_.dialogues.front();
    if (is_control) return control_.result;
    CaseResult result = not_tried(one, "");
    if (!applies(one)) {
      result.verdict = result::Verdict::not_applicable;
      result.reason = "is not for " + std::string(door_.name);
      return result;
    }
    const auto begin = Clock::now();
    const auto* other = tried_other(one);
    if (one.authorization && !one.as_in.empty()) {
      result.reason = other == nullptr ? "the usual flow of it could not be tried"
                                       : why_it_takes_no_part(other->notes);
      if (result.reason.empty()) {
        result.reason = why_it_is_not_asked(one.requirements.front(), other->notes, corpus_.ledger);
      }
    }
    if (!result.reason.empty()) {
      conclude_dialogue(result);
      return result;
    }
    auto trial = tried(one, 1);
    if (trial && !is_interrupted()) {
      result = judge_dialogue(one, *trial, &control_, corpus_.ledger, other);
      if (!result.findings.empty()) {
        // Only what is seen twice is charged: a machine may be busy.
        auto again = tried(one, kSecondPatience);
        if (again && !is_interrupted()) {
          result =
              seen_twice(result, judge_dialogue(one, *again, &control_, corpus_.ledger, other));
          trial = std::move(again);
        } else {
          result.findings.clear();
          result.exercised.clear();
          result.reason = again ? "the run ended before it was seen a second time"
                                : "it was seen once alone: " + again.error().message;
          conclude_dialogue(result);
        }
      }
    } else {
      result.reason = trial ? "the run ended before it" : trial.error().message;
    }
    result.duration = time_since(begin);
    if (!result.findings.empty()) {
      result.reproduce = "jrpcheck explain " + result.findings.front().requirement;
    }
    const std::lock_guard lock(mutex_);
    // Forms of OAuth are no messages.
    if (trial && !one.authorization) wire_form_.add(trial->end.traffic);
    return result;
  }

  void try_all(result::Run& run) {
    std::vector<const Dialogue*> wanted;
    for (const auto& each : dialogues_.dialogues) {
      if (options_.selection.includes(as_case(each))) wanted.push_back(&each);
    }
    std::map<std::string, CaseResult> results;
    std::mutex of_results;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < wanted.size(); i = next++) {
        auto result = try_one(*wanted[i]);
        const std::lock_guard lock(of_results);
        results.emplace(wanted[i]->id, std::move(result));
      }
    };
    run.failure = transport::work_together(options_.jobs, work);
    run.interrupted = run.failure;
    for (const auto* each : wanted) {
      auto found = results.find(each->id);
      run.cases.push_back(found != results.end() ? std::move(found->second)
                                                 : not_tried(*each, "the run ended before it"));
    }
    wire_form_.add(control_.trial.end.traffic);
    auto form = wire_form_.judged();
    // What the rules of the protocol have found stands with the dialogues.
    const auto is_theirs = [](const auto& each) { return !each.requirement.starts_with("cl-"); };
    std::erase_if(form.findings, is_theirs);
    std::erase_if(form.exercised, [](const auto& each) { return !each.starts_with("cl-"); });
    if (!form.exercised.empty()) form.verdict = result::worst_of(form.findings);
    run.cases.push_back(std::move(form));
    if (!control_.is_steady) {
      run.notes.push_back(control_.difference + ": it is not seen whether it goes on");
    } else if (rests_too_long_) {
      run.notes.emplace_back(
          "the client was ended, for it was silent for longer than --client-timeout: with more "
          "time it ends by itself, and what it does then can be seen");
    }
  }

  const corpus::Corpus& corpus_;
  const corpus::Dialogues& dialogues_;
  const ClientRunOptions& options_;
  const judge::ClientLaw law_;
  const Door& door_;
  const wire::Binding& framing_;
  transport::Guardian& guardian_;
  std::unique_ptr<Premises> premises_;
  DialogueControl control_;
  bool rests_too_long_ = false;  // in the control: it was ended where more time was enough
  std::mutex of_others_;         // guards what follows
  std::map<std::string, std::optional<DialogueTrial>> others_;
  std::mutex mutex_;  // guards what follows
  WireForm wire_form_;
};

}  // namespace

result::Run run_dialogues(const corpus::Corpus& corpus, const corpus::Dialogues& dialogues,
                          const ClientRunOptions& options, transport::Guardian& guardian) {
  return DialogueTrials(corpus, dialogues, options, guardian).run();
}

}  // namespace jrpcheck::client
