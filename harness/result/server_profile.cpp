#include "result/server_profile.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/join.hpp"
#include "judge/observe.hpp"

namespace jrpcheck::result {
namespace {

using Observations = std::vector<const RecordedObservation*>;

constexpr std::string_view kTaken = "taken";

std::vector<Answer> tally(const Observations& observations) {
  std::vector<Answer> answers;
  for (const auto* each : observations) {
    const auto found = std::ranges::find_if(
        answers, [&](const Answer& answer) { return answer.value == each->value; });
    if (found != answers.end()) {
      ++found->cases;
    } else {
      answers.push_back({each->value, 1});
    }
  }
  std::ranges::stable_sort(answers,
                           [](const Answer& a, const Answer& b) { return a.cases > b.cases; });
  return answers;
}

// "null (27 of 31 cases), echoed (4)"; a single answer needs no numbers.
std::string counted(const Observations&, const std::vector<Answer>& answers) {
  if (answers.size() == 1) return answers.front().value;
  std::size_t all = 0;
  for (const auto& each : answers) all += each.cases;
  std::vector<std::string> parts;
  for (const auto& each : answers) {
    const std::string number = std::to_string(each.cases);
    parts.push_back(each.value + " (" +
                    (parts.empty() ? number + " of " + std::to_string(all) + " cases" : number) +
                    ")");
  }
  return joined(parts);
}

// Whole numbers of any length, without leading zeros.
bool is_less(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// "up to 10000, not 100000".
std::string largest(const Observations&, const std::vector<Answer>& answers) {
  std::string most;
  std::string least_refused;
  for (const auto& each : answers) {
    const bool refused = each.value.starts_with(judge::kMissed);
    const std::string number = refused ? each.value.substr(judge::kMissed.size()) : each.value;
    if (!are_digits(number)) continue;
    if (!refused && (most.empty() || is_less(most, number))) most = number;
    if (refused && (least_refused.empty() || is_less(number, least_refused))) {
      least_refused = number;
    }
  }
  // A smaller one may have been left out, or answered in a way that tells of another fault.
  if (most.empty()) return std::string(judge::kMissed) + least_refused;
  // More may have been tried, and answered in a way that tells of another fault.
  if (least_refused.empty()) return "up to " + most + ", the most that was seen";
  // A smaller one may have been refused for being, say, a double's neighbour.
  return is_less(most, least_refused) ? "up to " + most + ", not " + least_refused
                                      : "up to " + most + ", but not " + least_refused;
}

// Which of the cases took something, by the names of the cases.
std::string list_of_taken(const Observations& observations, const std::vector<Answer>&) {
  std::vector<std::string> taken;
  for (const auto* each : observations) {
    if (each->value != kTaken) continue;
    taken.push_back(each->case_id.substr(each->case_id.find('/') + 1));
  }
  const std::string all = std::to_string(observations.size());
  if (taken.empty()) return "none of " + all + " is taken";
  return joined(taken) + " (" + std::to_string(taken.size()) + " of " + all + ")";
}

using Summary = std::string (*)(const Observations&, const std::vector<Answer>&);

// The points that have a place of their own, in the order in which they are told.
struct Rule {
  std::string_view name;
  Summary summarise;
};

constexpr Rule kInShort[] = {
    {"id of an invalid Request", counted},
    {"id null", counted},
    {"largest integer id echoed exactly", largest},
    {"params null", counted},
    {"duplicate members", counted},
    {"batches", counted},
    {judge::kBatchOrder, counted},
    {"JSON extensions", list_of_taken},
    {"nesting depth answered", largest},
};

OpenPoint point(std::string name, const Observations& observations, Summary summarise) {
  OpenPoint one;
  one.name = std::move(name);
  one.answers = tally(observations);
  one.summary = summarise(observations, one.answers);
  return one;
}

bool is_status(const std::string& name) { return name.starts_with(judge::kHttpStatusOf); }

// All statuses on one line: "200 for a result, error -32601; 204 for no answer".
void add_statuses(const std::map<std::string, Observations>& by_name,
                  std::vector<OpenPoint>& points) {
  std::map<std::string, std::vector<std::string>> kinds_by_status;
  std::map<std::string, std::size_t> cases_by_status;
  for (const auto& [name, observations] : by_name) {
    if (!is_status(name)) continue;
    const std::string kind = name.substr(judge::kHttpStatusOf.size());
    for (const auto& answer : tally(observations)) {
      kinds_by_status[answer.value].push_back(kind);
      cases_by_status[answer.value] += answer.cases;
    }
  }
  if (kinds_by_status.empty()) return;
  OpenPoint one;
  one.name = "HTTP status";
  one.in_short = true;
  std::vector<std::string> parts;
  for (const auto& [status, kinds] : kinds_by_status) {
    parts.push_back(status + " for " + joined(kinds));
    one.answers.push_back({parts.back(), cases_by_status[status]});
  }
  one.summary = joined(parts, "; ");
  points.push_back(std::move(one));
}

}  // namespace

std::vector<OpenPoint> server_profile(const std::vector<RecordedObservation>& observations) {
  std::map<std::string, Observations> by_name;
  for (const auto& each : observations) by_name[each.id].push_back(&each);

  std::vector<OpenPoint> points;
  for (const auto& rule : kInShort) {
    const auto found = by_name.find(std::string(rule.name));
    if (found == by_name.end()) continue;
    points.push_back(point(found->first, found->second, rule.summarise));
    points.back().in_short = true;
    by_name.erase(found);
  }
  add_statuses(by_name, points);
  for (const auto& [name, list] : by_name) {
    if (!is_status(name)) points.push_back(point(name, list, counted));
  }
  return points;
}

}  // namespace jrpcheck::result
