#include "fuzz/confirm.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/interruption.hpp"
#include "dialogue/id_key.hpp"
#include "fuzz/blame.hpp"
#include "fuzz/judge_company.hpp"
#include "json/parse.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"

namespace jrpcheck::fuzz {
namespace {

// Exchanges for finding out what has to be sent before.
constexpr std::size_t kHistoryExchanges = 600;
constexpr milliseconds kSearching{5'000};
// What shows so often and so often does not is no chance.
constexpr int kTwins = 3;
// What shows once in a hundred times does so twice in these, in nine of ten campaigns.
constexpr std::size_t kTriesOfInsisting = 400;
constexpr std::size_t kShownEnough = 3;
constexpr milliseconds kInsisting{5'000};
// For a call that is answered once more.
constexpr milliseconds kListening{2'000};
// What was under way with a message, and before that: two groups that leave in one write.
constexpr std::size_t kUnderWay = 64;

bool shows_twice(const Suspicion& suspicion, const Messages& before, Repeater& repeater) {
  return repeater.repeat_carefully(suspicion.sent, &suspicion.finding, before) &&
         repeater.repeat_carefully(suspicion.sent, &suspicion.finding, before);
}

std::optional<Suspicion> dies_alone(const std::string& message, const judge::Finding& like,
                                    Repeater& repeater) {
  judge::Finding late = like;
  late.symptom = judge::Symptom::died_later;  // or at once
  auto alone = repeater.repeat_carefully(message, &late);
  const bool is_dead = alone && alone->observed.survival.survival == dialogue::Survival::dead;
  if (!is_dead || !repeater.repeat_carefully(message, &late)) return std::nullopt;
  return alone;
}

std::set<std::string> ids_of(const dialogue::Message& message) {
  auto keys = dialogue::id_keys_of(message);
  return {std::make_move_iterator(keys.begin()), std::make_move_iterator(keys.end())};
}

// Not one that refuses what is too much, as a limit of requests may after so many.
bool brought_one_answer(const Observed& observed) {
  const auto& replies = observed.exchange.replies;
  if (observed.exchange.ending != dialogue::Ending::settled || replies.size() != 1) return false;
  const auto& reply = replies.front();
  const bool is_page = reply.http_status >= 400;
  return !is_page && (reply.value() == nullptr || !may_be_too_much(*reply.value()));
}

}  // namespace

Confirmation confirm(Suspicion suspicion, const Messages& before, Repeater& repeater) {
  using Outcome = Confirmation::Outcome;
  std::size_t shown = 0;
  std::size_t tries = 0;
  for (int i = 0; i < 2; ++i) {
    const bool shows = repeater.repeat_carefully(suspicion.sent, &suspicion.finding).has_value();
    if (!shows && is_interrupted()) break;
    ++tries;
    if (shows) ++shown;
  }
  const bool never = shown == 0;
  auto outcome = Outcome::at_times;
  if (shown == 2 || (never && find_before(suspicion, before, repeater))) {
    outcome = Outcome::always;
  } else if (!never && shows_after_itself(suspicion.sent, suspicion, repeater)) {
    outcome = Outcome::after_itself;
  }
  return {outcome, std::move(suspicion), shown, tries};
}

Confirmation insist(Suspicion suspicion, Repeater& repeater) {
  const Identity identity = repeater.identity_of(suspicion);
  Confirmation chance{Confirmation::Outcome::at_times, std::move(suspicion), 0, 0};
  if (chance.suspicion.finding.symptom == judge::Symptom::unanswered) return chance;
  const Deadline deadline = Deadline::in(kInsisting);
  repeater.begin_connection();
  while (chance.tries < kTriesOfInsisting && chance.shown < kShownEnough && !deadline.passed()) {
    auto found = repeater.repeat_carefully(chance.suspicion.sent, &chance.suspicion.finding);
    if (is_interrupted()) break;
    ++chance.tries;
    if (!found || !brought_one_answer(found->observed)) continue;
    if (repeater.identity_of(*found) != identity) continue;
    ++chance.shown;
    chance.suspicion = *std::move(found);
  }
  return chance;
}

// What a server remembers from one try is still there in the next. Where the answers do not fit
// together for that, each try meets a server that has just been started.
bool find_before(Suspicion& suspicion, const Messages& before, Repeater& repeater) {
  for (const bool anew : {false, true}) {
    const Deadline deadline = Deadline::in(kSearching);
    const auto shows = [&](const Messages& some) {
      if (deadline.passed()) return false;
      if (anew) repeater.start_anew();
      return repeater.repeat(suspicion.sent, &suspicion.finding, some).has_value();
    };
    auto prelude = shorten_before(before, shows, kHistoryExchanges);
    if (!prelude || prelude->empty()) continue;
    if (!shows_twice(suspicion, *prelude, repeater)) continue;
    suspicion.before = *std::move(prelude);
    return true;
  }
  return false;
}

std::optional<Suspicion> find_fatal(const Suspicion& death, const Messages& before,
                                    Repeater& repeater) {
  const Deadline deadline = Deadline::in(kSearching);
  if (auto itself = dies_alone(death.sent, death.finding, repeater)) return itself;
  std::set<std::string_view> tried = {death.sent};
  const auto first = std::min<std::size_t>(before.size(), kUnderWay);
  for (auto each = before.rbegin(); each != before.rbegin() + static_cast<std::ptrdiff_t>(first);
       ++each) {
    if (deadline.passed() || is_interrupted()) break;
    if (!tried.insert(*each).second) continue;
    if (auto alone = dies_alone(*each, death.finding, repeater)) return alone;
  }
  return std::nullopt;
}

std::optional<Suspicion> find_answered_again(const std::vector<dialogue::Message>& came,
                                             const Messages& before, Repeater& repeater) {
  std::set<std::string> keys;
  for (const auto& each : came) keys.merge(ids_of(each));
  judge::Finding like;
  like.symptom = judge::Symptom::second_response;
  const Deadline deadline = Deadline::in(kListening);
  std::set<std::string_view> tried;
  for (auto each = before.rbegin(); each != before.rend() && !deadline.passed(); ++each) {
    const auto own = ids_of(*each);
    const bool may_be =
        !own.empty() && std::ranges::includes(keys, own) && repeater.expectation_for(*each).is_call;
    if (!may_be || is_interrupted() || !tried.insert(*each).second) continue;
    const auto is_again = [&](const auto& found) {
      return found && found->finding.symptom == like.symptom;
    };
    auto again = repeater.repeat_carefully(*each, &like);
    if (is_again(again) && is_again(repeater.repeat_carefully(*each, &like))) return again;
  }
  return std::nullopt;
}

bool shows_after_itself(const std::string& message, const Suspicion& suspicion,
                        Repeater& repeater) {
  for (int i = 0; i < kTwins; ++i) {
    repeater.start_anew();
    if (repeater.repeat(message, &suspicion.finding)) return false;
    repeater.start_anew();
    if (!repeater.repeat(message, &suspicion.finding, {message})) return false;
  }
  return true;
}

// First the one that is missed; but of several that may be the one that was left out it is the
// first of them.
std::optional<Suspicion> find_unanswered_element(const Suspicion& suspicion, Repeater& repeater) {
  const judge::Finding& finding = suspicion.finding;
  if (symptom_of(finding) != judge::Symptom::unanswered || !suspicion.before.empty()) {
    return std::nullopt;
  }
  const auto parsed = json::parse(suspicion.sent);
  if (!parsed || !parsed.value->is(json::Kind::array)) return std::nullopt;
  const auto& elements = parsed.value->children();
  const std::size_t first = finding.place.element.value_or(0);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto& element = elements[(first + i) % elements.size()];
    const auto alone = repeater.repeat(json::write(element));
    if (!alone || !explains(alone->finding, finding)) continue;
    if (auto again = repeater.repeat_carefully(alone->sent, &alone->finding)) return again;
  }
  return std::nullopt;
}

std::optional<Suspicion> find_element_at_fault(const Suspicion& suspicion, Repeater& repeater) {
  const std::string& requirement = suspicion.finding.requirement;
  if (!suspicion.before.empty() || requirement == "rob-survives" ||
      judge::is_envelope_requirement(requirement)) {
    return std::nullopt;
  }
  const auto parsed = json::parse(suspicion.sent);
  if (!parsed || !parsed.value->is(json::Kind::array) || parsed.value->size() < 2) {
    return std::nullopt;
  }
  for (const auto& element : parsed.value->children()) {
    auto alone = repeater.repeat(json::write(element));
    if (!alone || !repeater.repeat_carefully(alone->sent, &alone->finding)) continue;
    return made_plain(*std::move(alone), repeater);
  }
  return std::nullopt;
}

}  // namespace jrpcheck::fuzz
