#include "run/prober.hpp"

#include <algorithm>

#include "corpus/catalogue.hpp"
#include "dialogue/exchanges_of.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "run/control_call.hpp"
#include "run/empty_folder.hpp"
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

// Whether an answer meets all of the conditions, and there are some.
bool meets(const dialogue::Exchange& exchange, const std::vector<corpus::Condition>& conditions) {
  if (conditions.empty()) return false;
  return std::any_of(exchange.replies.begin(), exchange.replies.end(), [&](const auto& reply) {
    return reply.value() != nullptr && corpus::meets_all(*reply.value(), conditions);
  });
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

constexpr long long kAnyId = 3'100'000;  // far from that of the probes

corpus::Step step_of(const std::string& message, const corpus::VersionProbe& probe) {
  corpus::Step step = corpus::step_sending(message);
  for (const auto& [name, value] : probe.fields) step.http.headers.emplace_back(name, value);
  return step;
}

// A refusal is HTTP's own, and an event stream holds more than answers.
bool is_let_in(const dialogue::Reply& reply) {
  const bool is_success =
      reply.http_status == 0 || (reply.http_status >= 200 && reply.http_status < 300);
  return is_success && !reply.is_event;
}

}  // namespace

std::vector<dialogue::Event> silence_in(const dialogue::Exchange& exchange,
                                        const dialogue::Transcript& transcript) {
  auto events = transcript.whole();
  events.push_back(dialogue::end_of(exchange));
  events.back().at = transcript.duration();
  return events;
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

bool shows(const dialogue::Exchange& exchange, const corpus::VersionProbe& probe) {
  return meets(exchange, probe.shows);
}

bool says_something(const dialogue::Exchange& exchange, const corpus::VersionProbe& probe) {
  return shows(exchange, probe) || !versions_named(exchange, probe).empty();
}

Result<dialogue::Exchange> Prober::anew(const std::string& message,
                                        const corpus::VersionProbe& probe,
                                        const corpus::VersionProbe* next) {
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
  keep(message, exchange, aside);
  to_next_ = exchange.control_answer;
  const bool is_settled = exchange.ending == dialogue::Ending::settled;
  const bool goes_on = (is_settled && !exchange.replies.empty()) || exchange.control_answered;
  if (goes_on && has_its_own) former_ = std::move(conversation);
  return exchange;
}

void Prober::keep(const std::string& call, const dialogue::Exchange& exchange,
                  const dialogue::Transcript& transcript) {
  left_out_.clear();
  has_heard_ = has_heard_ || !exchange.replies.empty();
  std::vector<std::string> came;
  for (const auto& reply : exchange.replies) {
    if (is_let_in(reply)) came.push_back(reply.text());
  }
  for (auto& each : paired_up({call}, came)) first_calls_.push_back(std::move(each));
  if (!exchange.replies.empty() || !exchange.noise.empty()) return;
  const bool has_ended =
      exchange.ending == dialogue::Ending::exited || exchange.ending == dialogue::Ending::closed;
  if (has_ended) ended_by_ = call;
  if (is_answered_by_nothing(call, exchange)) {
    first_calls_.push_back({call, {}, silence_in(exchange, transcript)});
  } else if (exchange.ending == dialogue::Ending::timed_out &&
             (exchange.control_answered || has_heard_)) {
    left_out_ = call;
  }
}

std::optional<dialogue::Exchange> Prober::again(const corpus::VersionProbe& probe) {
  if (!former_) return std::nullopt;
  dialogue::Exchange exchange;
  if (!to_next_.empty()) exchange.replies.push_back({dialogue::Message(to_next_), 0});
  if (says_something(exchange, probe)) return exchange;
  exchange = ask_again(probe.message, probe);
  return says_something(exchange, probe) ? std::optional(std::move(exchange)) : std::nullopt;
}

Result<dialogue::Exchange> Prober::with_folder_where_needed(
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

Result<dialogue::Exchange> Prober::once_started(const corpus::VersionProbe& probe,
                                                const std::vector<corpus::Condition>& not_yet,
                                                Result<dialogue::Exchange> exchange) {
  constexpr milliseconds kBetweenCalls{50};
  const auto deadline = Deadline::in(patience_.for_start());
  while (exchange && meets(*exchange, not_yet) && !deadline.passed()) {
    transport::wait_until(Deadline::earlier(deadline, Deadline::in(kBetweenCalls)));
    exchange = anew(probe.message, probe);
  }
  return exchange;
}

bool Prober::is_said_of_anything(const corpus::VersionProbe& probe) {
  return says_something(ask_of_nobodys_method(probe), probe);
}

std::string Prober::refusal_of_what_it_knows(const corpus::VersionProbe& probe,
                                             const dialogue::Exchange& exchange) {
  if (exchange.replies.empty()) return {};
  std::string answer = exchange.replies.front().text();
  if (!is_refused_for_its_params(answer)) return {};
  return tells_methods_apart(probe) ? std::move(answer) : std::string();
}

bool Prober::tells_methods_apart(const corpus::VersionProbe& probe) {
  const auto of_nobody = ask_of_nobodys_method(probe);
  return !of_nobody.replies.empty() && says_method_is_unknown(of_nobody.replies.front());
}

dialogue::Exchange Prober::ask_of_nobodys_method(const corpus::VersionProbe& probe) {
  const std::string call = with_id(probe.message, kAnyId, kNobodysMethod);
  if (former_) return ask_again(call, probe);
  auto exchange = anew(call, probe);
  return exchange ? *std::move(exchange) : dialogue::Exchange();
}

dialogue::Exchange Prober::ask_again(const std::string& message,
                                     const corpus::VersionProbe& probe) {
  dialogue::Transcript aside;
  return former_->exchange(step_of(with_id(message, kAnyId + ++asked_), probe), aside);
}

}  // namespace jrpcheck::run
