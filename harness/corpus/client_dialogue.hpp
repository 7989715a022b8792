// Dialogues: what a client of a protocol on top is told by a server that jrpcheck plays, and what
// it owes to that.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "corpus/authorization_plan.hpp"
#include "corpus/corpus.hpp"

namespace jrpcheck::corpus {

/// What the client answers to a request of the server's own.
struct OwedAnswer {
  std::optional<std::size_t> items = {};  ///< where it has a result: an Array of so many
  bool may_stay_away = false;             ///< a person may be asked
};

/// A task that runs (MCP 2025-11-25, basic/utilities/tasks): what becomes of a call that is made as
/// one, and what is told of it.
struct PlayedTask {
  std::vector<std::string> statuses = {};         ///< after "working", one with each look at it
  std::optional<std::size_t> poll_interval = {};  ///< in milliseconds
  bool notifies = false;                          ///< its changes are told by notifications as well
  /// Requests of the server that it needs an answer to, in JSON: the first of what the client has
  /// declared is sent where the client asks for the result.
  std::vector<std::string> asks = {};
  std::string result = {};  ///< the members of the Response to tasks/result
  bool has_unknown_members = false;
};

/// Subscriptions that are served (MCP 2026-07-28, basic/patterns/subscriptions).
struct PlayedSubscription {
  std::vector<std::string> tells = {};  ///< notifications, in JSON, of those that are asked for
  bool ends = false;                    ///< with its answer, behind those
  bool breaks = false;  ///< with its connection, once: who comes again is to subscribe again
};

struct Dialogue {
  std::string id;
  std::string title;
  std::vector<std::string> requirements;  ///< the first is charged
  std::vector<std::string> doors;         ///< "http", "tcp"; empty: both
  /// By method the members of the Response in JSON, where they are not the usual ones.
  std::map<std::string, std::string> answers = {};
  std::vector<std::string> say = {};  ///< of the server's own, once the client says it is ready
  std::map<std::string, OwedAnswer> owed = {};  ///< by the id of such a request, as it is spelled
  bool goes_on = false;                         ///< the client does as in the control
  bool leaves = false;           ///< after the answer to initialize the client says nothing more
  bool stays_silent = false;     ///< what is said is not answered
  bool forgets_session = false;  ///< over HTTP: 404, and the client begins anew
  bool streams = false;          ///< over HTTP: answers come on event streams
  /// Over HTTP: the first answer in a session is due on an event stream that ends before it, and
  /// that may be resumed.
  bool breaks_stream = false;
  /// An answer goes out a moment after the client has fallen silent: what it does not wait with is
  /// seen before.
  bool takes_a_moment = false;
  std::string awaits = {};     ///< a method that is called after what is said
  bool awaits_surely = false;  ///< and is owed
  /// By method the answers to its first requests, before the others.
  std::map<std::string, std::vector<std::string>> in_turn = {};
  std::string first = {};  ///< the answer to the first request of a version without a handshake
  std::string refuses_stateless = {};  ///< likewise to each
  std::string needs = {};              ///< a capability of the client (a pointer) for what is odd
  std::string as_in = {};        ///< a dialogue in which the client does what it is to do here too
  bool falls_back = false;       ///< that is initialize
  bool follows_cursors = false;  ///< that is to ask for another page
  bool is_newer = false;         ///< initialize is answered with a newer version than most ask for
  bool stays_without_handshake = false;  ///< the client never asks for initialize
  std::string never_calls = {};          ///< a tool that no call may name
  std::string calls = {};      ///< one that shows, here or as_in, that it calls what is listed
  bool only_warns = false;     ///< its clause is read in two ways
  bool streams_oddly = false;  ///< as `streams`, in each way in which events may be written
  bool never_fetches = false;  ///< what stands below kAside of its server is not asked for
  /// On stdio: the program that is its server writes to standard error as well.
  bool writes_errors = false;
  std::optional<PlayedTask> task = {};
  std::optional<PlayedSubscription> subscription = {};
  /// Further messages of the server's own, each once the one before is answered: of what the client
  /// has declared, and with "${taskId}" for the task that the last answer has named.
  std::vector<std::string> then_say = {};
  /// A method whose first request is not answered until the client gives it up, and then late.
  std::string withholds = {};
  std::string reaches = {};  ///< a method that it calls here as it does in `as_in`
  std::optional<AuthorizationPlan> authorization = {};  ///< over HTTP: a token is demanded
  std::vector<std::string> kills = {};  ///< faults of the reference client that it notices
};

/// In a dialogue "${url}" stands for the address of the server, where that has one, and below this
/// path of it is what no client has to ask for.
inline constexpr std::string_view kAside = "/aside/";

/// Those of one protocol.
struct Dialogues {
  /// The notification by which a client is ready; empty: there is no handshake, and each request
  /// but server/discover shows it.
  std::string ready;
  std::map<std::string, std::string> answers;  ///< the usual ones, by method
  std::vector<Dialogue> dialogues;             ///< the first is the control
};

/// Dialogues that clients of every version meet, after its own.
inline constexpr std::string_view kSharedDialogues = "/client-authorization.json";

/// Whether a file of the corpus holds them.
inline bool holds_dialogues(std::string_view path) {
  return path.starts_with(kProfilesPath) && path.ends_with(".json") &&
         (path.ends_with("/client.json") || path.ends_with(kSharedDialogues) ||
          path.find("/client-2") != std::string_view::npos);
}

/// Reads the text of a file; `name` is its name for errors. Null: requirements are not looked up.
Result<Dialogues> load_dialogues(const std::string& name, std::string_view text,
                                 const Ledger* ledger);

/// Those of the family among the files, or of that version of it, where it has its own; the error
/// says that there are none.
Result<Dialogues> dialogues_of(const std::string& family, const std::vector<CorpusFile>& files,
                               const Ledger& ledger, const std::string& version = {});

/// Leaves those whose first requirement is in the ledger of one version, and of their requirements
/// those that are. The error says that there is no control.
Result<bool> keep_dialogues_of_version(Dialogues& all, const Ledger& ledger,
                                       const std::string& profile);

/// Those that clients of that profile meet; `whole`: the ledger of all versions.
Result<Dialogues> dialogues_for(const Corpus& corpus, const std::vector<CorpusFile>& files,
                                const Ledger& whole);

/// Whether dialogues, or the rules that are held against them, ask that of clients: its status says
/// so for those who run cases.
bool is_asked_by_dialogues(const Requirement& requirement);

/// Whether a client can be charged for what it does there; else it counts where it is seen.
inline bool can_charge(const Dialogue& one) { return one.awaits.empty() || one.awaits_surely; }

/// What a dialogue shares with cases.
Case as_case(const Dialogue& dialogue);

}  // namespace jrpcheck::corpus
