#include "result/merge.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "result/conclude.hpp"

namespace jrpcheck::result {
namespace {

bool same_subject(const Run& a, const Run& b) {
  return a.target.text == b.target.text && a.profile == b.profile &&
         a.corpus_hash == b.corpus_hash && a.tool_version == b.tool_version;
}

std::set<std::string> case_ids(const Run& run) {
  std::set<std::string> ids;
  for (const auto& one : run.cases) ids.insert(one.id);
  return ids;
}

bool overlap(const Run& a, const Run& b) {
  const auto ids = case_ids(a);
  return std::any_of(b.cases.begin(), b.cases.end(),
                     [&](const CaseResult& one) { return ids.count(one.id) != 0; });
}

// A shard knows only its own cases; the worst that any says is what all say.
void merge_requirements(Run& whole, std::vector<RequirementResult>& shard) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < whole.requirements.size(); ++i) {
    index[whole.requirements[i].requirement.id] = i;
  }
  for (auto& each : shard) {
    const auto found = index.find(each.requirement.id);
    if (found == index.end()) {
      whole.requirements.push_back(std::move(each));
      continue;
    }
    auto& known = whole.requirements[found->second];
    if (badness(each.verdict) <= badness(known.verdict)) continue;
    known.verdict = each.verdict;
    known.reason.clear();
  }
}

void merge_into(Run& whole, Run shard) {
  const auto move_all = [](auto& from, auto& to) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  };
  move_all(shard.cases, whole.cases);
  move_all(shard.observations, whole.observations);
  for (auto& note : shard.notes) {
    const auto& notes = whole.notes;
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
      whole.notes.push_back(std::move(note));
    }
  }
  merge_requirements(whole, shard.requirements);
  whole.started = std::min(whole.started, shard.started);
  whole.duration = std::max(whole.duration, shard.duration);  // shards run side by side
  std::stable_sort(whole.cases.begin(), whole.cases.end(),
                   [](const CaseResult& a, const CaseResult& b) { return a.id < b.id; });
  conclude(whole, whole.cases.size() >= whole.corpus_cases);
}

}  // namespace

std::vector<Run> merge_shards(std::vector<Run> runs) {
  std::vector<Run> wholes;
  for (auto& run : runs) {
    const auto whole = std::find_if(wholes.begin(), wholes.end(), [&](const Run& each) {
      return same_subject(each, run) && !overlap(each, run);
    });
    if (whole == wholes.end()) {
      wholes.push_back(std::move(run));
    } else {
      merge_into(*whole, std::move(run));
    }
  }
  return wholes;
}

}  // namespace jrpcheck::result
