#include "run/framing_discovery.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "dialogue/message.hpp"
#include "run/framing_candidate.hpp"

namespace jrpcheck::run {
namespace {

using wire::Binding;

// Most programs have come up and answered by then.
constexpr milliseconds kBeforeOthers{5000};

using Candidates = std::vector<std::unique_ptr<FramingCandidate>>;

// What has been heard in each framing, by connection.
using HeardAnswers = std::multimap<const Binding*, std::vector<std::string>>;

void note_answers(const Candidates& candidates, HeardAnswers& heard) {
  for (const auto& each : candidates) heard.emplace(each->binding(), each->answers());
}

// Who reads JSON values one behind the other reads lines as well: where another framing is heard
// first, those that tell more have so long to be heard.
constexpr milliseconds kForTellingMore{50};

// Behind the first answer on a connection, for those to the other calls.
constexpr milliseconds kForOtherAnswers{50};

// Most servers that serve several connections at once have answered by then; with the others who
// says nothing is known within five seconds.
constexpr milliseconds kTogether{1500};
constexpr milliseconds kAlone{600};
constexpr milliseconds kHalfClosed{1000};

// A line that has not ended by then may be one that never ends.
constexpr milliseconds kForLineFeed{500};

// In whose framing the call has been read, where nothing is heard and that is so in one alone.
const FramingCandidate* sole_reader(const Candidates& candidates) {
  const FramingCandidate* sole = nullptr;
  for (const auto& each : candidates) {
    if (!each->has_been_read()) continue;
    if (sole != nullptr && sole->binding() != each->binding()) return nullptr;
    sole = each.get();
  }
  return sole;
}

// The framings that are tried. On sockets those that tell more come first: lines are read by many.
std::vector<const Binding*> tried_with(const transport::Peer& peer) {
  std::vector<const Binding*> tried;
  for (const Binding& row : wire::bindings()) {
    const Binding& binding = peer.is_shared() ? wire::on_sockets(row) : row;
    if (binding.tried_unasked) tried.push_back(&binding);
  }
  if (peer.is_shared()) std::ranges::reverse(tried);
  return tried;
}

// Says the same in each framing that is tried, behind each greeting that there is in it. Who reads
// lines takes a head for one, and answers that it is no call: a call should be answered first.
Result<bool> speak(transport::Peer& peer, const std::vector<std::string>& messages,
                   Deadline deadline, Candidates& candidates, const Greetings& greetings = {}) {
  const std::size_t known = candidates.size();
  for (const Binding* binding : tried_with(peer)) {
    auto [greeting, end] = greetings.equal_range(binding->name);
    do {
      auto connection = peer.connect(deadline);
      if (!connection) return connection.error();
      candidates.push_back(std::make_unique<FramingCandidate>(*binding, *std::move(connection)));
      if (greeting != end) candidates.back()->speak({(greeting++)->second}, deadline);
    } while (greeting != end);
  }
  for (const bool with_head : {false, true}) {
    for (std::size_t i = known; i < candidates.size(); ++i) {
      const bool has_spoken = !candidates[i]->binding()->has_heads();
      if (with_head && has_spoken && peer.is_shared()) candidates[i]->wait(Deadline::in(kTurn));
    }
    for (std::size_t i = known; i < candidates.size(); ++i) {
      if (candidates[i]->binding()->has_heads() == with_head)
        candidates[i]->speak(messages, deadline);
    }
  }
  return true;
}

// Some servers answer no call without params: any answer tells the framing.
std::vector<std::string> calls_behind(const session::Opening& opening,
                                      const session::ControlCall& call) {
  std::vector<std::string> messages = opening.messages;
  long long id = 1;
  for (const char* params : {"", "[]", "{}"}) {
    messages.push_back(session::ControlCall{call.method, params, call.dialect}.text(id++));
  }
  return messages;
}

// Nobody answers the notifications of an opening.
std::size_t calls_among(const std::vector<std::string>& messages) {
  return static_cast<std::size_t>(std::ranges::count_if(
      messages, [](const dialogue::Message& each) { return each.find("id") != nullptr; }));
}

// The first of them that answers, or else where most is told by what is said unasked; null when
// nothing is heard by the deadline.
const Binding* first_heard(Candidates& candidates, Deadline deadline) {
  const Binding* heard = nullptr;
  const Binding* greeted = nullptr;
  std::size_t end = candidates.size();
  while (!deadline.passed() && end > 0) {
    bool all_ended = true;
    for (std::size_t i = 0; i < end; ++i) {
      const Binding* binding = candidates[i]->binding();
      const auto what = candidates[i]->listen(Deadline::earlier(deadline, Deadline::in(kTurn)));
      if (what == FramingCandidate::Heard::unasked &&
          (greeted == nullptr || greeted->structures_only)) {
        greeted = binding;
      }
      if (what == FramingCandidate::Heard::answer) {
        heard = binding;
        deadline = Deadline::earlier(deadline, Deadline::in(kForTellingMore));
        end = i;
      } else {
        all_ended = all_ended && candidates[i]->ended();
      }
    }
    if (all_ended) break;
  }
  return heard != nullptr ? heard : greeted;
}

// All connections side by side. Null when nothing is heard on any.
Result<const Binding*> hear_together(transport::Peer& peer,
                                     const std::vector<std::string>& messages, bool half_closes,
                                     microseconds timeout, HeardAnswers& answers) {
  const Deadline deadline = Deadline::in(timeout);
  Candidates together;
  if (auto ok = speak(peer, messages, deadline, together); !ok) return ok.error();
  if (half_closes) {
    for (auto& each : together) each->close_write();
  }
  const Binding* heard = first_heard(together, deadline);
  const FramingCandidate* reader =
      heard == nullptr && !half_closes ? sole_reader(together) : nullptr;
  if (reader != nullptr) heard = reader->binding();
  for (auto& each : together) {
    if (each->binding() == heard || half_closes)
      each->listen_for(calls_among(messages), Deadline::in(kForOtherAnswers));
  }
  note_answers(together, answers);
  return heard;
}

// Who closes further connections while one is open may not have noticed that it is closed.
constexpr milliseconds kUntilLeft{100};

// A call on a connection of its own, made once more where that is closed and nothing has come.
Result<std::unique_ptr<FramingCandidate>> speak_alone(transport::Peer& peer, const Binding& binding,
                                                      const std::vector<std::string>& messages,
                                                      microseconds timeout, const Binding*& heard) {
  for (bool is_first = true;; is_first = false) {
    const Deadline deadline = Deadline::in(timeout);
    auto connection = peer.connect(deadline);
    if (!connection) return connection.error();
    Candidates alone;
    alone.push_back(std::make_unique<FramingCandidate>(binding, *std::move(connection)));
    alone.front()->speak(messages, deadline);
    heard = first_heard(alone, deadline);
    const auto& one = *alone.front();
    const bool is_closed_at_once = one.ended() && one.until_first_byte().count() == 0;
    if (!is_closed_at_once || !is_first) return std::move(alone.front());
    transport::wait_until(Deadline::in(kUntilLeft));
  }
}

// One connection after another. Null when nothing is heard on any; `all_ended` tells whether the
// server has closed each.
Result<const Binding*> hear_one_by_one(transport::Peer& peer,
                                       const std::vector<std::string>& messages,
                                       microseconds timeout, HeardAnswers& answers,
                                       bool& all_ended) {
  all_ended = true;
  for (const Binding* binding : tried_with(peer)) {
    const Binding* heard = nullptr;
    auto alone = speak_alone(peer, *binding, messages, timeout, heard);
    if (!alone) return alone.error();
    const auto& one = *alone;
    if (heard != nullptr) {
      one->listen_for(calls_among(messages), Deadline::in(kForOtherAnswers));
    }
    answers.emplace(one->binding(), one->answers());
    if (heard != nullptr) return heard;
    all_ended = all_ended && one->ended();
  }
  return static_cast<const Binding*>(nullptr);
}

}  // namespace

std::string ended_too_early(const std::string& name, const std::string& how,
                            const std::string& standard_error) {
  const std::string words =
      standard_error.empty() ? "" : "; its standard error:\n" + to_visible_lines(standard_error);
  return "'" + name + "' ended before it answered a call: it " + how + words;
}

Result<const wire::Binding*> discover_framing_on_sockets(
    transport::Peer& peer, const std::string& name, const session::Opening& opening,
    const session::ControlCall& call, microseconds timeout, FirstCalls& answered) {
  const auto messages = calls_behind(opening, call);
  HeardAnswers answers;
  const auto found = [&](const Binding* binding) {
    const auto [begin, end] = answers.equal_range(binding);
    for (auto each = begin; each != end; ++each) {
      const auto paired = paired_up(messages, each->second);
      answered.insert(answered.end(), paired.begin(), paired.end());
    }
    return binding;
  };
  auto heard =
      hear_together(peer, messages, false, std::min<microseconds>(timeout, kTogether), answers);
  if (!heard) return heard;
  if (*heard != nullptr) return found(*heard);
  const auto gone = [&](const Error& why) {
    return Error{why.message +
                 ", after messages in each framing that is known: one of them has ended '" + name +
                 "'. --framing names the right one, so that no other is tried: " +
                 wire::framing_names(", ")};
  };
  bool all_ended = false;
  heard =
      hear_one_by_one(peer, messages, std::min<microseconds>(timeout, kAlone), answers, all_ended);
  if (!heard) return gone(heard.error());
  if (*heard != nullptr) return found(*heard);
  if (all_ended) {
    return Error{"'" + name +
                 "' closes each connection before it answers a call, whether it comes as " +
                 wire::framing_names(", ")};
  }
  // Several at once are no message to who reads up to the end. And who reads lines may say of one
  // that does not end that it is none.
  const std::vector<std::string> one_call(
      messages.begin(), messages.begin() + static_cast<long>(opening.messages.size()) + 1);
  HeardAnswers at_the_end;
  heard =
      hear_together(peer, one_call, true, std::min<microseconds>(timeout, kHalfClosed), at_the_end);
  if (!heard) return gone(heard.error());
  const bool is_answered = std::ranges::any_of(at_the_end, [&](const auto& each) {
    return std::ranges::any_of(each.second, [&](const std::string& answer) {
      return is_answer_to(one_call.back(), answer);
    });
  });
  if (is_answered) {
    return Error{"'" + name +
                 "' answers nothing until its client closes the sending side of the "
                 "connection: it serves one call a connection, and no client that waits for an "
                 "answer before it closes"};
  }
  return static_cast<const Binding*>(nullptr);
}

Result<FoundFraming> discover_framing(transport::Peer& peer, const std::string& name,
                                      const session::Opening& opening, const Greetings& greetings,
                                      const session::ControlCall& call, Deadline deadline) {
  const std::vector<std::string> messages = calls_behind(opening, call);
  Candidates candidates;
  if (auto spoken = speak(peer, messages, deadline, candidates, greetings); !spoken) {
    return spoken.error();
  }
  // A server that takes its time with such calls may have an answer at once to what is no Request.
  std::vector<std::string> others = opening.messages;
  others.insert(others.end(), {R"({"jsonrpc":"2.0","id":4})", "[]"});
  Deadline patience = Deadline::in(kBeforeOthers);
  std::optional<Deadline> line_feed;
  while (!deadline.passed()) {
    // Who ends no message is understood by those who read values one behind the other.
    const auto unended = std::ranges::find_if(
        candidates, [](const auto& each) { return each->holds_unended_message(); });
    if (!line_feed && unended != candidates.end()) line_feed = Deadline::in(kForLineFeed);
    if (line_feed && line_feed->passed() && unended != candidates.end()) {
      // The program that is asked so comes up as this one did, and is heard before anything is said
      // of this one.
      const auto comes_up = 2 * (*unended)->until_first_byte() + kForOtherReaders;
      for (Deadline* each : {&deadline, &patience}) {
        if (each->remaining() < comes_up) *each = each->anew_in(comes_up);
      }
      line_feed = deadline;
      const Binding& concatenated = wire::first_that(&Binding::structures_only);
      auto connection = peer.connect(deadline);
      if (!connection) return connection.error();
      candidates.push_back(
          std::make_unique<FramingCandidate>(concatenated, *std::move(connection)));
      candidates.back()->speak(messages, deadline, true);
    }
    const FramingCandidate* reader = patience.passed() ? sole_reader(candidates) : nullptr;
    if (reader != nullptr) return FoundFraming{reader->binding(), reader->until_first_byte()};
    if (patience.passed() && !others.empty()) {
      const bool is_gone =
          std::ranges::all_of(candidates, [](const auto& each) { return each->ended(); });
      if (!is_gone) {
        auto spoken = speak(peer, others, deadline, candidates);
        if (!spoken) return spoken.error();
      }
      others.clear();
    }
    bool all_ended = true;
    for (auto& candidate : candidates) {
      const auto turn = Deadline::earlier(deadline, Deadline::in(kTurn));
      if (candidate->listen(turn) != FramingCandidate::Heard::nothing) {
        return FoundFraming{candidate->binding(), candidate->age()};
      }
      all_ended = all_ended && candidate->ended();
    }
    if (all_ended) {
      return Error{candidates.front()->obituary(name)};
    }
  }
  return FoundFraming{&wire::default_stream_binding(), {}};
}

}  // namespace jrpcheck::run
