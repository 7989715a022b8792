#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/duration_text.hpp"
#include "base/join.hpp"
#include "client/dialogue_judge.hpp"

namespace jrpcheck::client {

using result::CaseResult;

bool holds_finding(const std::vector<judge::Finding>& known, const judge::Finding& one) {
  return std::ranges::any_of(known, [&](const auto& each) {
    return each.requirement == one.requirement && each.particulars == one.particulars;
  });
}

CaseResult seen_twice(const CaseResult& first, CaseResult again) {
  std::set<std::string> charged;
  std::set<std::string> seen_once;
  const auto found = std::exchange(again.findings, {});
  for (const auto& each : found) {
    if (holds_finding(first.findings, each)) {
      charged.insert(each.requirement);
      again.findings.push_back(each);
    } else {
      seen_once.insert(each.requirement);
    }
  }
  for (const auto& each : first.findings) {
    if (!holds_finding(found, each)) seen_once.insert(each.requirement);
  }
  std::erase_if(seen_once, [&](const auto& each) { return charged.contains(each); });
  std::erase_if(again.exercised, [&](const auto& each) { return seen_once.contains(each); });
  if (!seen_once.empty()) {
    again.reason = "a breach of " + joined(seen_once) + " was seen in one of two runs alone";
  }
  conclude_dialogue(again);
  return again;
}

namespace {

std::string manner_of_end(const ClientEnd& end) {
  return end.status ? end.status->text() : "did not end by itself";
}

}  // namespace

std::string difference_between(const DialogueTrial& first, const DialogueTrial& second) {
  const auto& once = first.notes.methods;
  const auto& again = second.notes.methods;
  const bool had_to_be_ended = !first.end.status;
  if (once == again) {
    const auto ends = manner_of_end(first.end);
    const auto then_ends = manner_of_end(second.end);
    if (had_to_be_ended || ends == then_ends) return {};
    return "the client makes the same calls each time, and " + ends + " in one run, but " +
           then_ends + " in another";
  }
  const auto differ = std::ranges::mismatch(once, again);
  const auto place = differ.in1 - once.begin() + 1;
  const auto named = [](const auto& methods, auto at) {
    return at == methods.end() ? std::string("missing") : to_visible(*at, 100);
  };
  std::string text = "the client does not make the same calls each time: the message at place " +
                     std::to_string(place) + " is " + named(once, differ.in1) +
                     " in one run, and " + named(again, differ.in2) + " in another";
  if (had_to_be_ended && second.end.status) {
    text += "; it was silent for longer than --client-timeout in the one, and was ended";
  }
  return text;
}

std::vector<dialogue::Event> session_of(const std::vector<dialogue::TrafficEvent>& traffic) {
  constexpr std::size_t kMostShown = 100;  // the end, which is told of most often
  std::map<std::string, microseconds> asked;
  std::vector<dialogue::Event> events;
  for (const auto& each : traffic) {
    if (each.kind != dialogue::TrafficEvent::Kind::message || each.message.text().empty()) continue;
    const json::Value* value = each.message.value();
    const json::Value* id = value == nullptr ? nullptr : value->find("id");
    const bool is_call = value != nullptr && value->find("method") != nullptr;
    const bool is_of_client = each.side == dialogue::Side::client;
    auto excerpt = dialogue::excerpt(each.message.text());
    auto& event = events.emplace_back(
        dialogue::Event{is_of_client ? dialogue::Direction::received : dialogue::Direction::sent,
                        each.at, std::move(excerpt.bytes)});
    event.left_out = excerpt.left_out;
    event.step = 0;
    if (is_of_client && is_call && id != nullptr) asked[json::write(*id)] = each.at;
    if (is_of_client || is_call) continue;
    event.note = "answers";
    const auto call = id == nullptr ? asked.end() : asked.find(json::write(*id));
    if (call != asked.end()) event.note += " after " + duration_text(each.at - call->second);
  }
  const auto left_out = events.size() - std::min(events.size(), kMostShown);
  events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(left_out));
  return events;
}

void conclude_dialogue(CaseResult& result) {
  const bool is_shown = contains(result.exercised, result.requirements.front());
  result.verdict = !result.findings.empty() || is_shown ? result::worst_of(result.findings)
                                                        : result::Verdict::not_exercised;
}

}  // namespace jrpcheck::client
