// The judge of jrpcheck for a server that is a function of this program.
//
//   jrpcheck::embed::Judge judge([](std::string_view message) { return server.handle(message); });
//   for (const auto& report : judge.judge_all()) std::cout << report.text() << '\n';
//
// What it says is what `jrpcheck run` says of the same server, but for the cases that are about a
// transport.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jrpcheck/corpus.hpp>

namespace jrpcheck::embed {

/// A JSON-RPC server without its transport: the bytes of one message in, the bytes that go back
/// out. Nothing, or an empty text, is silence. What it throws is a finding.
using Handler = std::function<std::optional<std::string>(std::string_view message)>;

enum class Verdict { pass, warn, fail, not_exercised };

std::string_view name_of(Verdict verdict);

/// One thing that is wrong, charged to one requirement.
struct Finding {
  std::string requirement;
  std::string clause;                ///< "JSON-RPC 2.0 §5"; empty where no document says it
  Verdict severity = Verdict::fail;  ///< warn or fail
  std::string message;               ///< one sentence: what was wrong
  std::string expected;
  std::string actual;
};

/// What passed between the judge and the handler.
struct Event {
  bool sent = false;  ///< else received, or thrown
  std::string bytes;  ///< long ones without their middle
  std::string note;   ///< in words, where bytes do not say it
};

struct CaseReport {
  std::string id;
  std::string title;
  Verdict verdict = Verdict::not_exercised;
  std::string reason;  ///< why it was not exercised
  std::vector<Finding> findings;
  std::vector<Event> events;

  /// All of it, for people.
  std::string text() const;
};

struct Options {
  std::string profile = std::string(kDefaultProfile);
  /// Methods whose behaviour is known: {"echo", "my.echo"}. Cases that need a role no method plays
  /// are not exercised; methods of well-known names are found without this.
  std::map<std::string, std::string> roles = {};
  /// Method names that no server has are made from it.
  unsigned long long seed = 0;
};

/// Calls the handler from the thread that calls it, one message at a time.
class Judge {
 public:
  /// Throws std::invalid_argument where there is no such profile.
  explicit Judge(Handler handler, Options options = {});
  ~Judge();
  Judge(Judge&&) noexcept;
  Judge& operator=(Judge&&) noexcept;

  /// Puts one case to the handler. A few calls before the first case tell how to read its answers;
  /// those cases are reported from there. Throws std::invalid_argument where there is no such case.
  CaseReport judge(std::string_view case_id);

  /// Puts all cases to it that can be put to a function.
  std::vector<CaseReport> judge_all();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace jrpcheck::embed
