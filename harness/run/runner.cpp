#include "run/runner.hpp"

#include <algorithm>
#include <ctime>
#include <optional>
#include <utility>

#include "base/interruption.hpp"
#include "result/shard.hpp"
#include "run/conclusion.hpp"
#include "run/control_call.hpp"
#include "run/empty_folder.hpp"
#include "run/endpoint.hpp"
#include "run/first_answers.hpp"
#include "run/judging.hpp"
#include "run/opening_dialogue.hpp"
#include "run/try_handshakes.hpp"
#include "session/patience.hpp"
#include "transport/unix_socket.hpp"

namespace jrpcheck::run {
namespace {

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  const auto length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text, length};
}

}  // namespace

result::Run begin_run(const corpus::Corpus& corpus, const Options& options) {
  result::Run run;
  run.corpus_cases = corpus.cases.size();
  run.corpus_hash = corpus.hash;
  run.seed = options.seed;
  run.shard = options.shard;
  run.profile = corpus.profile.name;
  run.started = now_text();
  return run;
}

namespace {

// How long late answers are waited for: at first as long as most servers deserve, then longer.
constexpr microseconds kTails[] = {milliseconds(3), milliseconds(300), milliseconds(1500)};

constexpr std::string_view kNoHandshake = "it answers, and no handshake comes about";

// Whether nothing shows what the server is like: it cannot be judged, and nothing that it said is
// charged to it. Such a run is no better than one of a server that nobody reaches.
bool says_nothing(const result::Run& run) {
  return !run.unjudgeable.empty() && run.verdict == result::RunVerdict::partial;
}

bool has_answered_opening(const dialogue::Transcript& opening) {
  return std::ranges::any_of(opening.whole(), [](const auto& event) {
    return event.direction == dialogue::Direction::received && !event.is_control;
  });
}

// Who answers whatever comes by what it wants first has not said that it knows the handshake.
bool knows_and_refuses(const dialogue::Transcript& opening) {
  return std::ranges::any_of(opening.whole(), [](const auto& event) {
    if (event.direction != dialogue::Direction::received || event.is_control) return false;
    const dialogue::Message answer = dialogue::message_of(event);
    const json::Value* error = answer.find("error");
    return error != nullptr && error->is(json::Kind::object) && !asks_for_handshake(*error) &&
           is_refused_for_its_params(answer.text());
  });
}

// Who refuses the handshake of a profile may want more in it than every server does.
void name_way_out(const corpus::Corpus& corpus, const Options& options, result::Run& run) {
  if (run.answered != kNoHandshake || options.opening.messages != corpus.profile.opening) return;
  run.unreached += ". --opening FILE sends the messages of a file in place of these.";
  run.notes.back() = run.unreached;
}

// Who wants a project finds none in an empty folder.
void tell_first_refusal(const std::string& refusal, const std::string& at, result::Run& run) {
  run.unreached += run.unreached.ends_with('\n') ? "" : "\n";
  run.unreached += "That was with an empty folder at " + at + ", for want of a project to name; " +
                   "with null there " + refusal;
  run.notes.back() = run.unreached;
}

// Who may connect is the user's choice, who is told where that is everybody (unix(7)).
void tell_who_may_connect(const Options& options, result::Run& run) {
  if (options.command.empty() || !options.target) return;
  const std::string path = options.target->place().socket_file;
  if (path.empty() || !transport::lets_everybody_connect(path)) return;
  run.notes.push_back("The permissions of " + path +
                      " let every user of this machine connect to the server.");
}

// One run as the options say; nothing is judged in it where it is to begin again.
result::Run attempt_once(const corpus::Corpus& corpus, const Options& options,
                         transport::Guardian& guardian, Progress& progress, bool recognises,
                         microseconds tail, Restart& restart) {
  const auto begin = Clock::now();
  result::Run run = begin_run(corpus, options);
  session::Patience patience(options.timeout, options.start_bound());
  patience.use_tail(tail);
  patience.note_waited(options.silence.waited);
  const auto endpoint = make_endpoint(options, patience, guardian);
  endpoint->use_control_call(control_call_of(corpus.profile));
  progress.begin(beginning_of(options), patience.for_start());
  if (auto reached = endpoint->reach(); !reached) {
    return unreached_run(corpus, options, reached.error().message, endpoint->ending());
  }
  tell_who_may_connect(options, run);
  const auto conversation = endpoint->converse();
  dialogue::Transcript opening;
  if (auto opened = conversation->open(opening); !opened) {
    restart.for_a_folder = is_opening_refused(opening);
    restart.refuses_handshake = knows_and_refuses(opening);
    auto unreached = unreached_run(corpus, options, opened.error().message);
    const bool was_refused = options.folder || options.gives_folders;  // before it was given one
    if (was_refused || has_answered_opening(opening)) unreached.answered = kNoHandshake;
    return unreached;
  }

  endpoint->note_opening(opening.events());
  const auto answers =
      opening_dialogue(corpus, endpoint->binding(), options.opening.messages, opening);
  // On sockets answers may also come on a connection that is not theirs.
  const bool recognises_late = tail < *std::rbegin(kTails) && !endpoint->is_shared();
  restart = judge_endpoint(corpus, options, *endpoint, *conversation, patience, progress, run,
                           {&answers, opening.events(), recognises, recognises_late});
  if (!run.unreached.empty()) {
    auto unreached = unreached_run(corpus, options, run.unreached);
    unreached.answered = run.answered;
    return unreached;
  }
  if (!restart && says_nothing(run)) {
    return unreached_run(corpus, options, run.unjudgeable, result::RunVerdict::not_json_rpc);
  }
  run.duration = time_since(begin);
  return run;
}

// Where `recognises` a server that asks for a handshake is not judged: the run is nothing then, and
// `restart` has the handshakes that it may mean.
result::Run attempt(const corpus::Corpus& corpus, const Options& options,
                    transport::Guardian& guardian, Progress& progress, bool recognises,
                    Restart& restart) {
  Options own = options;
  bool refuses_handshake = false;
  std::string refusal;  // without a folder
  for (const microseconds* tail = kTails;;) {
    restart = {};
    auto run = attempt_once(corpus, own, guardian, progress, recognises, *tail, restart);
    // A folder in it is not all that may be wanted.
    refuses_handshake = refuses_handshake || restart.refuses_handshake;
    restart.refuses_handshake = refuses_handshake;
    if (restart.for_a_folder && open_with_folder(own, guardian)) {
      refusal = run.unreached;
      continue;
    }
    if (restart.for_one_connection) {
      own.one_connection_at_a_time = true;
      continue;
    }
    if (!restart.for_late_answers) {
      const bool has_folder = own.folder || own.gives_folders;
      if (has_folder && run.unreached.empty()) run.notes.push_back(note_of_folder(own));
      if (!refusal.empty() && run.answered == kNoHandshake) {
        tell_first_refusal(refusal, own.folder_place->at, run);
      }
      return run;
    }
    ++tail;  // by the longest nothing is late
  }
}

}  // namespace

result::Run run_corpus(const corpus::Corpus& corpus, const Options& options,
                       transport::Guardian& guardian, Progress& progress) {
  Restart first;
  auto run = attempt(corpus, options, guardian, progress, options.opening.messages.empty(), first);
  if (first.handshakes.empty()) {
    name_way_out(corpus, options, run);
    return run;
  }
  std::optional<result::Run> served;
  std::optional<result::Run> refused;
  const auto tried =
      try_handshakes(first.handshakes, options, [&](const Options& with_handshake) -> std::string {
        Restart met;
        auto second = attempt(corpus, with_handshake, guardian, progress, false, met);
        std::string refusal = second.unreached;
        if (refusal.empty()) {
          served = std::move(second);
        } else if (met.refuses_handshake) {
          refused = std::move(second);
        }
        return refusal;
      });
  if (served) {
    served->notes.insert(served->notes.begin(), tried.note);
    return *std::move(served);
  }
  // It speaks that protocol: what it says before cannot be judged by JSON-RPC alone.
  if (refused) {
    refused->unreached = tried.hint;
    refused->notes.back() = tried.hint;
    return *std::move(refused);
  }
  Restart none;
  auto third = attempt(corpus, options, guardian, progress, false, none);
  if (!third.unreached.empty()) return third;
  third.notes.insert(third.notes.begin(), tried.hint);
  return third;
}

result::Run unreached_run(const corpus::Corpus& corpus, const Options& options,
                          const std::string& reason, result::RunVerdict ending) {
  result::Run run = begin_run(corpus, options);
  run.target = unreached_target(options);
  for (const auto& one : corpus.cases) {
    if (options.selection.includes(one) &&
        (!options.shard || result::is_in_shard(one.id, *options.shard))) {
      run.cases.push_back(not_exercised(one, "the target was not reached"));
    }
  }
  run.unreached = reason;
  run.notes.push_back(reason);
  run.verdict = ending;
  result::summarise(run, corpus.ledger, {applicable_classes(corpus.profile, nullptr), {}, false});
  return run;
}

}  // namespace jrpcheck::run
