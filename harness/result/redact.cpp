#include "result/redact.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "result/spelling.hpp"

namespace jrpcheck::result {
namespace {

constexpr std::string_view kHidden = "...";
// Less than this of a secret tells nothing.
constexpr std::size_t kTellingFragment = 4;
// A server may set a new one each time.
constexpr std::size_t kMostCookies = 200;

// scheme://user:password@host: the user stays, the password goes; a lone user is often a token.
void hide_passwords(std::string& text) {
  for (auto at = text.find("://"); at != std::string::npos; at = text.find("://", at)) {
    at += 3;
    const auto end = std::min(text.find_first_of("/?#'\" \t\r\n", at), text.size());
    const auto sign = text.substr(at, end - at).rfind('@');
    if (sign == std::string::npos || sign == 0) continue;
    const auto colon = text.find(':', at);
    const auto begin = colon < at + sign ? colon + 1 : at;
    text.replace(begin, at + sign - begin, kHidden);
  }
}

// Where the value of the next Set-Cookie in the head of an HTTP response begins, from a line on;
// npos: there is none. A line may end in a line feed alone (RFC 9112 §2.2).
std::size_t find_cookie(std::string_view bytes, std::size_t line) {
  constexpr std::string_view kSetCookie = "set-cookie:";
  for (line = bytes.find('\n', line); line != std::string_view::npos;
       line = bytes.find('\n', line)) {
    ++line;
    const auto rest = bytes.substr(line);
    if (rest.substr(0, 1) == "\n" || rest.substr(0, 2) == "\r\n") break;
    if (begins_ignoring_case(rest, kSetCookie)) return line + kSetCookie.size();
  }
  return std::string_view::npos;
}

void hide_cookies(std::string& bytes) {
  if (!bytes.starts_with("HTTP/")) return;
  for (auto at = find_cookie(bytes, 0); at != std::string::npos; at = find_cookie(bytes, at)) {
    const auto end = std::min(bytes.find_first_of("\r\n", at), bytes.size());
    bytes.replace(at, end - at, " " + std::string(kHidden));
  }
}

void add_cookies(const std::vector<dialogue::Event>& events, std::size_t most,
                 std::vector<Secret>& secrets) {
  for (const auto& event : events) {
    const std::string_view bytes = event.bytes;
    if (!bytes.starts_with("HTTP/")) continue;
    for (auto at = find_cookie(bytes, 0); at != std::string::npos && secrets.size() < most;
         at = find_cookie(bytes, at)) {
      const auto value = bytes.substr(at, bytes.find_first_of("\r\n", at) - at);
      for (auto& each : secrets_of_cookie(value)) {
        if (!contains(secrets, each)) secrets.push_back(std::move(each));
      }
    }
  }
}

// What the server has set may stand in its answers as well.
std::vector<Secret> with_cookies(const Run& run, std::vector<Secret> secrets) {
  const std::size_t most = secrets.size() + kMostCookies;
  const auto add = [&](const std::vector<CaseResult>& cases) {
    for (const auto& one : cases) {
      add_cookies(one.transcript, most, secrets);
      for (const auto& each : one.tries) add_cookies(each.transcript, most, secrets);
    }
  };
  add(run.cases);
  if (!run.conditions) return secrets;
  add(run.conditions->unreported);
  add_cookies(run.conditions->opening, most, secrets);
  for (const auto& dialogue : run.conditions->dialogues) {
    for (const auto& exchange : dialogue.exchanges) add_cookies(exchange.transcript, most, secrets);
  }
  return secrets;
}

// How a POSIX shell reads what stands at some place of a line (Shell Command Language §2.2).
enum class Quoting { none, single, twofold };

Quoting quoting_after(std::string_view text, Quoting quoting) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quoting != Quoting::single) {
      ++i;
    } else if (c == '\'' && quoting != Quoting::twofold) {
      quoting = quoting == Quoting::single ? Quoting::none : Quoting::single;
    } else if (c == '"' && quoting != Quoting::single) {
      quoting = quoting == Quoting::twofold ? Quoting::none : Quoting::twofold;
    }
  }
  return quoting;
}

std::string variable_within(Quoting quoting, const std::string& name) {
  std::string variable = "${" + name + "}";
  switch (quoting) {
    case Quoting::none:
      return "\"" + variable + "\"";
    case Quoting::single:
      return "'\"" + variable + "\"'";
    case Quoting::twofold:
      break;
  }
  return variable;
}

class Redaction {
 public:
  explicit Redaction(const std::vector<Secret>& secrets) : finder_(all_spellings(secrets)) {
    for (const auto& secret : secrets) {
      variables_.insert(variables_.end(), spellings_of(secret.value).size(), secret.variable);
    }
  }

  void apply(std::string& text) const {
    replace_each(text, [](std::size_t, std::string_view) { return std::string(kHidden); });
    hide_fragments(text);
  }

  /// Of what a process wrote only the end is kept.
  void apply_to_tail(std::string& text) const {
    hide_end_behind(text, 0);
    apply(text);
  }

  /// More was on its way, and a secret may have come in part.
  void apply_to_part(std::string& text) const {
    apply(text);
    hide_beginning_before(text, text.size());
  }

  void apply_to_our_words(std::string& text) const {
    apply(text);
    hide_passwords(text);
  }

  void apply_to_command(std::string& line) const {
    replace_each(line, [this](std::size_t which, std::string_view before) {
      return variable_within(quoting_after(before, Quoting::none), variables_[which]);
    });
    hide_passwords(line);
  }

 private:
  static std::vector<Spelling> all_spellings(const std::vector<Secret>& secrets) {
    std::vector<Spelling> all;
    for (const auto& secret : secrets) {
      auto spellings = spellings_of(secret.value);
      std::move(spellings.begin(), spellings.end(), std::back_inserter(all));
    }
    return all;
  }

  template <typename By>
  void replace_each(std::string& text, By by) const {
    std::string kept;
    std::size_t done = 0;
    for (auto found = finder_.find(text, 0); found; found = finder_.find(text, done)) {
      kept.append(text, done, found->begin - done);
      kept += by(found->which, kept);
      done = found->end;
    }
    if (done > 0) text = kept + text.substr(done);
  }

  // Long texts are cut, and a secret may lie across the cut: what is left of it on either side.
  void hide_fragments(std::string& text) const {
    constexpr std::string_view kCut = "[... ";
    constexpr std::string_view kCutEnd = "left out ...]";
    for (auto at = text.find(kCut); at != std::string::npos; at = text.find(kCut, at + 1)) {
      const auto end = text.find(kCutEnd, at);
      if (end == std::string::npos) break;
      auto behind = end + kCutEnd.size();
      if (behind < text.size() && text[behind] == ' ') ++behind;
      hide_end_behind(text, behind);
      at = hide_beginning_before(text, at);
    }
    // Of what a process wrote only the end is told.
    for (const std::string_view words :
         {"standard error ends with: ", "its output:\n", "standard error:\n"}) {
      const auto tail = text.find(words);
      if (tail != std::string::npos) hide_end_behind(text, tail + words.size());
    }
  }

  // Gives the place where the cut stands then.
  std::size_t hide_beginning_before(std::string& text, std::size_t cut) const {
    const std::size_t end = cut > 0 && text[cut - 1] == ' ' ? cut - 1 : cut;
    const auto begin =
        finder_.begun_at_end(std::string_view(text).substr(0, end), kTellingFragment);
    if (!begin) return cut;
    text.replace(*begin, end - *begin, kHidden);
    return *begin + kHidden.size() + (cut - end);
  }

  void hide_end_behind(std::string& text, std::size_t at) const {
    const auto length = finder_.ended_at_begin(std::string_view(text).substr(at), kTellingFragment);
    if (length > 0) text.replace(at, length, kHidden);
  }

  SpellingFinder finder_;
  std::vector<std::string> variables_;  // of each spelling
};

void redact_findings(std::vector<judge::Finding>& findings, const Redaction& redaction) {
  for (auto& finding : findings) {
    redaction.apply(finding.particulars);
    redaction.apply(finding.expected);
    redaction.apply_to_part(finding.actual);
    redaction.apply(finding.place.pointer);  // names of members are the server's own
    redaction.apply(finding.about);
  }
}

void redact_observations(std::vector<judge::Observation>& observations,
                         const Redaction& redaction) {
  for (auto& each : observations) {
    redaction.apply(each.name);
    redaction.apply(each.value);
  }
}

void redact_judged(std::optional<judge::Judgement>& judged, const Redaction& redaction) {
  if (!judged) return;
  redact_findings(judged->findings, redaction);
  redact_observations(judged->observations, redaction);
  if (judged->unjudged) redaction.apply(*judged->unjudged);
}

// The head of a response is told from its body by its length.
void redact_response(dialogue::Event& event, const Redaction& redaction) {
  const std::size_t size = std::min(event.http->size, event.bytes.size());
  std::string head = event.bytes.substr(0, size);
  std::string body = event.bytes.substr(size);
  redaction.apply(head);
  event.http->is_broken ? redaction.apply_to_part(body) : redaction.apply(body);
  hide_cookies(head);
  event.http->size = head.size();
  redaction.apply(event.http->version);
  redaction.apply(event.http->content_type);
  event.bytes = head + body;
}

void redact_events(std::vector<dialogue::Event>& events, const Redaction& redaction) {
  using dialogue::Direction;
  for (auto& event : events) {
    redaction.apply(event.note);
    if (event.end) redaction.apply(event.end->lost_connection);
    if (event.http) {
      redact_response(event, redaction);
      continue;
    }
    const bool is_tail = event.direction == Direction::standard_error ||
                         event.direction == Direction::checked ||
                         event.direction == Direction::noted;
    if (is_tail) redaction.apply_to_tail(event.bytes);
    const bool is_part =
        event.direction == Direction::ended || event.direction == Direction::violation;
    is_part ? redaction.apply_to_part(event.bytes) : redaction.apply(event.bytes);
    hide_cookies(event.bytes);
  }
}

void redact_case(CaseResult& one, const Redaction& redaction) {
  redaction.apply_to_command(one.reproduce);
  redaction.apply_to_our_words(one.reason);
  redact_findings(one.findings, redaction);
  redact_observations(one.observations, redaction);
  redact_events(one.transcript, redaction);
  redact_judged(one.judged, redaction);
  for (auto& each : one.tries) redact_case(each, redaction);
}

// What the server lists, and what is called for that.
void redact_listed(Conditions& conditions, const Redaction& redaction) {
  for (auto& [role, method] : conditions.roles) redaction.apply(method);
  std::map<std::string, std::string> catalogue;
  for (auto& [name, items] : conditions.catalogue) {
    std::string hidden = name;
    redaction.apply(hidden);
    redaction.apply(items);
    catalogue.emplace(std::move(hidden), std::move(items));
  }
  conditions.catalogue = std::move(catalogue);
}

void redact_run(Run& run, const std::vector<Secret>& secrets) {
  const Redaction redaction(with_cookies(run, secrets));
  redaction.apply_to_our_words(run.target.text);
  for (auto* words :
       {&run.interrupted, &run.unreached, &run.answered, &run.unjudgeable, &run.failure}) {
    redaction.apply_to_our_words(*words);
  }
  for (auto& each : run.tried) {
    redaction.apply(each.method);
    redaction.apply(each.sent);
    redaction.apply(each.received);
  }
  for (auto& note : run.notes) redaction.apply_to_our_words(note);
  for (auto& observation : run.observations) {
    redaction.apply(observation.id);
    redaction.apply(observation.value);
  }
  for (auto& each : run.requirements) redaction.apply_to_our_words(each.reason);
  for (auto& one : run.cases) redact_case(one, redaction);
  if (!run.conditions) return;
  redact_listed(*run.conditions, redaction);
  redact_events(run.conditions->opening, redaction);
  for (auto& one : run.conditions->unreported) redact_case(one, redaction);
  for (auto& dialogue : run.conditions->dialogues) {
    for (auto& exchange : dialogue.exchanges) {
      redaction.apply(exchange.call);
      redact_events(exchange.transcript, redaction);
      redact_judged(exchange.judged, redaction);
    }
  }
}

}  // namespace

RedactedRun::RedactedRun(Run run, const std::vector<Secret>& secrets) : run_(std::move(run)) {
  redact_run(run_, secrets);
}

std::vector<RedactedRun> RedactedRun::stored(std::vector<Run> runs) {
  std::vector<RedactedRun> all;
  all.reserve(runs.size());
  for (auto& run : runs) all.push_back(RedactedRun(std::move(run)));
  return all;
}

void RedactedRun::hold_against(const Baseline& baseline, const std::string& file, bool strict) {
  result::hold_against(baseline, file, strict, run_);
}

std::string redacted(std::string text, const std::vector<Secret>& secrets) {
  Redaction(secrets).apply_to_our_words(text);
  return text;
}

}  // namespace jrpcheck::result
