#include "fuzz/campaign.hpp"

#include <algorithm>
#include <utility>

#include "fuzz/shape.hpp"
#include "json/parse.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Survival;

// After so many suspicions that came to nothing a shape is this server's way.
constexpr int kMostInVain = 3;
// Beyond this nothing is gained: the server is never waited for any more.
constexpr std::size_t kMostTogether = 32;

// A wait that is worth being saved, and after how many of them so many messages of that kind are.
constexpr milliseconds kLongWait{50};
constexpr unsigned kWaitsInVain = 3;
constexpr unsigned kOneIn = 32;

bool is_gone(Survival survival) {
  return survival == Survival::dead || survival == Survival::wedged || survival == Survival::deaf;
}

bool is_call(const Expectation& expectation) {
  return !expectation.open && expectation.kind.substr(0, 4) == "call";
}

}  // namespace

Campaign::Campaign(Oracle oracle, Limits limits, run::Endpoint& endpoint, Player& fast,
                   Player& careful, Observer& observer, unsigned long long seed)
    : oracle_(std::move(oracle)),
      limits_(std::move(limits)),
      endpoint_(endpoint),
      fast_(fast),
      careful_(careful),
      observer_(observer),
      seed_(seed),
      begin_(Clock::now()),
      together_(kMostTogether),
      memory_(limits_.memory) {}

Tally Campaign::tally() const {
  Tally tally = tally_;
  tally.memory = memory_.held();
  tally.took = std::chrono::duration_cast<microseconds>(Clock::now() - begin_);
  return tally;
}

// A line feed ends a message in the lines framing, and a carriage return does for many readers.
std::string Campaign::prepared(std::string message) const {
  if (!endpoint_.binding().one_line) return message;
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::replace(message.begin(), message.end(), '\r', ' ');
  return message;
}

// Without a frame the end of what is no Object or Array is guesswork; and what is empty is no
// message in any framing.
bool Campaign::may_be_sent(const std::string& message) const {
  if (message.find_first_not_of(" \t\r\n") == std::string::npos) return false;
  if (!endpoint_.binding().structures_only) return true;
  const auto parsed = json::parse(message);
  return parsed && (parsed.value->is(json::Kind::object) || parsed.value->is(json::Kind::array));
}

bool Campaign::has_failed() const {
  return limits_.warnings_are_findings
             ? !findings_.empty()
             : std::any_of(findings_.begin(), findings_.end(), [](const Finding& each) {
                 return each.severity == corpus::Verdict::fail;
               });
}

bool Campaign::counts(const judge::Finding& finding) const {
  return finding.severity == corpus::Verdict::fail || limits_.warnings_are_findings;
}

std::optional<judge::Finding> Campaign::worst_new(const Expectation& expectation,
                                                  const judge::Judgement& judgement) const {
  for (const auto& each : judgement.findings) {
    if (counts(each) && known_.count({each.requirement, shape_of(expectation, each)}) == 0) {
      return each;
    }
  }
  return std::nullopt;
}

void Campaign::note_exchange(const Expectation& expectation, const Observed& observed,
                             const judge::Judgement& judgement) {
  ++tally_.exchanges;
  if (is_gone(observed.survival.survival)) ++tally_.restarts;
  exercised_.insert(judgement.exercised.begin(), judgement.exercised.end());
  const bool clean =
      std::none_of(judgement.findings.begin(), judgement.findings.end(),
                   [](const auto& each) { return each.severity == corpus::Verdict::fail; });
  if (is_call(expectation) && clean && !observed.exchange.replies.empty()) {
    ++tally_.answered_calls;
  }
}

void Campaign::check_limits() {
  const auto took = Clock::now() - begin_;
  if (limits_.time.count() > 0 && took >= limits_.time) over_ = true;
  if (limits_.runs > 0 && tally_.exchanges >= limits_.runs) over_ = true;
  if (limits_.interrupted()) over_ = true;
}

std::vector<Feature> Campaign::feed(std::string message) {
  const auto known = due_.extract(message);
  if (!known.empty()) return known.mapped();
  if (most_together() <= 1) return feed_alone(std::move(message));
  message = prepared(std::move(message));
  if (over_ || !may_be_sent(message)) return {};
  pending_.push_back(std::move(message));
  if (pending_.size() >= most_pending()) play_pending();
  return {};
}

std::vector<Feature> Campaign::feed_alone(std::string message) {
  message = prepared(std::move(message));
  settle();
  if (over_ || !may_be_sent(message)) return {};
  return play_alone(std::move(message));
}

std::optional<std::string> Campaign::take_promising() {
  if (promising_.empty()) return std::nullopt;
  auto [message, features] = std::move(promising_.front());
  promising_.pop_front();
  due_[message] = std::move(features);
  return message;
}

std::size_t Campaign::most_together() const {
  return fast_.plays_several() && edges_ == nullptr ? together_ : 1;
}

// No more than are left to be played.
std::size_t Campaign::most_pending() const {
  if (limits_.runs == 0) return together_;
  const auto used = std::min(limits_.runs, tally_.exchanges + sent_.messages.size());
  const auto left = std::max<unsigned long long>(limits_.runs - used, 1);
  return static_cast<std::size_t>(std::min<unsigned long long>(together_, left));
}

// While the server works on these messages, what came of those before is judged, and the next are
// made.
void Campaign::play_pending() {
  Group group = group_of(std::exchange(pending_, {}));
  Group answered = take_sent();
  // Nothing may be under way while what could not be told apart is played again.
  if (!answered.observed) judge_group(std::exchange(answered, {}));
  if (over_) return;
  if (fast_.send_all(steps_of(group))) sent_ = std::exchange(group, {});
  judge_group(std::move(answered));
  judge_group(std::move(group));  // empty where it was sent
  if (limits_.runs > 0 && tally_.exchanges + sent_.messages.size() >= limits_.runs) settle();
}

// Waits for what is under way, and judges it.
void Campaign::settle() { judge_group(take_sent()); }

Campaign::Group Campaign::group_of(Messages messages) const {
  Group group;
  group.expectations.reserve(messages.size());
  for (const auto& message : messages) {
    group.expectations.push_back(expectation_of(message, oracle_.traits()));
  }
  group.messages = std::move(messages);
  return group;
}

std::vector<const corpus::Step*> Campaign::steps_of(const Group& group) {
  std::vector<const corpus::Step*> steps;
  steps.reserve(group.expectations.size());
  for (const auto& each : group.expectations) steps.push_back(&each.expected.steps.front());
  return steps;
}

Campaign::Group Campaign::take_sent() {
  Group group = std::exchange(sent_, {});
  if (!group.messages.empty()) group.observed = fast_.take_all();
  return group;
}

// What could not be told apart is played again, each message by itself.
void Campaign::judge_group(Group group) {
  if (over_ || group.messages.empty()) return;
  if (!group.observed) {
    together_ = std::max<std::size_t>(together_ / 4, 1);
    for (auto& message : group.messages) {
      if (!over_) play_alone(std::move(message));
    }
    return;
  }
  together_ = std::min(2 * together_, kMostTogether);
  auto suspects = judge_each(group);
  if (!suspects.empty()) investigate_all(std::move(suspects));
  look_at_memory();
  observer_.progress(tally_, findings_.size());
  check_limits();
}

std::vector<Campaign::Suspect> Campaign::judge_each(Group& group) {
  std::vector<Suspect> suspects;
  for (std::size_t i = 0; i < group.messages.size(); ++i) {
    const std::string& message = group.messages[i];
    auto played = judged(std::move(group.expectations[i]), std::move((*group.observed)[i]));
    history_.note(message);
    if (auto finding = worst_new(played.expectation, played.judgement)) {
      suspects.push_back({{message, *std::move(finding), std::move(played.observed), {}},
                          history_.before(message)});
      continue;
    }
    note_exchange(played.expectation, played.observed, played.judgement);
    const bool is_new = std::any_of(
        played.features.begin(), played.features.end(),
        [this](const Feature& feature) { return features_.count(feature.number) == 0; });
    for (const auto& feature : played.features) features_.insert(feature.number);
    if (is_new) promising_.emplace_back(message, std::move(played.features));
  }
  previous_ = group.messages.back();
  return suspects;
}

// What together looks wrong is played alone before anything is said of it: so every suspicion is
// one message's own. Where that comes to nothing again and again, this server is not to be asked
// so.
void Campaign::investigate_all(std::vector<Suspect> suspects) {
  Group sent = take_sent();
  const auto findings = findings_.size();
  for (auto& [suspicion, before] : suspects) {
    if (over_) return;
    const auto investigated = investigations_;
    play_alone(suspicion.sent);
    if (!over_ && investigated == investigations_) {
      investigate_after(std::move(suspicion), before);
    }
  }
  if (findings_.size() == findings && ++in_vain_ >= kMostInVain) together_ = 1;
  judge_group(std::move(sent));
}

Campaign::Played Campaign::judged(Expectation expectation, Observed observed) {
  Played played{std::move(expectation), std::move(observed), {}, {}};
  played.judgement = oracle_.judge_exchange(played.expectation, played.observed.exchange,
                                            played.observed.survival);
  const std::string shape = shape_of_exchange(played.observed.exchange);
  shapes_.insert(shape);
  tally_.shapes = shapes_.size();
  played.features = {{hash_of(shape)}, {hash_of(played.expectation.kind + shape)}};
  return played;
}

void Campaign::add_edges(std::vector<Feature>& features) {
  const auto edges = edges_->take();
  features.insert(features.end(), edges.begin(), edges.end());
  tally_.edges = edges_->seen();
}

// A kind of message that a server leaves unanswered each time costs a timeout each time, and tells
// nothing new: most of them are left out.
bool Campaign::is_left_out(const Expectation& expectation) {
  const auto waited = waited_for_.find(expectation.kind);
  if (waited == waited_for_.end() || waited->second < kWaitsInVain) return false;
  return ++waited->second % kOneIn != 0;
}

void Campaign::note_wait(const Expectation& expectation, const Observed& observed,
                         microseconds took) {
  if (observed.exchange.ending != dialogue::Ending::timed_out || took < kLongWait) return;
  ++waited_for_[expectation.kind];
}

std::vector<Feature> Campaign::play_alone(std::string message) {
  Expectation expectation = expectation_of(message, oracle_.traits());
  if (is_left_out(expectation)) return {};
  if (edges_ != nullptr) edges_->clear();
  const auto begin = Clock::now();
  auto observed = fast_.play(expectation.expected.steps.front());
  if (!observed) {
    lost_ = observed.error().message;
    over_ = true;
    return {};
  }
  note_wait(expectation, *observed, std::chrono::duration_cast<microseconds>(Clock::now() - begin));
  if (!observed->ended_before.empty()) confirm_previous();
  auto played = judged(std::move(expectation), *std::move(observed));
  note_exchange(played.expectation, played.observed, played.judgement);
  for (const auto& feature : played.features) features_.insert(feature.number);
  if (edges_ != nullptr) add_edges(played.features);
  if (auto finding = worst_new(played.expectation, played.judgement)) {
    investigate({message, *std::move(finding), std::move(played.observed)});
  }
  history_.note(message);
  previous_ = std::move(message);
  look_at_memory();
  observer_.progress(tally_, findings_.size());
  check_limits();
  return played.features;
}

}  // namespace jrpcheck::fuzz
