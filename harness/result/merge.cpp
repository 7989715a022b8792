#include "result/merge.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "result/attribution.hpp"
#include "result/conclude.hpp"

namespace jrpcheck::result {
namespace {

// What two shards of one run have in common, with the words for a message when they do not.
struct Trait {
  std::string_view name;
  std::string value;
};

std::vector<Trait> traits_of(const Run& run) {
  return {{"target", run.target.text},
          {"binding", run.target.transport + " " + run.target.framing},
          {"profile", run.profile},
          {"corpus", run.corpus_hash},
          {"version of jrpcheck", run.tool_version},
          {"seed", std::to_string(run.seed)},
          {"use of a baseline", run.baseline ? "with" : "without"},
          {"number of shards", run.shard ? std::to_string(run.shard->count) : "none"}};
}

// Empty when both may be parts of one run. A target that was not reached has no framing.
std::string difference(const Run& a, const Run& b) {
  const auto of_a = traits_of(a);
  const auto of_b = traits_of(b);
  const bool unreached = a.target.framing.empty() || b.target.framing.empty();
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (of_a[i].value == of_b[i].value || (unreached && of_a[i].name == "binding")) continue;
    return std::string(of_a[i].name) + ": '" + of_a[i].value + "' and '" + of_b[i].value + "'";
  }
  return {};
}

std::set<std::string> case_ids(const Run& run) {
  std::set<std::string> ids;
  for (const auto& one : run.cases) ids.insert(one.id);
  return ids;
}

bool overlap(const Run& a, const Run& b) {
  const auto ids = case_ids(a);
  return std::ranges::any_of(b.cases,
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

// What shards tell as kept beside cases about it that were tried: each has taken back by itself
// what twins alone show there.
struct Shown {
  std::set<std::string> by_cases;   // about it
  std::set<std::string> by_others;  // the cases about it came to nothing
};

void take_into_account(const Run& shard, Shown& shown) {
  for (const auto& each : shard.requirements) {
    const auto& id = each.requirement.id;
    if (each.verdict != Verdict::pass) continue;
    const auto tried = first_tried_about(id, shard.cases);
    const bool came_to_something =
        std::ranges::any_of(tried, [](const auto& first) { return was_exercised(first.first); });
    if (came_to_something) {
      shown.by_cases.insert(id);
    } else if (tried.contains(Verdict::not_exercised)) {
      shown.by_others.insert(id);
    }
  }
}

// Why nothing exercised a requirement is what its cases say, of which each shard had some.
void explain_requirements(const Shown& shown, Run& whole) {
  for (auto& each : whole.requirements) {
    const auto& id = each.requirement.id;
    if (!shown.by_cases.contains(id)) {
      take_back_what_twins_show(each, whole.cases, shown.by_others.contains(id));
    }
    explain_what_was_not_exercised(each, whole.cases);
  }
}

// The worst stays; what one shard does not expect of it is not expected by the whole.
void merge_case(CaseResult& known, CaseResult other) {
  if (badness(other.verdict) > badness(known.verdict)) std::swap(known, other);
  const bool is_told = known.expected && known.expected->differs();
  if (!is_told && other.expected && other.expected->differs()) known.expected = other.expected;
}

// What every shard runs to learn of the server is reported where it fails, and then by several.
void merge_cases(Run& whole, std::vector<CaseResult>& shard) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < whole.cases.size(); ++i) index[whole.cases[i].id] = i;
  for (auto& one : shard) {
    const auto found = index.find(one.id);
    if (found == index.end()) {
      whole.cases.push_back(std::move(one));
    } else {
      merge_case(whole.cases[found->second], std::move(one));
    }
  }
  std::ranges::stable_sort(whole.cases,
                           [](const CaseResult& a, const CaseResult& b) { return a.id < b.id; });
}

template <typename T, typename Same>
void merge_list(std::vector<T>& whole, std::vector<T>& shard, Same same) {
  for (auto& each : shard) {
    const bool known =
        std::ranges::any_of(whole, [&](const T& other) { return same(each, other); });
    if (!known) whole.push_back(std::move(each));
  }
}

void merge_into(Run& whole, Run shard) {
  merge_cases(whole, shard.cases);
  merge_list(whole.observations, shard.observations, [](const auto& a, const auto& b) {
    return std::tie(a.case_id, a.id, a.value) == std::tie(b.case_id, b.id, b.value);
  });
  merge_list(whole.tried, shard.tried, std::equal_to<>());
  merge_list(whole.notes, shard.notes, std::equal_to<>());
  merge_requirements(whole, shard.requirements);
  if (whole.interrupted.empty()) whole.interrupted = shard.interrupted;
  if (whole.target.framing.empty()) whole.target = shard.target;
  whole.started = std::min(whole.started, shard.started);
  whole.duration = std::max(whole.duration, shard.duration);  // shards run side by side
}

// What passed beside the cases of the corpus has ids among theirs, and is none of them.
bool has_every_case(const Run& whole) {
  const auto count = std::ranges::count_if(whole.cases, [](const CaseResult& one) {
    return !is_side_dialogue(one.id) && !one.id.starts_with("traffic/");
  });
  return static_cast<std::size_t>(count) >= whole.corpus_cases;
}

Run put_together(std::vector<Run> parts) {
  Shown shown;
  for (auto& part : parts) {
    take_into_account(part, shown);
    for (auto& each : part.requirements) give_back_what_twins_show(each);
  }
  Run whole = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) merge_into(whole, std::move(parts[i]));
  whole.shard.reset();
  whole.conditions.reset();  // each part has its own
  explain_requirements(shown, whole);
  conclude(whole, has_every_case(whole) && whole.interrupted.empty());
  return whole;
}

std::string numbers(const std::vector<std::size_t>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + std::to_string(list[i]);
  }
  return text;
}

std::string shard_name(const Run& run) {
  return "shard " + std::to_string(run.shard->index) + " of " + std::to_string(run.shard->count);
}

// Each shard once, or why not. `others` are shards that would fit were they not of another run.
Result<bool> check_complete(const std::vector<Run>& shards, const std::vector<Run>& others) {
  std::set<std::size_t> there;
  for (const auto& each : shards) {
    if (!there.insert(each.shard->index).second) {
      return Error{shard_name(each) + " of '" + each.target.text +
                   "' is there twice: a run is put together from each shard once (shards count "
                   "from 0)"};
    }
  }
  std::vector<std::size_t> missing;
  const std::size_t count = shards.front().shard->count;
  for (std::size_t i = 0; i < count; ++i) {
    if (there.count(i) == 0) missing.push_back(i);
  }
  if (missing.empty()) return true;
  if (!others.empty()) {
    return Error{shard_name(others.front()) + " and " + shard_name(shards.front()) +
                 " are not of one run; they differ in their " +
                 difference(shards.front(), others.front())};
  }
  return Error{std::string(missing.size() == 1 ? "shard " : "shards ") + numbers(missing) + " of " +
               std::to_string(count) + " of '" + shards.front().target.text + "' " +
               (missing.size() == 1 ? "is" : "are") +
               " missing: the report of the whole needs all of them (shards count from 0)"};
}

// Groups the shards that belong together; each group must be whole.
Result<std::vector<Run>> merge_sharded(std::vector<Run> shards) {
  std::vector<std::vector<Run>> groups;
  for (auto& each : shards) {
    const auto group = std::ranges::find_if(
        groups, [&](const auto& known) { return difference(known.front(), each).empty(); });
    if (group == groups.end()) {
      groups.emplace_back();
      groups.back().push_back(std::move(each));
    } else {
      group->push_back(std::move(each));
    }
  }
  std::vector<Run> wholes;
  wholes.reserve(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::vector<Run> none;
    const auto& others = groups.size() == 1 ? none : groups[i == 0 ? 1 : 0];
    if (auto complete = check_complete(groups[i], others); !complete) return complete.error();
  }
  for (auto& group : groups) wholes.push_back(put_together(std::move(group)));
  return wholes;
}

}  // namespace

Result<std::vector<Run>> merge_shards(std::vector<Run> runs) {
  const auto is_shard = [](const Run& run) { return run.shard && run.shard->count > 1; };
  std::vector<Run> shards;
  std::vector<std::vector<Run>> wholes;  // parts of runs that were selected by hand, or whole ones
  for (auto& run : runs) {
    if (is_shard(run)) {
      shards.push_back(std::move(run));
      continue;
    }
    const auto whole = std::ranges::find_if(wholes, [&](const auto& parts) {
      return difference(parts.front(), run).empty() &&
             std::ranges::none_of(parts, [&](const Run& part) { return overlap(part, run); });
    });
    if (whole == wholes.end()) {
      wholes.emplace_back();
      wholes.back().push_back(std::move(run));
    } else {
      whole->push_back(std::move(run));
    }
  }
  auto merged = merge_sharded(std::move(shards));
  if (!merged) return merged.error();
  for (auto& parts : wholes) {
    merged->push_back(parts.size() == 1 ? std::move(parts.front())
                                        : put_together(std::move(parts)));
  }
  return merged;
}

}  // namespace jrpcheck::result
