#include "selftest/trial.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "corpus/corpus.hpp"
#include "run/runner.hpp"
#include "selftest/client_trial.hpp"
#include "selftest/planned_trials.hpp"
#include "selftest/stored_run.hpp"
#include "selftest/way.hpp"
#include "transport/descriptor.hpp"
#include "transport/target.hpp"
#include "transport/work_together.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::selftest {
namespace {

// The reference server answers within a millisecond; what takes longer than this hangs.
constexpr microseconds kTimeout = milliseconds(1500);

// Below the ports that systems give to outgoing connections, of which a self-test makes many.
constexpr int kFirstPort = 18'000;
constexpr int kLastPort = 32'000;

class Silent : public run::Progress {
 public:
  void advance(std::size_t, std::size_t, const std::string&) override {}
};

bool is_free(int port) {
  const transport::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Ports for servers that are started again and again at the same one.
class Ports {
 public:
  int take() {
    const std::lock_guard lock(mutex_);
    while (next_ < kLastPort && !is_free(next_)) ++next_;
    return next_ < kLastPort ? next_++ : kLastPort;
  }

 private:
  std::mutex mutex_;
  int next_ = kFirstPort;
};

// The target, and what tells the reference server to be it.
void listen_somewhere(const Trial& trial, const Way& way, Ports& ports, run::Options& options) {
  const auto& scheme = way.scheme();
  const auto& binding = way.binding();
  std::string place = std::to_string(ports.take());
  std::string url = std::string(scheme.name).append(scheme.marker);
  if (scheme.names_a_path()) {
    place = std::filesystem::temp_directory_path() / ("jrpcheck-selftest-" + place + ".sock");
  } else {
    url += "127.0.0.1:";
  }
  if (const auto target = transport::parse_target(url + place)) options.target = *target;
  options.command.insert(options.command.end(), {std::string(way.option), place});
  if (!way.path.empty()) options.target->path = way.path;
  if (scheme.over_tls) {
    options.command.emplace_back("--tls-self-signed");
    options.target->tls.is_insecure = true;
  }
  // What lies above a door is tried without, but for what is drawn.
  if (!way.own_class.empty() && !trial.is_drawn && !trial.is_unaided) {
    options.selection.select = {std::string(way.own_class).append("/*")};
  }
  if (binding.on_sockets && binding.is_framing()) {
    if (!trial.is_unaided) options.framing = &binding;
    options.command.insert(options.command.end(), {"--framing", std::string(binding.name)});
  }
}

// The login that the reference server knows where a protocol wants one.
void log_in(run::Options& options) {
  options.target->authorization = "Basic " + to_base64("jrpcheck:jrpcheck");
}

// A protocol on top is tried by its own cases: the others are tried without it. But where it reads
// those in its own way, the proper server and what is legal meet them too, and so does what breaks
// one of their rules.
bool meets_common_cases(const corpus::Corpus& corpus, const Mutant* mutant) {
  if (corpus.profile.other_codes.empty()) return false;
  if (mutant == nullptr || mutant->kind == Mutant::Kind::variant) return true;
  return std::ranges::any_of(mutant->requirements, [&](const std::string& id) {
    const auto* requirement = corpus.ledger.find(id);
    return requirement != nullptr && corpus.is_common(*requirement);
  });
}

void name_roles(run::Options& options) {
  for (const char* role : {"subtract", "sum", "echo", "nothing", "fails"}) {
    options.roles[role] = role;
  }
  options.roles["no-params"] = "get_data";
}

run::Options options_for(const Trial& trial, const corpus::Corpus& corpus, const Mutant* mutant,
                         const std::string& program, Ports& ports) {
  const corpus::Profile& profile = corpus.profile;
  run::Options options;
  options.timeout = kTimeout;
  options.jobs = 1;  // the order of the cases is part of what a mutant is tried on
  options.seed = 1;
  if (is_protocol(profile)) {
    if (!meets_common_cases(corpus, mutant)) options.selection.select = {profile.family + "/*"};
  } else {
    if (!trial.is_unaided) name_roles(options);
  }
  // A fault may break the very answers that would prove them.
  options.try_roles = mutant != nullptr && mutant->kind != Mutant::Kind::fault;
  options.command = {program};
  if (const Way* way = way_named(trial.transport)) {
    listen_somewhere(trial, *way, ports, options);
    if (profile.http.wants_login) log_in(options);
  } else {
    if (!trial.is_unaided) options.framing = &wire::known_binding(trial.transport);
    options.command.insert(options.command.end(), {"--stdio", "--framing", trial.transport});
  }
  auto words = words_to_speak(profile).value_or(std::vector<std::string>());
  for (auto& word : words) options.command.push_back(std::move(word));
  if (mutant != nullptr) {
    const bool is_legal =
        mutant->kind == Mutant::Kind::variant || mutant->kind == Mutant::Kind::refusal;
    options.command.emplace_back(is_legal ? "--variant" : "--fault");
    options.command.push_back(mutant->name);
    run::adopt_opening(mutant->opening, options);
  }
  if (is_protocol(profile)) run::adopt(profile, options);
  return options;
}

std::size_t hash_of_what_came(const std::vector<dialogue::Event>& transcript) {
  std::string text;
  for (const auto& event : transcript) {
    if (event.direction == dialogue::Direction::sent || !event.is_for_people()) continue;
    text += name_of(event.direction);
    text += event.bytes;
  }
  return std::hash<std::string>()(text);
}

constexpr std::size_t kLarge = std::size_t{16} * 1024;
// Of the cases that do not claim a fault, and whose messages are small or large, which meet it.
constexpr std::size_t kOneSmallIn = 5;
constexpr std::size_t kOneLargeIn = 20;

bool is_large(const corpus::Case& one) {
  std::size_t bytes = 0;
  for (const auto& step : one.steps) {
    for (const auto& message : step.messages) bytes += message.text().size();
  }
  return bytes > kLarge;
}

// A fifth of the cases that do not claim a fault can charge it wrongly as well as all of them do,
// while each of those meets a fifth of the faults. Which it is changes from fault to fault.
std::set<std::string> spared_by(Spared how, std::size_t place, const Mutant& mutant,
                                const corpus::Corpus& corpus) {
  std::set<std::string> spared;
  std::set<std::string> needed;
  std::size_t turn = place;
  for (const auto& one : corpus.cases) {
    ++turn;
    const bool is_claimed = contains(one.kills, mutant.name);
    const std::size_t one_in = is_large(one)               ? kOneLargeIn
                               : how == Spared::most_large ? 1
                                                           : kOneSmallIn;
    if (is_claimed || turn % one_in == 0) {
      needed.insert(one.rests_on);
    } else {
      spared.insert(one.id);
    }
  }
  for (const auto& id : needed) spared.erase(id);
  return spared;
}

void run_trial(const Corpora& corpora, const std::vector<Mutant>& mutants, const TrialPlan& plan,
               Ports& ports, transport::Guardian& guardian, Trial& trial) {
  const Mutant* mutant = trial.mutant ? &mutants[*trial.mutant] : nullptr;
  Silent silent;
  const auto& corpus = corpora.at(trial.profile);
  if (is_client_transport(trial.transport)) {
    return run_client_trial(corpus, mutant, plan, guardian, trial);
  }
  auto options = options_for(trial, corpus, mutant, plan.reference_program, ports);
  if (trial.spared != Spared::none) {
    trial.left_out = spared_by(trial.spared, *trial.mutant, *mutant, corpus);
  }
  if (is_protocol(corpus.profile) && !meets_common_cases(corpus, mutant)) {
    for (const auto& one : corpus.cases) {
      if (corpus.is_common(one)) trial.left_out.insert(one.id);
    }
  }
  options.selection.skip.assign(trial.left_out.begin(), trial.left_out.end());
  const auto run = run::run_corpus(corpus, options, guardian, silent);
  // A server that was ended leaves its socket.
  const bool has_file = options.target && options.target->scheme->names_a_path();
  if (has_file) std::filesystem::remove(options.target->path);
  if (run.unreached.empty()) {
    take_in(run, trial);
    trial.judged_otherwise = differences_when_stored(run, corpus);
  } else {
    trial.error = run.unreached;
  }
}

void several_at_a_time(std::size_t workers, std::size_t count,
                       const std::function<void(std::size_t)>& run) {
  std::atomic<std::size_t> next = 0;
  const std::string failure = transport::work_together(workers, [&] {
    for (std::size_t i = next++; i < count; i = next++) run(i);
  });
  if (!failure.empty()) throw std::runtime_error(failure);
}

}  // namespace

void take_in(const result::Run& run, Trial& trial) {
  trial.tells_of_methods = !run.tried.empty();
  for (const auto& one : run.cases) {
    if (!was_exercised(one.verdict) && one.transcript.empty()) continue;
    trial.said[one.id] = hash_of_what_came(one.transcript);
    if (was_exercised(one.verdict)) trial.judged.insert(one.id);
    for (const auto& finding : one.findings) {
      auto& charge = trial.charges[finding.requirement];
      charge.cases.insert(one.id);
      charge.fails = charge.fails || finding.severity == corpus::Verdict::fail;
      trial.caught_by[one.id].insert(finding.requirement);
    }
  }
}

std::vector<Trial> run_trials(const Corpora& corpora, const std::vector<Mutant>& mutants,
                              const TrialPlan& plan, transport::Guardian& guardian) {
  std::vector<Trial> trials = planned_trials(corpora, mutants, plan);
  const auto order = run_order(trials, mutants);
  std::size_t done = 0;
  std::mutex mutex;
  Ports ports;
  several_at_a_time(plan.workers, order.size(), [&](std::size_t turn) {
    run_trial(corpora, mutants, plan, ports, guardian, trials[order[turn]]);
    const std::lock_guard lock(mutex);
    plan.progress(++done, trials.size());
  });
  return trials;
}

void repeat_trials(const Corpora& corpora, const std::vector<Mutant>& mutants,
                   const TrialPlan& plan, transport::Guardian& guardian,
                   const std::vector<std::size_t>& which, std::vector<Trial>& trials) {
  Ports ports;
  several_at_a_time(plan.workers, which.size(), [&](std::size_t turn) {
    Trial& trial = trials[which[turn]];
    Trial again;
    again.mutant = trial.mutant;
    again.profile = trial.profile;
    again.transport = trial.transport;
    again.is_drawn = trial.is_drawn;
    again.is_unaided = trial.is_unaided;
    run_trial(corpora, mutants, plan, ports, guardian, again);
    // The same dialogue has one verdict, on any machine.
    if (!trial.judged_otherwise.empty()) again.judged_otherwise = trial.judged_otherwise;
    trial = std::move(again);
  });
}

}  // namespace jrpcheck::selftest
