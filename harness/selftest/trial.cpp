#include "selftest/trial.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string_view>
#include <thread>

#include "corpus/corpus.hpp"
#include "run/runner.hpp"
#include "selftest/stored_run.hpp"
#include "transport/descriptor.hpp"
#include "transport/target.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::selftest {
namespace {

// The reference server answers within a millisecond; what takes longer than this hangs.
constexpr microseconds kTimeout = milliseconds(1500);

// Below the ports that systems give to outgoing connections, of which a self-test makes many.
constexpr int kFirstPort = 18'000;
constexpr int kLastPort = 32'000;

constexpr std::string_view kTcp = "tcp";
constexpr std::string_view kWs = "ws";
constexpr std::string_view kTcpLength32 = "tcp-length32";

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

run::Options options_for(const Trial& trial, const Mutant* mutant, const std::string& program,
                         Ports& ports) {
  run::Options options;
  options.timeout = kTimeout;
  options.jobs = 1;  // the order of the cases is part of what a mutant is tried on
  options.seed = 1;
  for (const char* role : {"subtract", "sum", "echo", "nothing", "fails"}) {
    options.roles[role] = role;
  }
  options.roles["no-params"] = "get_data";
  // A fault may break the very answers that would prove them.
  options.try_roles = mutant != nullptr && mutant->kind != Mutant::Kind::fault;
  options.command = {program};
  const auto& binding = binding_of(trial.transport);
  if (binding.pairs_replies || binding.on_sockets) {
    const std::string port = std::to_string(ports.take());
    const std::string scheme(binding.is_upgrade   ? kWs
                             : binding.on_sockets ? kTcp
                                                  : std::string_view(trial.transport));
    const auto target = transport::parse_target(scheme + "://127.0.0.1:" + port);
    if (target) options.target = *target;
    options.command.insert(options.command.end(), {"--" + scheme, port});
    if (binding.on_sockets && binding.is_framing()) {
      options.framing = &binding;
      options.command.insert(options.command.end(), {"--framing", std::string(binding.name)});
    }
  } else {
    options.framing = &binding;
    options.command.insert(options.command.end(), {"--stdio", "--framing", trial.transport});
  }
  for (auto& word : dialect_arguments(trial.dialect)) options.command.push_back(std::move(word));
  if (mutant != nullptr) {
    const bool is_legal =
        mutant->kind == Mutant::Kind::variant || mutant->kind == Mutant::Kind::refusal;
    options.command.emplace_back(is_legal ? "--variant" : "--fault");
    options.command.push_back(mutant->name);
    run::adopt_opening(mutant->opening, options);
  }
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

void take_in(const result::Run& run, Trial& trial) {
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

void run_trial(const Corpora& corpora, const std::vector<Mutant>& mutants,
               const std::string& program, Ports& ports, transport::Guardian& guardian,
               Trial& trial) {
  const Mutant* mutant = trial.mutant ? &mutants[*trial.mutant] : nullptr;
  Silent silent;
  const auto options = options_for(trial, mutant, program, ports);
  const auto& corpus = corpora.at(trial.dialect);
  const auto run = run::run_corpus(corpus, options, guardian, silent);
  if (run.unreached.empty()) {
    take_in(run, trial);
    trial.judged_otherwise = differences_when_stored(run, corpus);
  } else {
    trial.error = run.unreached;
  }
}

std::vector<Trial> planned(const Corpora& corpora, const std::vector<Mutant>& mutants) {
  std::vector<Trial> trials;
  for (const auto& [dialect, corpus] : corpora) {
    for (const auto& binding : wire::bindings()) {
      if (binding.requirement_class.empty()) continue;  // nothing but core rules, tried over others
      Trial trial;
      trial.dialect = dialect;
      trial.transport = binding.name;
      trials.push_back(trial);
    }
    if (dialect != corpus::Dialect::json_rpc_2_0) continue;
    for (const std::string_view transport : {kTcp, kTcpLength32}) {
      Trial trial;
      trial.dialect = dialect;
      trial.transport = transport;
      trials.push_back(trial);
    }
  }
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    for (const auto& transport : mutants[i].transports) {
      Trial trial;
      trial.mutant = i;
      trial.dialect = mutants[i].dialect;
      trial.transport = transport;
      trials.push_back(trial);
    }
  }
  return trials;
}

}  // namespace

const wire::Binding& binding_of(std::string_view transport) {
  if (transport == kTcp) return wire::on_sockets(wire::default_stream_binding());
  if (transport == kTcpLength32) return wire::on_sockets(wire::known_binding("length32"));
  return wire::known_binding(transport);
}

std::vector<Trial> run_trials(const Corpora& corpora, const std::vector<Mutant>& mutants,
                              const TrialPlan& plan, transport::Guardian& guardian) {
  std::vector<Trial> trials = planned(corpora, mutants);
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::mutex mutex;
  Ports ports;
  const auto work = [&] {
    for (std::size_t i = next++; i < trials.size(); i = next++) {
      run_trial(corpora, mutants, plan.reference_program, ports, guardian, trials[i]);
      const std::lock_guard lock(mutex);
      plan.progress(++done, trials.size());
    }
  };
  std::vector<std::jthread> workers;
  for (std::size_t i = 1; i < plan.workers; ++i) workers.emplace_back(work);
  work();
  workers.clear();
  return trials;
}

void repeat_trial(const Corpora& corpora, const std::vector<Mutant>& mutants, const TrialPlan& plan,
                  transport::Guardian& guardian, Trial& trial) {
  Trial again;
  again.mutant = trial.mutant;
  again.dialect = trial.dialect;
  again.transport = trial.transport;
  Ports ports;
  run_trial(corpora, mutants, plan.reference_program, ports, guardian, again);
  // The same dialogue has one verdict, on any machine.
  if (!trial.judged_otherwise.empty()) again.judged_otherwise = trial.judged_otherwise;
  trial = std::move(again);
}

}  // namespace jrpcheck::selftest
