// One finding on a terminal: the same words, colours and order of lines for every command.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/ledger.hpp"
#include "result/run.hpp"

namespace jrpcheck::reports {

/// Paints what is for a terminal, and leaves it as it is where there are no colours.
class Palette {
 public:
  explicit Palette(bool color) : color_(color) {}
  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string verdict(result::Verdict verdict, std::string_view text) const;
  std::string run(result::RunVerdict verdict, std::string_view text) const;

 private:
  std::string paint(std::string_view code, std::string_view text) const;
  bool color_;
};

/// What there is to tell of a finding. Texts may hold whatever a server has said.
struct FindingText {
  std::string where;     ///< the case, or how often it showed; may be empty
  std::string sentence;  ///< what is wrong
  std::string baseline;  ///< what a baseline says of it; may be empty
  /// What passed before it, each with its row: "sent", "got".
  std::vector<std::pair<std::string_view, std::string>> before;
  std::string sent;
  std::string got;
  std::string expected;
  std::string reproduce;  ///< lines of shell; may be empty
  std::string otherwise;  ///< the command that tells more, where those are too long to be typed
  /// What left in one write with it and stands behind it, each with its row.
  std::vector<std::pair<std::string_view, std::string>> behind = {};
};

/// The first line: "FAIL  id-echo  JSON-RPC 2.0 §5 (2 cases)". The label is painted already.
std::string finding_heading(const Palette& palette, std::string_view label, std::string_view name,
                            std::string_view about);

/// The same for what breaks a rule, with its clause, and what it asks in a line of its own. Null: a
/// rule that is not known here.
std::string rule_heading(const Palette& palette, std::string_view label, std::string_view id,
                         const corpus::Requirement* rule, std::string_view about);

/// The lines below it.
std::string finding_lines(const FindingText& finding);

/// One more of them, where a command has something of its own to say.
std::string finding_row(std::string_view name, std::string_view value);

}  // namespace jrpcheck::reports
