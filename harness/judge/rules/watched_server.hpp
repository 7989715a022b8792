// What a server says as it passes, by the law of the protocol on top: by what of it needs no more
// of the conversation than what is at hand.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "dialogue/message.hpp"
#include "dialogue/transcript.hpp"
#include "judge/judgement.hpp"
#include "judge/protocol.hpp"

namespace jrpcheck::judge {

/// The law of one version in its parts, by how much they need to hear.
struct PassingLaw {
  Law of_messages;  ///< and the schemas
  Law of_opening;
  Law of_handshake;
  Law of_session;
  std::string ready_method;  ///< by which the client says that it is ready; empty: it does not

  std::set<std::string> requirements() const;
  bool empty() const;
};

/// Those of a protocol. Outlives what is judged by it; cheap to copy.
class PassingLaws {
 public:
  /// A file with schemas that cannot be read is for `lint` to tell.
  explicit PassingLaws(const corpus::Corpus& corpus);

  bool empty() const;
  /// Null: that version is not known, or says nothing of what passes.
  const PassingLaw* of(const std::string& version) const;
  /// Whether each session says its version; else there is one law, of the version "".
  bool has_versions() const { return has_versions_; }
  const std::string& opening_method() const { return opening_method_; }
  const corpus::Ledger& ledger() const { return *ledger_; }
  std::set<std::string> requirements() const;

 private:
  const corpus::Ledger* ledger_;
  bool has_versions_ = false;
  std::string opening_method_;
  std::shared_ptr<const std::map<std::string, PassingLaw>> by_version_;
};

/// A call and its answer, whole.
struct PassedAnswer {
  std::string method;
  dialogue::Message call;
  dialogue::Message answer;
  std::size_t http_status = 0;
};

/// One session with a server. Its memory is bounded.
class WatchedServer {
 public:
  /// `is_whole`: all is seen from the beginning on, in its order.
  explicit WatchedServer(const PassingLaws& laws, bool is_whole = false)
      : laws_(laws), is_logged_(is_whole) {}

  /// What the client says.
  Judgement hear(const dialogue::Message& message);
  /// What the server says, whatever it is. `version`: by which it is judged where none was agreed
  /// upon.
  Judgement tell(const dialogue::Message& message, const std::string& version = {});
  /// What the server has answered.
  Judgement answer(const PassedAnswer& passed, const std::string& version = {});
  /// Nothing more comes.
  Judgement end();

  /// That which was agreed upon; empty before.
  const std::string& version() const { return agreed_; }
  /// About how many bytes it takes.
  std::size_t kept() const;
  /// Nothing more is said of it as a whole, for not all of it is known.
  void forget_log();
  /// Nor what needs the opening.
  void forget_opening();

 private:
  const PassingLaw* law_of(const std::string& version) const;
  void note_opening(const PassedAnswer& passed);
  void log(dialogue::Direction direction, const dialogue::Message& message);
  std::shared_ptr<const corpus::Catalogue> catalogue() const;

  PassingLaws laws_;
  std::string agreed_;                    // the version
  std::vector<dialogue::Event> opening_;  // the call and its answer; none: they are not known
  std::optional<Law> of_opening_;         // with what was declared
  std::set<long long> refused_with_;      // codes of the client's errors
  bool is_logged_;
  std::vector<dialogue::Event> log_;
  std::size_t of_log_ = 0;           // bytes in it
  std::set<std::string> judged_by_;  // versions
  bool was_opened_ = false;
  bool was_ready_ = false;
};

/// The version that a message names by itself (MCP 2026-07-28, basic § _meta); empty: none.
std::string version_named_in(const json::Value& message);

/// Whether an answer shows that its server speaks that version, which the call names: who speaks
/// none that a message can name may serve it as of an earlier version, or refuse it in any way
/// (2026-07-28, basic/versioning § Backward Compatibility).
bool shows_version(const json::Value& answer, const std::string& version);

}  // namespace jrpcheck::judge
