#include "selftest/planned_trials.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/contains.hpp"
#include "client/door.hpp"
#include "selftest/way.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::selftest {
namespace {

constexpr std::string_view kLines = "lines";
constexpr std::string_view kContentLength = "content-length";

// Those that a mutant is tried over; `place` is its place in the list.
std::vector<std::string> transports_for(const Mutant& mutant, std::size_t place, bool thorough) {
  std::vector<std::string> transports = mutant.transports;
  // A client is a program of few ways: one door stands for the others.
  if (mutant.is_of_client() && !thorough) return {transports[place % transports.size()]};
  const bool has_both = contains(transports, kLines) && contains(transports, kContentLength);
  if (!thorough && has_both) std::erase(transports, place % 2 == 0 ? kContentLength : kLines);
  return transports;
}

// A variant must pass every case, and what only fuzzing is to find may show in any: over one of
// their transports, which takes turns, they meet them all, or but the large messages, which take
// most of the time of a trial. What strikes anywhere does over each.
Spared spared_for(const Mutant& mutant, bool is_its_turn) {
  if (mutant.kind == Mutant::Kind::fault && mutant.strikes_anywhere()) return Spared::none;
  if (mutant.kind == Mutant::Kind::fault || !is_its_turn) return Spared::most;
  return mutant.kind == Mutant::Kind::deep ? Spared::most_large : Spared::none;
}

// One in so many of the faults that show anywhere is tried through a door as well, in turns.
constexpr std::size_t kDrawnOneIn = 5;

std::vector<const Way*> ways_in_turn() {
  std::vector<const Way*> turns;
  for (const Way& each : ways()) {
    if (each.takes_turns) turns.push_back(&each);
  }
  return turns;
}

// `place` is that of the mutant in the list; empty: it is not drawn.
std::string_view drawn_door(const Mutant& mutant, std::size_t place) {
  const bool shows_anywhere =
      mutant.kind == Mutant::Kind::fault && mutant.profile == corpus::kDefaultProfile &&
      contains(mutant.transports, "http") && contains(mutant.transports, kLines);
  if (!shows_anywhere || place % kDrawnOneIn != 0) return {};
  const auto turns = ways_in_turn();
  const Way* way = turns[place / kDrawnOneIn % turns.size()];
  // What is no JSON is there a broken event, by rules of its own.
  if (way->by_events && contains(mutant.requirements, "res-json")) way = turns.front();
  return way->name;
}

// Where not each of the faults is met by who knows nothing of the server.
constexpr std::size_t kUnaidedOneIn = 10;

// `place` is that of the mutant in the list.
bool is_tried_unaided(const Mutant& mutant, std::size_t place, bool thorough) {
  return mutant.kind == Mutant::Kind::fault && !mutant.is_of_client() &&
         mutant.profile == corpus::kDefaultProfile && mutant.opening.empty() &&
         (thorough || place % kUnaidedOneIn == 0);
}

// Of silence: who breaks one of them is waited for again and again.
constexpr std::array<std::string_view, 3> kOfSilence = {"res-always", "rob-*", "ntf-*"};

std::set<std::string> transports_of_clients(const std::vector<Mutant>& mutants,
                                            const std::string& profile) {
  std::set<std::string> all;
  for (const auto& each : mutants) {
    if (!each.is_of_client() || each.profile != profile) continue;
    all.insert(each.transports.begin(), each.transports.end());
  }
  return all;
}

// What takes longest comes first. The last two work, the others wait most of their time.
enum class Turn { of_silence, of_clients, with_every_case, with_some_cases };
constexpr std::size_t kTurns = 4;

Turn turn_of(const Trial& trial, const Mutant* mutant) {
  if (is_client_transport(trial.transport)) return Turn::of_clients;
  if (mutant == nullptr || mutant->kind == Mutant::Kind::variant) return Turn::with_every_case;
  if (mutant->kind == Mutant::Kind::refusal || mutant->strikes_anywhere()) return Turn::of_silence;
  const auto is_of_silence = [](const std::string& requirement) {
    return std::ranges::any_of(kOfSilence, [&](std::string_view pattern) {
      return corpus::matches_glob(pattern, requirement);
    });
  };
  const bool is_waited_for = std::ranges::any_of(mutant->requirements, is_of_silence) ||
                             std::ranges::any_of(mutant->consequences, is_of_silence);
  return is_waited_for ? Turn::of_silence : Turn::with_some_cases;
}

}  // namespace

std::vector<Trial> planned_trials(const Corpora& corpora, const std::vector<Mutant>& mutants,
                                  const TrialPlan& plan) {
  const bool thorough = plan.thorough;
  std::vector<Trial> trials;
  const auto add = [&](const std::string& profile, std::string_view transport) -> Trial& {
    Trial& trial = trials.emplace_back();
    trial.profile = profile;
    trial.transport = transport;
    return trial;
  };
  for (const auto& [profile, corpus] : corpora) {
    if (is_protocol(corpus.profile)) {
      for (const auto& transport : corpus.profile.spoken_on) add(profile, transport);
      if (!plan.dialogues.contains(profile)) continue;
      for (const auto& transport : transports_of_clients(mutants, profile)) {
        add(profile, transport);
      }
      continue;
    }
    for (const auto& binding : wire::bindings()) {
      // Without a class there are nothing but core rules, tried over others.
      if (!binding.requirement_class.empty()) add(profile, binding.name);
    }
    if (corpus.profile.dialect != corpus::Dialect::json_rpc_2_0) continue;
    for (const Way& way : ways()) {
      if (wire::binding_named(way.name) == nullptr) add(profile, way.name);
    }
    for (const auto& door : client::doors()) {
      add(profile, std::string(kClientTransport) + std::string(door.name));
    }
  }
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const auto transports = transports_for(mutants[i], i, thorough);
    for (const auto& transport : transports) {
      Trial& trial = add(mutants[i].profile, transport);
      trial.mutant = i;
      const bool is_its_turn = transport == transports[i / 2 % transports.size()];
      if (!thorough) trial.spared = spared_for(mutants[i], is_its_turn);
    }
    if (is_tried_unaided(mutants[i], i, thorough)) {
      const std::size_t turn = i + i / kUnaidedOneIn;
      Trial& trial = add(mutants[i].profile, transports[turn % transports.size()]);
      trial.mutant = i;
      trial.is_unaided = true;
      if (!thorough) trial.spared = Spared::most;
    }
    const auto door = thorough ? drawn_door(mutants[i], i) : std::string_view();
    if (door.empty()) continue;
    Trial& trial = add(mutants[i].profile, door);
    trial.mutant = i;
    trial.is_drawn = true;
  }
  return trials;
}

std::vector<std::size_t> run_order(const std::vector<Trial>& trials,
                                   const std::vector<Mutant>& mutants) {
  std::array<std::vector<std::size_t>, kTurns> turns;
  constexpr std::size_t kApart = 48;
  for (std::size_t first = 0; first < kApart; ++first) {
    for (std::size_t i = first; i < trials.size(); i += kApart) {
      const Mutant* mutant = trials[i].mutant ? &mutants[*trials[i].mutant] : nullptr;
      turns[static_cast<std::size_t>(turn_of(trials[i], mutant))].push_back(i);
    }
  }
  auto& [waiting, of_clients, working, with_some_cases] = turns;
  waiting.insert(waiting.end(), of_clients.begin(), of_clients.end());
  working.insert(working.end(), with_some_cases.begin(), with_some_cases.end());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < std::max(waiting.size(), working.size()); ++i) {
    if (i < waiting.size()) order.push_back(waiting[i]);
    if (i < working.size()) order.push_back(working[i]);
  }
  return order;
}

}  // namespace jrpcheck::selftest
