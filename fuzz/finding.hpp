// Finding: a message that shows a fault, with all that is needed to show it again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "corpus/case.hpp"
#include "corpus/ledger.hpp"
#include "fuzz/company.hpp"
#include "fuzz/expectation.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::fuzz {

struct Finding {
  std::string requirement;
  std::string shape;  ///< findings that share requirement and shape are one
  corpus::Verdict severity = corpus::Verdict::fail;
  judge::Symptom symptom = judge::Symptom::untold;
  judge::Place place = {};
  std::string particulars = {};  ///< what completes the sentence
  std::string expected;
  std::string actual;
  std::string sent;  ///< exactly these bytes
  /// Messages without which it does not show: sent before it, in this order.
  std::vector<std::string> before = {};
  std::optional<Company> company = {};  ///< the same of what leaves in one write with it
  std::vector<std::string> replies;     ///< exactly what came back
  std::string transport;                ///< where it was found
  std::string profile = {};  ///< of the protocol by whose law it was; empty: JSON-RPC alone
  Traits traits;
  unsigned long long seed = 0;
  std::size_t shown = 0;       ///< so many times
  std::size_t tries = 0;       ///< of so many
  std::size_t reduced_in = 0;  ///< so many exchanges, with those that confirmed it
  std::string standard_error;
  std::string reproduce;  ///< one shell line

  bool is_flaky() const { return shown < tries; }
};

/// Where what is written is cut into pieces, in the framing in which it was found.
std::vector<std::size_t> cuts_of(const Finding& finding);

/// The finding in one sentence, for people.
std::string sentence_of(const Finding& finding);

/// The JSON text of a file, a member a line. Bytes that are not UTF-8 stand in base64.
std::string to_text(const Finding& finding);
/// Reads such a text; the error says where in the file what is wrong.
Result<Finding> finding_from(const std::string& file, std::string_view text);

/// The same for every finding with that requirement and shape: "res-json-1a2b3c4d.json".
std::string file_name_of(const Finding& finding);

/// A finding of an older version names no symptom: the bytes that it holds are judged again.
void find_symptom(Finding& finding, const corpus::Ledger& ledger);

/// A case file of the corpus with the finding as its one case, for `jrpcheck lint` and `--cases`.
/// An Error where what is expected cannot be said in a case.
Result<std::string> promote(const Finding& finding);

/// What the case of a finding does not show that came only now and then, as a sentence; or nothing.
std::string doubt_about_case_of(const Finding& finding);

}  // namespace jrpcheck::fuzz
