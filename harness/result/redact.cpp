#include "result/redact.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/bytes.hpp"
#include "base/letter_case.hpp"
#include "json/value.hpp"

namespace jrpcheck::result {
namespace {

constexpr std::string_view kHidden = "...";
// Less than this of a secret tells nothing.
constexpr std::size_t kTellingFragment = 4;

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
}

// As JSON may write it: RFC 8259 §7 lets a writer escape the solidus.
std::string with_escaped_solidus(const std::string& secret) {
  std::string escaped;
  for (const char c : secret) {
    if (c == '/') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string as_json_writes_it(const std::string& secret) {
  const std::string quoted = json::write(json::Value::string(secret));
  return quoted.substr(1, quoted.size() - 2);
}

std::string as_xml_writes_it(const std::string& secret) {
  std::string escaped;
  for (const char c : secret) escaped += c == '&' ? "&amp;" : std::string(1, c);
  return escaped;
}

// RFC 3986 §2.1: all but what is unreserved.
std::string percent_encoded(const std::string& secret) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : secret) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~").find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      encoded += {'%', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
    }
  }
  return encoded;
}

std::vector<std::string> spellings_of(const std::string& secret) {
  std::vector<std::string> spellings = {secret,
                                        with_escaped_solidus(secret),
                                        as_json_writes_it(secret),
                                        as_json_writes_it(as_json_writes_it(secret)),
                                        with_escaped_solidus(as_json_writes_it(secret)),
                                        as_xml_writes_it(secret),
                                        percent_encoded(secret),
                                        to_base64(secret),
                                        shell_quote(secret)};
  // In quotes that it does not need they stay where they are.
  auto& quoted = spellings.back();
  if (quoted.size() > 2 && quoted.front() == '\'') quoted = quoted.substr(1, quoted.size() - 2);
  std::sort(spellings.begin(), spellings.end());
  spellings.erase(std::unique(spellings.begin(), spellings.end()), spellings.end());
  return spellings;
}

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

// In the head of an HTTP response; the body is the server's answer and stays.
void hide_cookies(std::string& bytes) {
  if (bytes.rfind("HTTP/", 0) != 0) return;
  constexpr std::string_view kSetCookie = "set-cookie:";
  for (auto line = bytes.find("\r\n"); line != std::string::npos; line = bytes.find("\r\n", line)) {
    line += 2;
    if (bytes.compare(line, 2, "\r\n") == 0) return;
    if (!begins_ignoring_case(std::string_view(bytes).substr(line), kSetCookie)) continue;
    const auto begin = line + kSetCookie.size();
    const auto end = std::min(bytes.find("\r\n", begin), bytes.size());
    bytes.replace(begin, end - begin, " " + std::string(kHidden));
  }
}

// Long texts are cut, and a secret may lie across the cut: what is left of it before `at`.
void hide_beginning_before(std::string& text, std::size_t& at, std::string_view secret) {
  for (std::size_t length = std::min(secret.size() - 1, at); length >= kTellingFragment; --length) {
    if (text.compare(at - length, length, secret.substr(0, length)) != 0) continue;
    text.replace(at - length, length, kHidden);
    at = at - length + kHidden.size();
    return;
  }
}

void hide_end_behind(std::string& text, std::size_t at, std::string_view secret) {
  const std::size_t most = std::min(secret.size() - 1, text.size() - at);
  for (std::size_t length = most; length >= kTellingFragment; --length) {
    if (text.compare(at, length, secret.substr(secret.size() - length)) != 0) continue;
    text.replace(at, length, kHidden);
    return;
  }
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
  explicit Redaction(const std::vector<Secret>& secrets) {
    for (const auto& secret : secrets) {
      for (auto& spelling : spellings_of(secret.value)) {
        secrets_.push_back({std::move(spelling), secret.variable});
      }
    }
    // A secret may be part of another, whose rest would stay.
    std::stable_sort(secrets_.begin(), secrets_.end(), [](const Secret& a, const Secret& b) {
      return a.value.size() > b.value.size();
    });
  }

  void apply(std::string& text) const {
    for (const auto& secret : secrets_) replace_all(text, secret.value, kHidden);
    for (const auto& secret : secrets_) hide_fragments(text, secret.value);
  }

  /// Of what a process wrote only the end is kept.
  void apply_to_tail(std::string& text) const {
    for (const auto& secret : secrets_) hide_end_behind(text, 0, secret.value);
    apply(text);
  }

  void apply_to_our_words(std::string& text) const {
    apply(text);
    hide_passwords(text);
  }

  void apply_to_command(std::string& line) const {
    for (const auto& secret : secrets_) {
      std::string kept;
      std::string_view rest = line;
      Quoting quoting = Quoting::none;
      for (auto at = rest.find(secret.value); at != std::string_view::npos;
           at = rest.find(secret.value)) {
        quoting = quoting_after(rest.substr(0, at), quoting);
        kept += rest.substr(0, at);
        kept += variable_within(quoting, secret.variable);
        rest.remove_prefix(at + secret.value.size());
      }
      line = kept + std::string(rest);
    }
    hide_passwords(line);
  }

 private:
  static void hide_fragments(std::string& text, std::string_view secret) {
    constexpr std::string_view kCut = "[... ";
    constexpr std::string_view kCutEnd = "left out ...]";
    for (auto at = text.find(kCut); at != std::string::npos; at = text.find(kCut, at + 1)) {
      const auto end = text.find(kCutEnd, at);
      if (end == std::string::npos) return;
      auto behind = end + kCutEnd.size();
      if (behind < text.size() && text[behind] == ' ') ++behind;
      hide_end_behind(text, behind, secret);
      auto before = at > 0 && text[at - 1] == ' ' ? at - 1 : at;
      const auto moved = before;
      hide_beginning_before(text, before, secret);
      at += before - moved;
    }
    constexpr std::string_view kTail = "standard error ends with: ";
    const auto tail = text.find(kTail);
    if (tail != std::string::npos) hide_end_behind(text, tail + kTail.size(), secret);
  }

  std::vector<Secret> secrets_;
};

void redact_findings(std::vector<judge::Finding>& findings, const Redaction& redaction) {
  for (auto& finding : findings) {
    redaction.apply(finding.particulars);
    redaction.apply(finding.expected);
    redaction.apply(finding.actual);
  }
}

void redact_judged(std::optional<judge::Judgement>& judged, const Redaction& redaction) {
  if (!judged) return;
  redact_findings(judged->findings, redaction);
  for (auto& observation : judged->observations) redaction.apply(observation.value);
  if (judged->unjudged) redaction.apply(*judged->unjudged);
}

// The head of a response is told from its body by its length.
void redact_response(dialogue::Event& event, const Redaction& redaction) {
  const std::size_t size = std::min(event.http->size, event.bytes.size());
  std::string head = event.bytes.substr(0, size);
  std::string body = event.bytes.substr(size);
  redaction.apply(head);
  redaction.apply(body);
  hide_cookies(head);
  event.http->size = head.size();
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
    redaction.apply(event.bytes);
    hide_cookies(event.bytes);
  }
}

void redact_case(CaseResult& one, const Redaction& redaction) {
  redaction.apply_to_command(one.reproduce);
  redaction.apply_to_our_words(one.reason);
  redact_findings(one.findings, redaction);
  for (auto& observation : one.observations) redaction.apply(observation.value);
  redact_events(one.transcript, redaction);
  redact_judged(one.judged, redaction);
  for (auto& each : one.tries) redact_case(each, redaction);
}

}  // namespace

void redact(Run& run, const std::vector<Secret>& secrets) {
  const Redaction redaction(secrets);
  redaction.apply_to_our_words(run.target.text);
  redaction.apply_to_our_words(run.interrupted);
  for (auto& each : run.tried) {
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

std::string redacted(std::string text, const std::vector<Secret>& secrets) {
  Redaction(secrets).apply_to_our_words(text);
  return text;
}

}  // namespace jrpcheck::result
