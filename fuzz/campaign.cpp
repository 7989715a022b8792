#include "fuzz/campaign.hpp"

#include <algorithm>
#include <utility>

#include "fuzz/blame.hpp"
#include "fuzz/carriage.hpp"
#include "fuzz/protocol.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Survival;

// After so many groups in which only the company looked wrong, messages are sent by themselves.
constexpr int kMostInVain = 3;

// A wait that is worth being saved, and after how many of them only one in so many messages of that
// kind is sent.
constexpr milliseconds kLongWait{50};
constexpr unsigned kWaitsInVain = 3;
constexpr unsigned kOneIn = 32;

// The numbers of those that stand in the place of control calls, beside those of other companions.
constexpr std::size_t kFirstBehind = 1000;

// A group that arrives in pieces costs another round trip.
constexpr std::size_t kOneGroupInPieces = 16;

bool is_gone(Survival survival) {
  return survival == Survival::dead || survival == Survival::wedged || survival == Survival::deaf;
}

}  // namespace

bool UnansweredKinds::is_left_out(const std::string& kind) {
  const auto waited = waited_for_.find(kind);
  if (waited == waited_for_.end() || waited->second < kWaitsInVain) return false;
  return ++waited->second % kOneIn != 0;
}

void UnansweredKinds::note(const std::string& kind, const Observed& observed, microseconds took) {
  if (observed.exchange.ending != dialogue::Ending::timed_out || took < kLongWait) return;
  ++waited_for_[kind];
}

Campaign::Campaign(Oracle oracle, Limits limits, run::Endpoint& endpoint, Executor& fast,
                   Executor& careful, Observer& observer, unsigned long long seed)
    : oracle_(std::move(oracle)),
      limits_(std::move(limits)),
      binding_(endpoint.binding()),
      fast_(fast),
      observer_(observer),
      budget_(limits_),
      findings_(limits_, endpoint, observer, seed),
      investigator_(Repeater(oracle_, findings_, binding_, fast.for_repeating(), careful), oracle_,
                    limits_, findings_),
      growth_(limits_.memory),
      pipeline_(fast) {}

Tally Campaign::tally() const {
  Tally tally = tally_;
  tally.unconfirmed = investigator_.unconfirmed();
  tally.unsettled = investigator_.unsettled();
  tally.shapes = coverage_.shapes();
  tally.edges = coverage_.edges();
  tally.memory = growth_.held();
  tally.took = budget_.took();
  return tally;
}

std::string Campaign::as_sent(std::string message) const {
  const auto& protocol = oracle_.traits().protocol;
  if (protocol) message = with_request_members(*protocol, std::move(message));
  return without_message_ends(binding_, std::move(message));
}

bool Campaign::is_worthwhile(const std::string& message) const {
  const auto& protocol = oracle_.traits().protocol;
  if (!protocol) return true;
  const std::string sent = as_sent(message);
  return may_be_sent(*protocol, sent) && has_message(*protocol, sent);
}

std::vector<Feature> Campaign::feed(std::string message) {
  if (auto known = promising_.features_of(message)) return *std::move(known);
  if (auto again = investigator_.next_revisit()) put(*std::move(again));
  return put(std::move(message));
}

std::vector<Feature> Campaign::put(std::string message) {
  if (coverage_.sees_edges() || pipeline_.width() <= 1) {
    pipeline_.note_alone();
    return feed_alone(std::move(message));
  }
  message = as_sent(std::move(message));
  if (is_over() || !can_send(binding_, oracle_.traits(), message)) return {};
  pending_.push_back(std::move(message));
  const auto under_way = tally_.exchanges + pipeline_.under_way();
  if (pending_.size() >= budget_.next(under_way, pipeline_.width())) execute_pending();
  return {};
}

std::vector<Feature> Campaign::feed_alone(std::string message) {
  message = as_sent(std::move(message));
  settle();
  if (is_over() || !can_send(binding_, oracle_.traits(), message)) return {};
  return execute_alone(std::move(message));
}

void Campaign::look_for_held_answers(const Messages& messages) {
  for (const auto& message : messages) {
    if (is_over() || !can_send(binding_, oracle_.traits(), message)) continue;
    const bool is_held = investigator_.investigate_held(message);
    history_.note(message);
    if (is_held) return;
  }
}

std::vector<Feature> Campaign::execute_alone(std::string message) {
  Expectation expectation = expectation_of(message, oracle_.traits());
  if (is_left_out(expectation)) return {};
  return execute_now(std::move(message), std::move(expectation));
}

// Where no call behind it ends the wait for what is not answered.
bool Campaign::waits_for_each() const { return fast_.bytes_of_call_behind() == 0; }

// The kind of messages that are waited for as this one is.
std::string Campaign::waits_as(const Expectation& expectation) const {
  if (!expectation.waits_like.empty()) return expectation.waits_like;
  const auto element = investigator_.unanswered_element_of(expectation);
  return element ? "batch with " + *element : expectation.kind;
}

bool Campaign::is_left_out(const Expectation& expectation) {
  return unanswered_.is_left_out(waits_as(expectation));
}

std::vector<Feature> Campaign::execute_now(std::string message, Expectation expectation) {
  const std::string kind = waits_as(expectation);
  coverage_.begin_message();
  const auto begin = Clock::now();
  auto observed = fast_.execute(expectation.expected.steps.front());
  if (!observed) {
    if (!limits_.interrupted()) lost_ = observed.error().message;
    over_ = true;
    return {};
  }
  unanswered_.note(kind, *observed, time_since(begin));
  if (!observed->ended_before.empty()) note_end_before(*observed);
  auto judged = judge(std::move(expectation), *std::move(observed));
  count(judged);
  coverage_.add(judged.features);
  coverage_.add_edges(judged.features);
  if (auto finding = investigator_.worst_new(judged.expectation, judged.judgement)) {
    // The call behind it went unanswered, and may be lost for having left in one write with it.
    const bool may_be_lost =
        fast_.writes_call_behind_each() && judged.observed.survival.survival == Survival::deaf;
    const auto known = findings().size();
    investigator_.investigate({message, *std::move(finding), std::move(judged.observed)},
                              history_.before(message));
    if (may_be_lost && findings().size() == known) investigate_lost(Group{.messages = {message}});
  }
  if (const auto& late = judged.observed.late; !late.empty() && !is_over()) {
    investigator_.investigate_again(late, history_.before(message));
  }
  history_.note(message);
  previous_ = std::move(message);
  end_round();
  return judged.features;
}

void Campaign::note_end_before(const Observed& observed) {
  ++tally_.restarts;
  if (previous_.empty()) return;
  investigator_.investigate_death_after(previous_, history_.before(previous_),
                                        observed.ended_at_work ? observed.ended_before : "");
}

Campaign::Judged Campaign::judge(Expectation expectation, Observed observed) {
  Judged judged{std::move(expectation), std::move(observed), {}, {}};
  judged.judgement = oracle_.judge_exchange(judged.expectation, judged.observed.exchange,
                                            judged.observed.survival, judged.observed.events);
  judged.features = coverage_.features_of(judged.expectation.kind, judged.observed.exchange);
  return judged;
}

void Campaign::count(const Judged& judged) {
  ++tally_.exchanges;
  if (is_gone(judged.observed.survival.survival)) ++tally_.restarts;
  const auto& judgement = judged.judgement;
  exercised_.merge(judgement.exercised);
  if (judged.expectation.is_call && judgement.worst() != corpus::Verdict::fail &&
      !judged.observed.exchange.replies.empty()) {
    ++tally_.answered_calls;
  }
}

void Campaign::end_round() {
  look_at_memory();
  observer_.progress(tally(), findings().size());
  if (budget_.is_spent(tally_.exchanges)) over_ = true;
}

void Campaign::look_at_memory() {
  if (is_over() || !growth_.is_due(fast_)) return;
  auto sent = pipeline_.take_all();
  if (const auto cause = growth_.find_cause(history_, oracle_.traits(), fast_)) {
    findings_.add(
        growth_.finding_of(*cause, findings_.about(cause->message, {}, {}, oracle_.traits())));
  }
  judge_groups(std::move(sent));
}

Group Campaign::group_of(Messages messages) {
  Group group;
  group.cut = next_cut(messages);
  group.expectations.reserve(messages.size());
  for (auto& message : messages) {
    auto expectation = expectation_of(message, oracle_.traits());
    if (waits_for_each() && is_left_out(expectation)) continue;
    group.expectations.push_back(std::move(expectation));
    group.messages.push_back(std::move(message));
  }
  return group;
}

// Never in the first: what stands before is to be answered, which shows that it has been read.
std::optional<Cut> Campaign::next_cut(const Messages& messages) {
  if (fast_.bytes_of_call_behind() == 0 || messages.size() < 2) return std::nullopt;
  if (++groups_ % kOneGroupInPieces != 0) return std::nullopt;
  return cut_one_of(messages, binding_, groups_ / kOneGroupInPieces);
}

// As it was written, but for the ids of the calls behind each message.
std::optional<Company> Campaign::company_of(const Group& group, std::size_t place) const {
  const std::size_t bytes = fast_.bytes_of_call_behind();
  if (bytes == 0) return std::nullopt;
  Company company;
  for (std::size_t i = 0; i < group.messages.size(); ++i) {
    if (i != place) (i < place ? company.ahead : company.behind).push_back(group.messages[i]);
    (i < place ? company.ahead : company.behind).push_back(plain_call(bytes, kFirstBehind + i));
  }
  company.cut = group.cut;
  if (company.cut) company.cut->message *= 2;
  return company;
}

// While the server works on these messages, what came of those before is judged, and the next are
// made.
void Campaign::execute_pending() {
  Group group = group_of(std::exchange(pending_, {}));
  if (group.messages.empty()) return;
  std::deque<Group> answered;
  if (pipeline_.is_full()) answered.push_back(pipeline_.take());
  // Nothing may be under way while what could not be told apart is executed again.
  if (!answered.empty() && !answered.front().observed) {
    for (auto& each : pipeline_.take_all()) answered.push_back(std::move(each));
    judge_groups(std::exchange(answered, {}));
  }
  if (is_over()) return;
  if (!pipeline_.send(group)) {
    for (auto& each : pipeline_.take_all()) answered.push_back(std::move(each));
    answered.push_back(std::move(group));
  }
  judge_groups(std::move(answered));
  if (limits_.runs > 0 && tally_.exchanges + pipeline_.under_way() >= limits_.runs) settle();
}

// Waits for what is under way, and judges it.
void Campaign::settle() { judge_groups(pipeline_.take_all()); }

void Campaign::judge_groups(std::deque<Group> groups) {
  for (auto& group : groups) judge_group(std::move(group));
}

void Campaign::judge_group(Group group) {
  if (is_over() || group.messages.empty()) return;
  if (!group.observed) return execute_each(std::move(group));
  pipeline_.widen();
  auto suspects = judge_each(group);
  if (!suspects.empty()) investigate_all(std::move(suspects));
  end_round();
}

// What came of them together could not be told apart.
void Campaign::execute_each(Group group) {
  pipeline_.narrow();
  const auto known = findings().size();
  if (group.is_lost) investigate_lost(group);
  const auto restarts = tally_.restarts;
  for (auto& message : group.messages) {
    if (!is_over()) execute_alone(std::move(message));
  }
  if (group.ended.empty() || previous_.empty() || limits_.interrupted()) return;
  const bool is_explained = tally_.restarts != restarts || findings().size() != known;
  ++tally_.restarts;
  if (is_explained) return;
  investigator_.investigate_end(previous_, history_.before(previous_), group.ended);
}

// What a server loses of several messages it may never lose of one. Once that is known, those that
// are sent together tell nothing more.
void Campaign::investigate_lost(const Group& group) {
  const auto company = company_of(group, 0);
  if (!company || limits_.interrupted()) return;
  const bool is_known = investigator_.investigate_lost(written(group.messages.front(), *company),
                                                       company->cut, history_.before({}));
  if (is_known) pipeline_.narrow_to_one();
}

std::vector<Campaign::Suspect> Campaign::judge_each(Group& group) {
  std::vector<Suspect> suspects;
  for (std::size_t i = 0; i < group.messages.size(); ++i) {
    const std::string& message = group.messages[i];
    const std::string kind = waits_as(group.expectations[i]);
    auto judged = judge(std::move(group.expectations[i]), std::move((*group.observed)[i]));
    history_.note(message);
    if (auto finding = investigator_.worst_new(judged.expectation, judged.judgement)) {
      suspects.push_back({{message, *std::move(finding), std::move(judged.observed)},
                          history_.before(message),
                          company_of(group, i)});
      continue;
    }
    if (waits_for_each()) unanswered_.note(kind, judged.observed, kLongWait);
    count(judged);
    if (coverage_.add(judged.features)) promising_.put(message, std::move(judged.features));
  }
  previous_ = group.messages.back();
  return suspects;
}

// What looks wrong among others is executed alone before anything is said of it: so every suspicion
// is one message's own.
void Campaign::investigate_all(std::vector<Suspect> suspects) {
  auto sent = pipeline_.take_all();
  const auto known = findings().size();
  bool shows_alone = false;
  for (auto& [suspicion, before, company] : suspects) {
    if (is_over()) return;
    const auto investigations = investigator_.investigations();
    Expectation expectation = expectation_of(suspicion.sent, oracle_.traits());
    // What is known to be left unanswered alone is not said to be so for its company.
    if (symptom_of(suspicion.finding) == judge::Symptom::unanswered && is_left_out(expectation)) {
      shows_alone = true;
      continue;
    }
    execute_now(suspicion.sent, std::move(expectation));
    if (investigations != investigator_.investigations()) {
      shows_alone = true;
    } else if (!is_over()) {
      investigator_.investigate_after(std::move(suspicion), before, company);
    }
  }
  const bool misled = !shows_alone && findings().size() == known;
  if (misled && ++in_vain_ >= kMostInVain) pipeline_.narrow_to_one();
  judge_groups(std::move(sent));
}

}  // namespace jrpcheck::fuzz
