#include "watch/observer.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "base/number_of.hpp"
#include "traffic/capture.hpp"

namespace jrpcheck::watch {

using dialogue::Side;
using dialogue::TrafficEvent;

namespace {

// Those that come back with each request are kept once.
constexpr std::size_t kMostSecrets = 1000;
constexpr std::size_t kToldOfLosses = 3;
constexpr std::size_t kMostAliases = 10'000;

}  // namespace

Observer::Observer(const corpus::Corpus& corpus, ObserverOptions options)
    : options_(std::move(options)), account_(corpus, options_.origin), endpoints_(options_.path) {}

traffic::Tap& Observer::tap_of(std::uint32_t connection) {
  auto& tapped = taps_[connection];
  if (tapped.tap) return *tapped.tap;
  traffic::TapSink sink;
  sink.traffic = [this](const TrafficEvent& event) { tell(event); };
  sink.head = [this](const traffic::HttpHead& head) { tell(head); };
  sink.framing = [this](const wire::Binding& binding, std::size_t number) {
    account_.use(binding, number);
    record_framing(binding, number);
  };
  sink.secret = [this](result::Secret secret) {
    auto& known = options_.secrets;
    if (!contains(known, secret) && known.size() < kMostSecrets) known.push_back(std::move(secret));
  };
  tapped.tap = options_.is_http ? traffic::make_http_tap(connection, std::move(sink), &endpoints_)
                                : traffic::make_stream_tap(options_.framing, options_.on_sockets,
                                                           connection, std::move(sink));
  return *tapped.tap;
}

void Observer::take(const JournalEntry& entry) {
  const auto found = taps_.find(entry.connection);
  const bool is_lost = found != taps_.end() && found->second.is_lost;
  switch (entry.kind) {
    case JournalEntry::Kind::bytes:
      if (!is_lost) tap_of(entry.connection).feed(entry.side, entry.bytes, entry.at);
      break;
    case JournalEntry::Kind::closed:
      if (!is_lost) tap_of(entry.connection).close(entry.side, entry.at, entry.bytes);
      break;
    case JournalEntry::Kind::lost:
      lose(entry);
      break;
    case JournalEntry::Kind::over:
      print(account_.forget(entry.connection));
      taps_.erase(entry.connection);
      break;
  }
}

void Observer::lose(const JournalEntry& entry) {
  account_.lose_sessions();
  record(traffic::capture_line(
      TrafficEvent{TrafficEvent::Kind::lost, entry.side, entry.at, entry.connection}));
  if (entry.connection == kUnseenConnections) {
    lost_ += std::strtoul(entry.bytes.c_str(), nullptr, 10);
    return;
  }
  auto& tapped = taps_[entry.connection];
  if (std::exchange(tapped.is_lost, true)) return;
  if (tapped.tap) tapped.tap->lose(entry.at);
  if (++lost_ <= kToldOfLosses) {
    options_.print(fmt::format("{}  connection {} is not judged from here on: the judge was behind",
                               clock_text(entry.at), entry.connection));
  }
}

void Observer::cut_off() { is_cut_off_ = true; }

// What the journal has lost is told elsewhere, and what is cut off was read as far as it goes.
void Observer::note_unread(const TrafficEvent& event) {
  if (event.kind != TrafficEvent::Kind::lost || !event.note.empty()) return;
  const auto found = taps_.find(static_cast<std::uint32_t>(event.connection));
  if (found == taps_.end() || found->second.is_lost) return;
  if (!std::exchange(found->second.is_unread, true)) ++unread_;
}

void Observer::tell(const TrafficEvent& event) {
  note_unread(event);
  if (options_.record) record(traffic::capture_line(hidden(event)));
  print(account_.take(event));
}

void Observer::tell(const traffic::HttpHead& head) {
  if (options_.record) record(traffic::capture_line(hidden(head)));
  print(account_.take_head(head));
}

// The head names the framing, which is known once something has passed.
void Observer::record(const std::string& line) {
  if (!options_.record) return;
  if (!std::exchange(is_recording_, true)) {
    options_.record(traffic::capture_head(options_.origin.binding->name, options_.origin.transport,
                                          hidden(options_.origin.target)));
  }
  options_.record(line);
}

void Observer::record_framing(const wire::Binding& binding, std::size_t connection) {
  if (!is_recording_) {
    options_.origin.binding = &binding;
    return record({});
  }
  const bool is_as_the_head_says = binding.name == options_.origin.binding->name;
  is_mixed_ = is_mixed_ || !is_as_the_head_says;
  if (is_mixed_) record(traffic::capture_framing(binding.name, connection));
}

void Observer::print(const std::vector<judge::TrafficFinding>& findings) const {
  for (const auto& finding : findings) {
    const auto line = traffic::finding_line(finding, clock_text(finding.at));
    options_.print(hidden(line));
  }
}

std::string Observer::hidden(const std::string& text) const {
  return result::redacted(text, options_.secrets);
}

TrafficEvent Observer::hidden(TrafficEvent event) const {
  event.message = hidden(event.message.text());
  event.note = hidden(event.note);
  event.content_type = hidden(event.content_type);
  return event;
}

// The fields that rules look at, and no secret: a session has another name in a recording.
traffic::HttpHead Observer::hidden(const traffic::HttpHead& head) {
  traffic::HttpHead kept = head;
  kept.target = hidden(head.target);
  std::erase_if(kept.fields, [](const auto& each) { return !traffic::is_recorded(each.first); });
  for (auto& [name, value] : kept.fields) {
    value = same_ignoring_case(name, "Mcp-Session-Id") ? alias_of(value) : hidden(value);
  }
  return kept;
}

std::string Observer::alias_of(const std::string& session_id) {
  // Who has forgotten a name gives another, and nothing is said of that session any more.
  if (aliases_.size() >= kMostAliases) aliases_.clear();
  const auto [place, is_new] = aliases_.try_emplace(session_id);
  if (is_new) place->second = fmt::format("session-{}", ++sessions_named_);
  return place->second;
}

void Observer::end() {
  print(account_.end());
  if (!is_recording_) record({});
}

std::string Observer::summary() const {
  auto text = hidden(account_.summary());
  if (endpoints_.others() > 0) {
    text += fmt::format("not JSON-RPC, and not judged: {} to other paths\n",
                        number_of(endpoints_.others(), "POST"));
  }
  if (unread_ > 0) {
    text += fmt::format(
        "passed on, and not judged: what cannot be read on {} (compressed, broken, or another "
        "protocol)\n",
        number_of(unread_, "connection"));
  }
  if (lost_ > 0) {
    text += fmt::format(
        "not all of it was seen: the judge was behind, and the traffic did not wait for it; "
        "{} connection{} left unjudged from there on\n",
        lost_, lost_ == 1 ? " was" : "s were");
  }
  if (is_cut_off_) text += "the end of it was not seen: what carries the traffic has ended early\n";
  return text;
}

result::RedactedRun Observer::run() const {
  auto run = account_.run();
  run.tool_version = options_.tool_version;
  run.notes.push_back(summary());
  return {std::move(run), options_.secrets};
}

std::string Observer::clock_text(microseconds at) const {
  const auto moment = begin_ + at;
  const auto millis = std::chrono::duration_cast<milliseconds>(moment.time_since_epoch()).count();
  return fmt::format("{:%H:%M:%S}.{:03}",
                     fmt::localtime(std::chrono::system_clock::to_time_t(moment)), millis % 1000);
}

}  // namespace jrpcheck::watch
