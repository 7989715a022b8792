// The run model: all that a run found, as data. Every report is rendered from this alone.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/ledger.hpp"
#include "dialogue/transcript.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::result {

/// What became of a case or a requirement.
enum class Verdict {
  pass,
  warn,
  fail,
  not_exercised,
  not_applicable,  ///< is about another binding than this one, or about what the server declines
};

std::string_view name_of(Verdict verdict);

/// The server has shown something of it.
bool was_exercised(Verdict verdict);

/// The worst that is charged; pass where nothing is.
Verdict worst_of(const std::vector<judge::Finding>& findings);

/// What became of a run. There is no score.
enum class RunVerdict {
  conforms,      ///< every applicable must was exercised, and none failed or was left out
  partial,       ///< nothing failed, but not everything was exercised
  fails,         ///< a must is violated
  unreachable,   ///< nobody is there, or says anything: nothing was judged
  not_json_rpc,  ///< what is there is no JSON-RPC endpoint: nothing was judged
};

std::string_view name_of(RunVerdict verdict);

/// Else it is the ending of a run in which nothing was exercised.
inline bool was_judged(RunVerdict verdict) { return verdict < RunVerdict::unreachable; }

struct Counts {
  std::size_t pass = 0;
  std::size_t warn = 0;
  std::size_t fail = 0;
  std::size_t not_exercised = 0;
  std::size_t not_applicable = 0;

  bool operator==(const Counts&) const = default;
  void add(Verdict verdict);
};

/// What became of a case, held against a baseline of known failures.
enum class Expectation {
  known,       ///< fails as the baseline says
  flaky,       ///< listed as flaky, and what it shows at times is what the baseline says
  unexpected,  ///< fails, and is not listed, or not for this
  stale,       ///< listed, but does not fail any more, or not for all that is listed
  unchecked,   ///< listed, but was not exercised
};

std::string_view name_of(Expectation expectation);

struct Expected {
  Expectation expectation = Expectation::known;
  std::string reason;  ///< that people wrote into the baseline
  std::string detail;  ///< in words, what differs from the baseline or how often it failed

  /// The case is not as the baseline says.
  bool differs() const {
    return expectation == Expectation::unexpected || expectation == Expectation::stale;
  }
};

struct CaseResult {
  std::string id;
  std::string title;
  Verdict verdict = Verdict::not_exercised;
  std::vector<std::string> requirements;
  std::string reason;  ///< why it was not exercised, or does not apply
  microseconds duration{0};
  std::vector<judge::Finding> findings;
  std::vector<std::string> exercised;  ///< requirements its replies told something about
  std::vector<judge::Observation> observations;
  std::vector<dialogue::Event> transcript;
  std::string reproduce;  ///< one shell line
  /// Its place in the corpus of the run, from which its ids are made; absent: nothing was sent.
  std::optional<std::size_t> ordinal = {};
  /// A hash of all that the case sent: another corpus may ask something else.
  std::string asked = {};
  /// What the judge said where the transcript is not kept whole, so that it cannot be judged again.
  std::optional<judge::Judgement> judged = {};
  /// Where a baseline lists the case, or should.
  std::optional<Expected> expected = {};
  /// What further tries showed of a case that is known to be flaky.
  std::vector<CaseResult> tries = {};
};

struct RequirementResult {
  corpus::Requirement requirement;
  Verdict verdict = Verdict::not_exercised;
  std::string reason;  ///< why it was not exercised, or does not apply
};

/// A class of requirements has a verdict of its own, so that an HTTP quirk is not mistaken for a
/// violation of the protocol.
struct ClassResult {
  std::string name;
  RunVerdict verdict = RunVerdict::partial;
  Counts counts = {};  ///< of requirements
};

struct RecordedObservation {
  std::string id;
  std::string value;
  std::string case_id;
};

struct Target {
  std::string text;       ///< URL without its password, or the command line
  std::string transport;  ///< http, stdio
  std::string framing;    ///< http, lines, content-length, concatenated
};

/// A method that plays no role though its name promises it, or the user does, and why.
struct TriedMethod {
  std::string role;
  std::string method;
  bool given = false;    ///< by the user, with --methods
  std::string sent;      ///< the call, made visible; empty: it was not called
  std::string received;  ///< what came back, made visible; empty: nothing

  bool operator==(const TriedMethod&) const = default;
};

/// One call of ours outside of cases, and what passed then.
struct SideExchange {
  std::string call;
  std::vector<dialogue::Event> transcript;
  /// What the judge said where the transcript is not kept whole.
  std::optional<judge::Judgement> judged = {};
};

/// What passed outside of cases. It is judged too: what it shows is a case of the same id.
struct StoredDialogue {
  std::string id;  ///< "dialogue/discovery"
  std::string title;
  std::vector<SideExchange> exchanges;
};

/// What a run was asked and has learned, on which the verdicts of its cases rest beside what was
/// said in them.
struct Conditions {
  std::vector<std::string> select;               ///< patterns of --select; empty: all
  std::vector<std::string> skip;                 ///< and of --skip
  std::map<std::string, std::string> roles;      ///< methods by role
  std::string omitted_params;                    ///< as in corpus::Bindings
  bool batches_optional = false;                 ///< the protocol has none
  std::vector<dialogue::Event> opening;          ///< what passed before the first case
  std::map<std::string, std::string> catalogue;  ///< what the server lists: JSON text by name
  std::set<std::string> allowed;                 ///< names that --allow gave
  std::vector<StoredDialogue> dialogues;
  /// Cases that ran to learn of the server and that the run does not report.
  std::vector<CaseResult> unreported;
};

/// Which part of the cases a run had: those of one of `count` shards, counted from 0.
struct Shard {
  std::size_t index = 0;
  std::size_t count = 1;

  bool operator==(const Shard&) const = default;
};

/// The run held against a baseline: how many cases of each expectation there are.
struct BaselineSummary {
  std::string file;
  std::size_t known = 0;
  std::size_t flaky = 0;
  std::size_t unexpected = 0;
  std::size_t stale = 0;
  std::size_t unchecked = 0;

  /// The run is as the baseline says.
  bool holds() const { return unexpected == 0 && stale == 0; }
};

struct Run {
  std::string name;  ///< what to call it beside others: of a stored run, the name of its file
  std::string tool_version;
  std::size_t corpus_cases = 0;
  std::string corpus_hash;
  unsigned long long seed = 0;
  Target target;
  std::string profile;
  std::optional<Shard> shard;               ///< absent: all cases
  std::optional<BaselineSummary> baseline;  ///< absent: no baseline was given
  /// Not empty: how the run ended before its end, such as "interrupted by SIGINT". What it had not
  /// settled by then is not exercised.
  std::string interrupted;
  /// Not empty: why nothing was judged, and what to do next; no part of any report but as a note.
  std::string unreached;
  /// Not empty: it was answered all the same, and what came of that: "it answers, and ...".
  std::string answered;
  /// Not empty: why nothing but its first answers could be judged; no part of any report but as a
  /// note.
  std::string unjudgeable;
  /// Not empty: why jrpcheck itself could not go on; `interrupted` says the same.
  std::string failure;
  std::string started;  ///< RFC 3339
  microseconds duration{0};
  RunVerdict verdict = RunVerdict::partial;
  Counts counts;  ///< of cases
  std::vector<ClassResult> classes;
  std::vector<RequirementResult> requirements;
  std::vector<CaseResult> cases;
  std::vector<RecordedObservation> observations;
  std::size_t waits_in_vain = 0;   ///< ended because time ran out; no part of any report
  std::size_t tails = 0;           ///< short waits behind a silence; no part of any report
  std::vector<TriedMethod> tried;  ///< methods that were tried for roles and not taken
  std::vector<std::string> notes;  ///< what a user should know or do, in sentences
  /// Absent: an older version stored the run, or it was put together from several.
  std::optional<Conditions> conditions;

  /// The requirement as this run knows it; null where it does not.
  const corpus::Requirement* find_requirement(std::string_view id) const;

  /// Else nothing was said in it.
  bool was_reached() const { return !target.framing.empty(); }
};

/// What of the ledger a run is answerable for.
struct Scope {
  /// Classes whose requirements apply to this target.
  std::vector<std::string> classes;
  /// Requirements that do not apply to this transport or server, each with the reason.
  std::map<std::string, std::string> inapplicable;
  /// No case was left out by the user; a run that leaves some out never conforms.
  bool all_selected = true;
};

/// How much a run can say: of the requirements of level must that apply and can be tested, how many
/// were exercised.
struct MustCoverage {
  std::size_t exercised = 0;
  std::size_t applicable = 0;
};

MustCoverage must_coverage(const Run& run);

/// Fills verdict, counts, classes, requirements and observations from the cases.
void summarise(Run& run, const corpus::Ledger& ledger, const Scope& scope);

}  // namespace jrpcheck::result
