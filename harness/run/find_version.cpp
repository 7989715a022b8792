#include "run/find_version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "corpus/catalogue.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "run/control_call.hpp"
#include "run/empty_folder.hpp"
#include "run/endpoint.hpp"
#include "session/folder.hpp"
#include "transport/byte_stream.hpp"
#include "transport/empty_folder.hpp"

namespace jrpcheck::run {
namespace {

using json::Kind;

std::vector<std::string> texts_at(const json::Value& message, const std::string& pointer) {
  std::vector<std::string> texts;
  const json::Value* found = json::at(message, pointer);
  if (found == nullptr) return texts;
  if (found->is(Kind::string)) texts.push_back(found->text());
  if (!found->is(Kind::array)) return texts;
  for (const auto& each : found->children()) {
    if (each.is(Kind::string)) texts.push_back(each.text());
  }
  return texts;
}

std::vector<std::string> versions_named(const dialogue::Exchange& exchange,
                                        const corpus::VersionProbe& probe) {
  std::vector<std::string> named;
  for (const auto& reply : exchange.replies) {
    if (reply.value() == nullptr) continue;
    for (const auto& pointer : probe.versions_at) {
      for (auto& each : texts_at(*reply.value(), pointer)) named.push_back(std::move(each));
    }
  }
  return named;
}

// Whether an answer meets all of the conditions, and there are some.
bool meets(const dialogue::Exchange& exchange, const std::vector<corpus::Condition>& conditions) {
  if (conditions.empty()) return false;
  return std::any_of(exchange.replies.begin(), exchange.replies.end(), [&](const auto& reply) {
    return reply.value() != nullptr && corpus::meets_all(*reply.value(), conditions);
  });
}

// Of a protocol without versions: whether an answer shows that the server speaks it.
bool shows(const dialogue::Exchange& exchange, const corpus::VersionProbe& probe) {
  return meets(exchange, probe.shows);
}

// The newest version of the profile among these.
std::string newest_of(const corpus::Profile& profile, const std::vector<std::string>& named) {
  for (auto each = profile.versions.rbegin(); each != profile.versions.rend(); ++each) {
    if (contains(named, *each)) return *each;
  }
  return {};
}

// The same call with another id and, where it is named, of another method.
std::string with_id(const std::string& message, long long id, std::string_view method = {}) {
  auto call = json::parse(message);
  if (!call) return {};
  for (std::size_t i = 0; i < call.value->size(); ++i) {
    const auto& name = call.value->names()[i];
    auto& there = call.value->children()[i];
    if (name == "id") there = json::Value::number(std::to_string(id));
    if (name == "method" && !method.empty()) there = json::Value::string(std::string(method));
  }
  return json::write(*call.value);
}

bool says_something(const dialogue::Exchange& exchange, const corpus::VersionProbe& probe) {
  return shows(exchange, probe) || !versions_named(exchange, probe).empty();
}

bool serves(const dialogue::Exchange& exchange) {
  return std::ranges::any_of(exchange.replies,
                             [](const auto& reply) { return reply.find("result") != nullptr; });
}

// Asks a server, and asks the same one once more where each conversation has a program of its own:
// another one would have to be started.
class Prober {
 public:
  Prober(Endpoint& endpoint, session::Patience& patience, transport::Guardian& guardian)
      : endpoint_(endpoint), patience_(patience), guardian_(guardian) {}

  // A server that was just started, or on a new connection. One that keeps silent may wait for the
  // call of the next probe: it is told that as well.
  Result<dialogue::Exchange> anew(const std::string& message, const corpus::VersionProbe& probe,
                                  const corpus::VersionProbe* next = nullptr) {
    former_.reset();  // a program ends before the next one begins
    auto conversation = endpoint_.converse_bare();
    dialogue::Transcript aside;
    if (auto opened = conversation->open(aside); !opened) return opened.error();
    const bool has_its_own = !endpoint_.is_shared();
    if (has_its_own) patience_.expect_start();
    if (next != nullptr && has_its_own)
      conversation->use_control_call(control_call_like(next->message));
    const auto begin = Clock::now();
    auto exchange = conversation->exchange(step_of(message, probe), aside);
    if (exchange.ending == dialogue::Ending::timed_out && !patience_.has_answered()) {
      patience_.note_waited(time_since(begin));
    }
    to_next_ = exchange.control_answer;
    const bool is_settled = exchange.ending == dialogue::Ending::settled;
    const bool goes_on = (is_settled && !exchange.replies.empty()) || exchange.control_answered;
    if (goes_on && has_its_own) former_ = std::move(conversation);
    return exchange;
  }

  // The answer of a server that has heard the probe before, or has heard another one, and says what
  // is asked for.
  std::optional<dialogue::Exchange> again(const corpus::VersionProbe& probe) {
    if (!former_) return std::nullopt;
    dialogue::Exchange exchange;
    if (!to_next_.empty()) exchange.replies.push_back({dialogue::Message(to_next_), 0});
    if (says_something(exchange, probe)) return exchange;
    exchange = ask_again(probe.message, probe);
    return says_something(exchange, probe) ? std::optional(std::move(exchange)) : std::nullopt;
  }

  // Who refuses the call as it is may take it with an empty folder in it.
  Result<dialogue::Exchange> with_folder_where_needed(
      const corpus::VersionProbe& probe, const std::optional<corpus::OpeningPlace>& place,
      const corpus::VersionProbe* next) {
    auto exchange = anew(probe.message, probe, next);
    const bool is_refused = exchange && place && !exchange->replies.empty() &&
                            is_refused_for_its_params(exchange->replies.front().text());
    if (!is_refused) return exchange;
    const auto folder = transport::EmptyFolder::make(guardian_);
    if (!folder) return exchange;
    exchange = anew(session::with_folder(probe.message, *place, (*folder)->uri()), probe);
    former_.reset();  // the folder goes
    return exchange;
  }

  // What is said once the server no longer says that it still starts, or all that one says which
  // does so for longer than anybody waits.
  Result<dialogue::Exchange> once_started(const corpus::VersionProbe& probe,
                                          const std::vector<corpus::Condition>& not_yet,
                                          Result<dialogue::Exchange> exchange) {
    constexpr milliseconds kBetweenCalls{50};
    const auto deadline = Deadline::in(patience_.for_start());
    while (exchange && meets(*exchange, not_yet) && !deadline.passed() && !is_interrupted()) {
      transport::wait_until(Deadline::earlier(deadline, Deadline::in(kBetweenCalls)));
      exchange = anew(probe.message, probe);
    }
    return exchange;
  }

  // A server that says the same whatever it is asked, or echoes what it is told, says nothing.
  bool is_said_of_anything(const corpus::VersionProbe& probe) {
    return says_something(ask_of_nobodys_method(probe), probe);
  }

  // What a server answers that knows the call, for it knows no method that nobody has, and does not
  // take it as it is.
  std::string refusal_of_what_it_knows(const corpus::VersionProbe& probe,
                                       const dialogue::Exchange& exchange) {
    if (exchange.replies.empty()) return {};
    std::string answer = exchange.replies.front().text();
    if (!is_refused_for_its_params(answer)) return {};
    const auto of_nobody = ask_of_nobodys_method(probe);
    const bool is_known =
        !of_nobody.replies.empty() && says_method_is_unknown(of_nobody.replies.front());
    return is_known ? std::move(answer) : std::string();
  }

 private:
  static constexpr long long kAnyId = 3'100'000;  // far from that of the probes

  // With the same params; nothing where the server is not reached.
  dialogue::Exchange ask_of_nobodys_method(const corpus::VersionProbe& probe) {
    const std::string call = with_id(probe.message, kAnyId, kNobodysMethod);
    if (former_) return ask_again(call, probe);
    auto exchange = anew(call, probe);
    return exchange ? *std::move(exchange) : dialogue::Exchange();
  }

  // Ids are used once.
  dialogue::Exchange ask_again(const std::string& message, const corpus::VersionProbe& probe) {
    dialogue::Transcript aside;
    return former_->exchange(step_of(with_id(message, kAnyId + ++asked_), probe), aside);
  }

  static corpus::Step step_of(const std::string& message, const corpus::VersionProbe& probe) {
    corpus::Step step = corpus::step_sending(message);
    for (const auto& [name, value] : probe.fields) step.http.headers.emplace_back(name, value);
    return step;
  }

  Endpoint& endpoint_;
  session::Patience& patience_;
  transport::Guardian& guardian_;
  std::unique_ptr<session::Conversation> former_;  // with the one that has answered the last call
  std::string to_next_;                            // what it has answered to the next one
  long long asked_ = 0;
};

// The version that a probe asks for; empty where it asks for none.
std::string version_asked(const corpus::Profile& profile, const corpus::VersionProbe& probe) {
  for (auto each = profile.versions.rbegin(); each != profile.versions.rend(); ++each) {
    if (probe.message.find('"' + *each + '"') != std::string::npos) return *each;
  }
  return {};
}

// The same in another version.
corpus::VersionProbe in_version(const std::string& version, const std::string& asked,
                                corpus::VersionProbe probe) {
  probe.message.replace(probe.message.find('"' + asked + '"') + 1, asked.size(), version);
  return probe;
}

// Who does not have the version asked for should offer its newest (MCP basic/lifecycle § Version
// Negotiation), and some offer an older one: the newest version between these that is agreed to.
std::string version_passed_over(const corpus::Profile& profile, const corpus::VersionProbe& probe,
                                const std::string& offered, Prober& prober) {
  const std::string asked = version_asked(profile, probe);
  const auto begin = std::find(profile.versions.rbegin(), profile.versions.rend(), asked);
  const bool is_newer = std::find(profile.versions.rbegin(), begin, offered) != begin;
  const auto end = std::find(begin, profile.versions.rend(), offered);
  if (begin == profile.versions.rend() || begin == end || is_newer) return {};
  for (auto each = std::next(begin); each != end; ++each) {
    const auto answered = prober.anew(in_version(*each, asked, probe).message, probe);
    if (answered && contains(versions_named(*answered, probe), *each)) return *each;
  }
  return {};
}

// The Response by which who has a handshake refuses the version that it asks for; empty: none does.
// What a head of its own goes with is no handshake.
std::string refusal_of_handshake(const corpus::Profile& profile, const corpus::VersionProbe& probe,
                                 const dialogue::Exchange& exchange) {
  const bool is_handshake =
      !probe.versions_at.empty() && probe.fields.empty() && !version_asked(profile, probe).empty();
  if (!is_handshake || exchange.replies.empty()) return {};
  const auto& reply = exchange.replies.front();
  const bool is_refusal =
      reply.find("jsonrpc") != nullptr && is_refused_for_its_params(reply.text());
  return is_refusal ? reply.text() : std::string();
}

enum class VersionOf { anybody, one_that_speaks_it };

// Others refuse it, and say nothing of those that they have: what is named where an older one is
// asked for.
std::vector<std::string> versions_behind_refusal(const corpus::Profile& profile,
                                                 const corpus::VersionProbe& probe, Prober& prober,
                                                 VersionOf whose) {
  const std::string asked = version_asked(profile, probe);
  auto each = std::find(profile.versions.rbegin(), profile.versions.rend(), asked);
  while (each != profile.versions.rend() && ++each != profile.versions.rend()) {
    const auto older = in_version(*each, asked, probe);
    Result<dialogue::Exchange> answered = dialogue::Exchange();
    if (auto same = prober.again(older)) {
      answered = *std::move(same);
    } else {
      answered = prober.anew(older.message, older);
    }
    auto named = answered ? versions_named(*answered, older) : std::vector<std::string>();
    if (named.empty()) continue;
    const bool is_believed =
        whose == VersionOf::one_that_speaks_it || !prober.is_said_of_anything(older);
    return is_believed ? std::move(named) : std::vector<std::string>();
  }
  return {};
}

Result<FoundVersion> ask_for_version(const corpus::Profile& profile, Prober& prober,
                                     VersionOf whose) {
  FoundVersion found;
  bool has_served = false;
  for (std::size_t i = 0; i < profile.detection.size(); ++i) {
    const auto& probe = profile.detection[i];
    if (is_interrupted()) break;
    if (probe.where_named && whose == VersionOf::anybody) continue;
    const auto* next = i + 1 < profile.detection.size() ? &profile.detection[i + 1] : nullptr;
    Result<dialogue::Exchange> exchange = dialogue::Exchange();
    if (auto same = prober.again(probe)) {
      exchange = *std::move(same);
    } else {
      exchange = prober.with_folder_where_needed(probe, profile.empty_folder, next);
      exchange = prober.once_started(probe, profile.not_yet, std::move(exchange));
    }
    if (!exchange) return exchange.error();
    if (whose == VersionOf::anybody && says_something(*exchange, probe) &&
        prober.is_said_of_anything(probe)) {
      continue;
    }
    const bool is_handshake = !profile.opening.empty() && i + 1 == profile.detection.size();
    if (whose == VersionOf::anybody && is_handshake) {
      found.refusal = prober.refusal_of_what_it_knows(probe, *exchange);
    }
    auto named = versions_named(*exchange, probe);
    const bool is_shown = shows(*exchange, probe);
    if (is_shown && !probe.version.empty()) named.push_back(probe.version);
    found.is_spoken = found.is_spoken || is_shown;
    const std::string refusal =
        named.empty() ? refusal_of_handshake(profile, probe, *exchange) : std::string();
    if (!refusal.empty()) named = versions_behind_refusal(profile, probe, prober, whose);
    found.version = newest_of(profile, named);
    // A list of several, or what a head of its own goes with, is no offer.
    const bool is_offer = refusal.empty() && named.size() == 1 && probe.fields.empty();
    const std::string newer =
        is_offer ? version_passed_over(profile, probe, named.front(), prober) : std::string();
    if (!newer.empty()) {
      found.version = newer;
      found.note = "Asked for a version that it does not have the server offers " + named.front() +
                   ", though it speaks " + newer + ".";
    }
    if (!found.version.empty() && !refusal.empty()) {
      found.note =
          "Asked for a version that it does not have the server offers none, though it speaks " +
          found.version + ".";
    }
    if (!found.version.empty()) return found;
    // Who has served a call of a newer version than any with a handshake is of that.
    const bool is_its_own = whose == VersionOf::one_that_speaks_it;
    if (is_its_own && named.empty() && !has_served) found.refusal = refusal;
    has_served = has_served || serves(*exchange);
    if (!named.empty()) {
      found.note = "The server names a version that jrpcheck does not know: " + named.front() + ".";
    }
  }
  return found;
}

// What to do about a server that refuses the handshake of a protocol.
std::string hint_at(const corpus::Profile& profile, const std::string& refusal) {
  constexpr std::size_t kMostShown = 300;
  return fmt::format(
      "The server knows the call by which {} begins, and refuses it: {}. If it speaks that "
      "protocol, "
      "--profile {} --opening FILE judges it so, where FILE has the messages of a handshake that "
      "it "
      "takes; here it is judged by JSON-RPC alone.",
      profile.title, to_visible(refusal, kMostShown), profile.name);
}

}  // namespace

// A framing that no protocol has made its own is spoken by its protocols on standard output alone
// (MCP basic/transports).
bool is_looked_for_on(const wire::Binding& binding, const corpus::Profile& profile) {
  const bool is_a_way_of_its_own = !binding.on_sockets || !binding.requirement_class.empty();
  const auto& names = profile.spoken_on;
  return is_a_way_of_its_own && contains(names, binding.name);
}

SpokenProtocol protocol_spoken(const corpus::Profile& profile, Endpoint& endpoint,
                               session::Patience& patience, transport::Guardian& guardian) {
  const bool may_be_it = !profile.detection.empty() && profile.version.empty() &&
                         is_looked_for_on(endpoint.binding(), profile);
  if (!may_be_it) return {};
  Prober prober(endpoint, patience, guardian);
  const auto found = ask_for_version(profile, prober, VersionOf::anybody);
  if (!found) return {};
  if (!found->version.empty()) return {profile.family + "-" + found->version};
  if (found->is_spoken) return {profile.family};
  return {{}, found->refusal.empty() ? std::string() : hint_at(profile, found->refusal)};
}

namespace {

// A server that keeps silent, or ends, before its handshake is met with that: the last probe of its
// protocol, which has no newer one behind it.
std::multimap<std::string, std::string, std::less<>> greetings_of_protocols() {
  std::multimap<std::string, std::string, std::less<>> greetings;
  for (const auto& profile : corpus::embedded_profiles()) {
    if (profile.detection.empty() || !profile.version.empty() || profile.opening.empty()) continue;
    for (const auto& binding : profile.spoken_on) {
      greetings.emplace(binding, profile.detection.back().message);
    }
  }
  return greetings;
}

}  // namespace

Recognition recognise_protocol(const Options& options, transport::Guardian& guardian) {
  // A plain server answers at once that it has no such method; who does not is not waited for.
  constexpr milliseconds kForRecognition{3000};
  Options quick = options;
  quick.timeout = std::min<microseconds>(quick.timeout, kForRecognition);
  // A server that is run by somebody else is given as long as anybody gives it.
  if (options.target) quick.start_timeout = options.start_bound();
  quick.greetings = greetings_of_protocols();
  const auto begin = Clock::now();
  session::Patience patience(quick.timeout, quick.start_bound());
  const auto endpoint = make_endpoint(quick, patience, guardian);
  if (auto reached = endpoint->reach(); !reached) {
    return {{}, reached.error().message, endpoint->ending()};
  }
  const auto waited = time_since(begin);
  if (patience.has_waited_in_vain() || waited >= quick.start_bound()) return {.waited = waited};
  patience.note_first_answer();
  std::string hint;
  for (const auto& profile : corpus::embedded_profiles()) {
    quick.http_habits = profile.http;
    auto spoken = protocol_spoken(profile, *endpoint, patience, guardian);
    if (!spoken.profile.empty()) return {std::move(spoken.profile), {}};
    if (hint.empty()) hint = std::move(spoken.hint);
  }
  return {.first_calls = endpoint->first_calls(), .hint = std::move(hint)};
}

Result<FoundVersion> find_version(const corpus::Profile& profile, const Options& options,
                                  transport::Guardian& guardian) {
  Options bare = options;
  bare.opening = {};
  session::Patience patience(options.timeout, options.start_bound());
  const auto endpoint = make_endpoint(bare, patience, guardian);
  endpoint->use_control_call(control_call_of(profile));
  if (auto reached = endpoint->reach(); !reached) return reached.error();
  Prober prober(*endpoint, patience, guardian);
  return ask_for_version(profile, prober, VersionOf::one_that_speaks_it);
}

}  // namespace jrpcheck::run
