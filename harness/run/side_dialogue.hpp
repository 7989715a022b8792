// What passes between jrpcheck and a server outside of cases: it is judged too.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/case.hpp"
#include "corpus/ledger.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "judge/judge.hpp"
#include "result/run.hpp"

namespace jrpcheck::run {

/// One of the side dialogues of a run: its id stands where a case's would.
struct SideDialogueName {
  std::string_view id;
  std::string_view title;
};

inline constexpr SideDialogueName kOpeningDialogue{
    "dialogue/opening", "What the messages of the handshake were answered"};
inline constexpr SideDialogueName kFirstCallsDialogue{
    "dialogue/first-calls", "What answered the calls that found the server"};
inline constexpr SideDialogueName kCatalogueDialogue{"dialogue/catalogue", "What the server lists"};
inline constexpr SideDialogueName kDiscoveryDialogue{
    "dialogue/discovery", "What the server's methods answered when they were tried for roles"};
inline constexpr SideDialogueName kLivenessDialogue{"dialogue/liveness",
                                                    "What the control calls were answered"};
inline constexpr SideDialogueName kUnaskedDialogue{"dialogue/unasked",
                                                   "What the server said unasked"};
inline constexpr SideDialogueName kEndingsDialogue{"dialogue/endings", "What became of the server"};
inline constexpr std::array kSideDialogues{
    kOpeningDialogue,  kFirstCallsDialogue, kCatalogueDialogue, kDiscoveryDialogue,
    kLivenessDialogue, kUnaskedDialogue,    kEndingsDialogue};

/// The shell line that sends a case's messages by hand; empty where there is none.
using Reproduce = std::function<std::string(const corpus::Case&)>;

/// Whether a call is met with an HTTP success without content, which is no answer
/// (RFC 9110 §15.3), though each is owed one (JSON-RPC 2.0 §5).
bool is_answered_by_nothing(const std::string& message, const dialogue::Exchange& exchange);

/// Judges calls of ours that belong to no case by the rules of the envelope: whatever a method
/// answers, the Response must be well-formed and carry the id of its call. What the server does
/// wrong is one finding for each requirement, however many messages show it.
class SideDialogue {
 public:
  /// `id` stands where a case's would, as in "dialogue/discovery".
  SideDialogue(std::string id, std::string title, const corpus::Ledger& ledger,
               judge::Context context)
      : stored_{std::move(id), std::move(title), {}},
        ledger_(ledger),
        context_(std::move(context)) {}
  SideDialogue(const SideDialogueName& name, const corpus::Ledger& ledger, judge::Context context)
      : SideDialogue(std::string(name.id), std::string(name.title), ledger, std::move(context)) {}

  /// Judges what one well-formed call brought back. Where nothing did that is for cases to judge,
  /// but for an HTTP response that says that there is no answer.
  void take(const std::string& message, const dialogue::Exchange& exchange,
            const dialogue::Transcript& transcript);
  /// The same of a call that was waited for long enough, whatever came.
  void take_owed(const std::string& message, const dialogue::Exchange& exchange,
                 const dialogue::Transcript& transcript);

  /// The same with an exchange of a stored run.
  void take(result::SideExchange exchange);

  /// Adds what the server was found to do beyond its messages; `call` is what caused it.
  void note(dialogue::Event fact, const std::string& call, const dialogue::Transcript& transcript);

  /// What has been found and what no case shows as well. Nothing when there is nothing to tell.
  std::optional<result::CaseResult> result(const std::vector<result::CaseResult>& cases) const;

  /// All that passed, as it is stored.
  const result::StoredDialogue& stored() const { return stored_; }

  /// The call that was taken last.
  const std::string& last_call() const { return last_call_; }
  /// The method that HTTP kept its caller from first, and how: "get_data (HTTP 401)"; or nothing.
  const std::string& kept_from() const { return kept_from_; }
  /// The call that showed the first finding.
  const std::string& first_call() const { return first_call_; }

 private:
  bool judge(const std::string& call, const std::vector<dialogue::Event>& events);
  bool add(judge::Finding finding);
  void keep(result::SideExchange exchange, bool is_new);

  result::StoredDialogue stored_;
  const corpus::Ledger& ledger_;
  judge::Context context_;
  std::vector<judge::Finding> findings_;
  judge::Requirements exercised_;        // by the law of the protocol
  std::vector<dialogue::Event> events_;  // of the exchanges that show them
  std::size_t shown_ = 0;                // exchanges
  std::set<std::size_t> of_messages_;    // of these: where what was sent ended it, or was left out
  std::size_t kept_bytes_ = 0;
  std::string first_call_;
  std::string last_call_;
  std::string kept_from_;
};

/// What a user is told of methods that HTTP keeps the caller from; empty where there are none.
std::string note_of_methods_kept(const SideDialogue& discovery);

}  // namespace jrpcheck::run
