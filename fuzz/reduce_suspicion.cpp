#include <optional>
#include <string>
#include <utility>

#include "fuzz/blame.hpp"
#include "fuzz/confirm.hpp"
#include "fuzz/reduce.hpp"
#include "json/parse.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr std::size_t kTries = 400;
// For all of an investigation.
constexpr std::size_t kInvestigationExchanges = 900;
constexpr milliseconds kReducing{5'000};

// A message of another kind that shows the same fault may be smaller, but says less of it. Where
// the fault shows in a plainer one, it is that one's, and what it is charged to there.
//
// A second fault in the message would leave open which of them the server trips over.
bool shows_the_same(const judge::Finding& finding, bool is_faulty, const judge::Finding& original,
                    bool was_faulty) {
  const bool is_of_any_message =
      finding.requirement == "rob-survives" || judge::is_envelope_requirement(finding.requirement);
  if (is_of_any_message) return finding.requirement == original.requirement;
  return explains(finding, original) && (!is_faulty || was_faulty);
}

// Time and exchanges that one reduction may take.
class Effort {
 public:
  explicit Effort(const Repeater& repeater)
      : repeater_(repeater), deadline_(Deadline::in(kReducing)) {}
  bool is_spent() const {
    return deadline_.passed() || repeater_.exchanges() > kInvestigationExchanges;
  }

 private:
  const Repeater& repeater_;
  Deadline deadline_;
};

Messages reduced_before(const Suspicion& suspicion, const std::string& message,
                        const Effort& effort, Repeater& repeater) {
  Messages before = suspicion.before;
  for (auto& each : before) {
    const std::string whole = each;
    const auto shows = [&](const std::string& candidate) {
      if (effort.is_spent() || !repeater.can_send(candidate)) return false;
      each = candidate;
      repeater.start_anew();
      return repeater.repeat(message, &suspicion.finding, before).has_value();
    };
    // Each try leaves what it has tried.
    std::string shortest = reduce(whole, shows, kTries);
    each = std::move(shortest);
  }
  return before;
}

// The message with a plain call in the place of its element or, where it has none, with a plain id.
std::string with_plain_call(json::Value message, std::optional<std::size_t> element) {
  const json::Value call = *json::parse(first_call()).value;
  if (element) {
    message.children().at(*element) = call.clone();
    return json::write(message);
  }
  for (std::size_t i = 0; i < message.names().size(); ++i) {
    if (message.names()[i] == "id") message.children()[i] = call.find("id")->clone();
  }
  return json::write(message);
}

Suspicion reduced_as_it_is(Suspicion suspicion, Repeater& repeater) {
  const Effort effort(repeater);
  const bool was_faulty = repeater.is_faulty(suspicion.sent);
  const auto shows = [&](const std::string& candidate) {
    if (effort.is_spent()) return false;
    if (!suspicion.before.empty()) repeater.start_anew();
    const auto found = repeater.repeat(candidate, &suspicion.finding, suspicion.before);
    return found && shows_the_same(found->finding, repeater.is_faulty(candidate), suspicion.finding,
                                   was_faulty);
  };
  const std::string message = reduce(suspicion.sent, shows, kTries);
  const Messages before = reduced_before(suspicion, message, effort, repeater);
  auto again = repeater.repeat_carefully(message, &suspicion.finding, before);
  if (again) return *std::move(again);
  auto whole = repeater.repeat_carefully(suspicion.sent, &suspicion.finding, suspicion.before);
  return whole ? *std::move(whole) : std::move(suspicion);
}

}  // namespace

Suspicion made_plain(Suspicion suspicion, Repeater& repeater) {
  judge::Finding plain = suspicion.finding;
  plain.about = "call";
  if (symptom_of(plain) != judge::Symptom::unanswered || plain.about == suspicion.finding.about) {
    return suspicion;
  }
  auto parsed = json::parse(suspicion.sent);
  const auto element = plain.place.element;
  const auto kind = element ? json::Kind::array : json::Kind::object;
  if (!parsed || !parsed.value->is(kind)) return suspicion;
  const std::string message = with_plain_call(*std::move(parsed.value), element);
  const auto is_plain = [&](const std::optional<Suspicion>& shown) {
    return shown && shown->finding.about == plain.about && shown->finding.place.element == element;
  };
  if (!suspicion.before.empty()) repeater.start_anew();
  if (!is_plain(repeater.repeat(message, &plain, suspicion.before))) return suspicion;
  auto again = repeater.repeat_carefully(message, &plain, suspicion.before);
  return is_plain(again) ? *std::move(again) : suspicion;
}

// Who waits in vain has little time to reduce, and of several that are lost one may hide another.
Suspicion reduced(Suspicion suspicion, Repeater& repeater) {
  suspicion = reduced_as_it_is(made_plain(std::move(suspicion), repeater), repeater);
  return made_plain(std::move(suspicion), repeater);
}

Suspicion reduced_with_itself(Suspicion suspicion, Repeater& repeater) {
  const Effort effort(repeater);
  const auto shows = [&](const std::string& candidate) {
    if (effort.is_spent()) return false;
    repeater.start_anew();
    return repeater.repeat(candidate, &suspicion.finding, {candidate}).has_value();
  };
  const std::string message = reduce(suspicion.sent, shows, kTries);
  if (shows_after_itself(message, suspicion, repeater)) suspicion.sent = message;
  suspicion.before = {suspicion.sent};
  repeater.start_anew();
  auto again = repeater.repeat(suspicion.sent, &suspicion.finding, suspicion.before);
  return again ? *std::move(again) : std::move(suspicion);
}

}  // namespace jrpcheck::fuzz
