// Judgement: what the judge says about a case, as data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "corpus/case.hpp"
#include "judge/requirements.hpp"
#include "judge/symptom.hpp"

namespace jrpcheck::judge {

/// Where in what came back something is wrong.
struct Place {
  /// Which element of the batch that was sent the Response belongs to, from 0, where its id tells.
  /// Not where it stands in the reply: a server may answer in any order (JSON-RPC 2.0 §6).
  std::optional<std::size_t> element = std::nullopt;
  /// Within the message or, in a batch, within the Response: a JSON pointer (RFC 6901).
  std::string pointer = {};

  bool operator==(const Place&) const = default;
  auto operator<=>(const Place&) const = default;  // NOLINT(modernize-use-nullptr): there is none
};

/// "element 2, /error/code"; empty where it is the whole message.
std::string name_of(const Place& place);

/// One thing that is wrong, charged to one requirement. `expected` and `actual` are for people and
/// so are the particulars: nothing reads them back.
struct Finding {
  std::string requirement;
  corpus::Verdict severity = corpus::Verdict::fail;  ///< warn or fail
  Symptom symptom = Symptom::untold;
  Place place = {};
  std::string expected;
  std::string actual;
  std::string particulars = {};  ///< what completes the sentence, such as where JSON breaks off
  std::size_t step = 0;          ///< from 0
  /// Names of habits it may be due to (habit.hpp): where another case has charged one, it is the
  /// same fault (result/attribution.hpp).
  std::vector<std::string> habits = {};
  /// If it is suppressed, is the rest of the case still valid?
  bool rest_counts = false;
  /// What of the message it is about, in words, where whoever has it judged finds that out.
  std::string about = {};
};

/// What makes two findings the same one, however they are worded.
using Identity = std::tuple<std::string, Symptom, Place>;
inline Identity identity_of(const Finding& finding) {
  return {finding.requirement, finding.symptom, finding.place};
}

/// The finding in one sentence, for people (sentences.cpp).
std::string sentence_of(const Finding& finding);

/// A batch may hold a hundred thousand messages that break one rule: beyond so many findings at
/// once, more that are charged to the same are no news.
inline constexpr std::size_t kMostFindingsAtOnce = 1000;

/// How the server behaves where the specification leaves it open.
struct Observation {
  std::string name;
  std::string value;

  bool operator==(const Observation&) const = default;
};

struct Judgement {
  std::vector<Finding> findings;
  /// Requirements about which the replies told something. A requirement that is not among them has
  /// not been exercised, whatever the absence of findings suggests.
  Requirements exercised;
  std::vector<Observation> observations;
  /// Why the case could not be judged although nothing is charged to it.
  std::optional<std::string> unjudged;
  /// That is because the server has declined what nobody has to take, and what the case is about.
  bool is_declined = false;
  /// In a step something of another shape came than what is due: a refusal in place of an Array.
  bool came_otherwise = false;

  corpus::Verdict worst() const;

  /// Adds an observation that is not there yet. A server may make as many different ones as it
  /// likes: beyond a number of them more are no news.
  void observe(std::string_view name, std::string_view value);
};

}  // namespace jrpcheck::judge
