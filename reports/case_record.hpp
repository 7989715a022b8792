// A case of a run as JSON, with its dialogue and findings: described once, for writing and reading.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "corpus/record.hpp"
#include "judge/judge.hpp"
#include "reports/evidence.hpp"
#include "result/run.hpp"

namespace jrpcheck::reports {

// What was received and is no reply has a member more.
inline bool is_aside(dialogue::Direction direction) {
  return direction == dialogue::Direction::aside || direction == dialogue::Direction::unasked ||
         direction == dialogue::Direction::violation || direction == dialogue::Direction::noise ||
         direction == dialogue::Direction::control;
}

inline void describe_direction(corpus::RecordWriter& record, dialogue::Direction direction) {
  record.choice("direction", is_aside(direction) ? dialogue::Direction::received : direction);
  if (is_aside(direction)) record.choice("as", direction);
}

inline void describe_direction(corpus::RecordReader& record, dialogue::Direction& direction) {
  record.choice("direction", direction);
  if (record.has("as")) record.choice("as", direction);
}

inline void describe_time(corpus::RecordWriter& record, microseconds at) {
  record.number("at-us", static_cast<unsigned long long>(at.count()));
}

inline void describe_time(corpus::RecordReader& record, microseconds& at) {
  std::size_t count = 0;
  record.number("at-us", count);
  at = microseconds(count);
}

inline void describe_left_out(corpus::RecordWriter& record, std::size_t left_out) {
  if (left_out > 0) record.number("left-out", left_out);
}

inline void describe_left_out(corpus::RecordReader& record, std::size_t& left_out) {
  record.newer_number("left-out", left_out);
}

void describe_head(auto& record, auto& head) {
  record.number("status", head.status);
  record.text("version", head.version);
  record.text("content-type", head.content_type);
  record.number("bytes", head.size);
  record.optional_flag("broken", head.is_broken);
  record.optional_flag("handshake", head.is_handshake);
  record.optional_number("stream", head.stream);
}

// What is usual is left out.
void describe_end(auto& record, auto& end) {
  record.choice("ending", end.ending);
  record.optional_flag("endless", end.endless);
  record.optional_flag("held-back", end.held_back);
  record.optional_flag("control-answered", end.control_answered);
  record.optional_flag("new-connection", end.on_new_connection);
  record.optional_text("lost-connection", end.lost_connection);
  record.optional_text("beyond-limit", end.beyond_limit);
  record.optional_flag("limited", end.limited);
  record.optional_text("not-asked", end.not_asked);
}

void describe_frame(auto& record, auto& frame) {
  record.choice("kind", frame.kind);
  record.number("code", frame.close_code);
}

void describe_event(auto& record, auto& event) {
  describe_direction(record, event.direction);
  describe_time(record, event.at);
  record.bytes(event.bytes);
  record.optional_number("step", event.step);
  record.optional_text("note", event.note);
  describe_left_out(record, event.left_out);
  record.optional_flag("control", event.is_control);
  record.optional_flag("several-lines", event.in_several_lines);
  record.optional_number("call", event.call);
  record.optional_flag("binary", event.is_binary);
  record.optional_object("frame", event.frame,
                         [](auto& each, auto& it) { describe_frame(each, it); });
  record.optional_object("http", event.http, [](auto& each, auto& it) { describe_head(each, it); });
  record.optional_object("end", event.end, [](auto& each, auto& it) { describe_end(each, it); });
  record.optional_choice("survival", event.survival);
  record.optional_flag("answers-next", event.answers_next);
  record.optional_flag("answered-meanwhile", event.answered_meanwhile);
  record.optional_flag("was-slow", event.was_slow);
  record.optional_choice("fact", event.fact);
}

void describe_place(auto& record, auto& place) {
  record.optional_number("element", place.element);
  record.optional_text("pointer", place.pointer);
}

inline void describe_symptom(corpus::RecordWriter& record, const judge::Finding& finding) {
  record.choice("symptom", finding.symptom);
  record.object("place", finding.place,
                [](auto& each, auto& place) { describe_place(each, place); });
  record.text("message", judge::sentence_of(finding));
  record.optional_text("particulars", finding.particulars);
}

// Runs of older versions have messages alone, and later ones may have symptoms unknown here.
inline void describe_symptom(corpus::RecordReader& record, judge::Finding& finding) {
  std::string name;
  record.optional_text("symptom", name);
  const auto symptom = judge::symptom_named(name);
  finding.symptom = symptom.value_or(judge::Symptom::untold);
  symptom ? record.optional_text("particulars", finding.particulars)
          : record.text("message", finding.particulars);
  if (!record.has("place")) return;
  record.object("place", finding.place,
                [](auto& each, auto& place) { describe_place(each, place); });
}

void describe_finding(auto& record, auto& finding) {
  record.line("requirement", finding.requirement);
  record.choice("severity", finding.severity);
  describe_symptom(record, finding);
  record.text("expected", finding.expected);
  record.text("actual", finding.actual);
  record.number("step", finding.step);
}

void describe_events(auto& record, auto& events) {
  record.list("transcript", events, [](auto& each, auto& it) { describe_event(each, it); });
}

void describe_judged_finding(auto& record, auto& finding) {
  describe_finding(record, finding);
  record.texts("habits", finding.habits);
  record.flag("rest-counts", finding.rest_counts);
}

// A set has a place in the order of a list.
inline void describe_exercised(corpus::RecordWriter& record, const judge::Requirements& ids) {
  record.texts("exercised", ids.in_order());
}

inline void describe_exercised(corpus::RecordReader& record, judge::Requirements& ids) {
  std::vector<std::string> list;
  record.texts("exercised", list);
  ids.insert(list.begin(), list.end());
}

inline void describe_unjudged(corpus::RecordWriter& record,
                              const std::optional<std::string>& reason) {
  if (reason) record.text("unjudged", *reason);
}

inline void describe_unjudged(corpus::RecordReader& record, std::optional<std::string>& reason) {
  if (record.has("unjudged")) record.text("unjudged", reason.emplace());
}

void describe_judged(auto& record, auto& judgement) {
  record.list("findings", judgement.findings,
              [](auto& each, auto& it) { describe_judged_finding(each, it); });
  describe_exercised(record, judgement.exercised);
  record.list("observations", judgement.observations, [](auto& each, auto& it) {
    each.text("name", it.name);
    each.text("value", it.value);
  });
  describe_unjudged(record, judgement.unjudged);
}

void describe_expected(auto& record, auto& expected) {
  record.choice("expectation", expected.expectation);
  record.optional_text("reason", expected.reason);
  record.optional_text("detail", expected.detail);
}

inline void describe_sent(corpus::RecordWriter& record, const result::CaseResult& one,
                          const judge::Finding& finding) {
  constexpr std::size_t kLongestSent = 2000;  // the transcript has all that is kept
  record.optional_text("sent", to_visible(sent_for(one, finding), kLongestSent));
}

// It is worked out from the transcript.
inline void describe_sent(corpus::RecordReader&, const result::CaseResult&, const judge::Finding&) {
}

void describe_case(auto& record, auto& one) {
  record.line("id", one.id);
  record.about("case '" + to_visible(one.id, 80) + "'");
  record.text("title", one.title);
  record.choice("verdict", one.verdict);
  record.texts("requirements", one.requirements);
  record.optional_text("reason", one.reason);
  record.duration("duration-ms", one.duration);
  record.list("findings", one.findings, [&one](auto& each, auto& it) {
    describe_finding(each, it);
    describe_sent(each, one, it);
  });
  describe_events(record, one.transcript);
  record.text("reproduce", one.reproduce);
  record.optional_object("baseline", one.expected,
                         [](auto& each, auto& it) { describe_expected(each, it); });
  record.optional_number("ordinal", one.ordinal);
  record.optional_text("asked", one.asked);
  record.optional_object("judged", one.judged,
                         [](auto& each, auto& it) { describe_judged(each, it); });
  record.optional_list("tries", one.tries, [](auto& each, auto& it) { describe_case(each, it); });
  record.about("");
}

void describe_dialogue(auto& record, auto& dialogue) {
  record.text("id", dialogue.id);
  record.text("title", dialogue.title);
  record.list("exchanges", dialogue.exchanges, [](auto& each, auto& it) {
    each.text("call", it.call);
    describe_events(each, it.transcript);
    each.optional_object("judged", it.judged,
                         [](auto& judged, auto& of) { describe_judged(judged, of); });
  });
}

}  // namespace jrpcheck::reports
