#include "result/redact.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace jrpcheck::result {
namespace {

constexpr std::string_view kHidden = "...";
constexpr std::size_t kShortest = 6;

void replace_all(std::string& text, std::string_view what) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), kHidden);
    at += kHidden.size();
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

bool begins_without_case(std::string_view text, std::string_view name) {
  return text.size() >= name.size() &&
         std::equal(name.begin(), name.end(), text.begin(),
                    [](char a, unsigned char b) { return a == std::tolower(b); });
}

// In the head of an HTTP response; the body is the server's answer and stays.
void hide_cookies(std::string& bytes) {
  if (bytes.rfind("HTTP/", 0) != 0) return;
  constexpr std::string_view kSetCookie = "set-cookie:";
  for (auto line = bytes.find("\r\n"); line != std::string::npos; line = bytes.find("\r\n", line)) {
    line += 2;
    if (bytes.compare(line, 2, "\r\n") == 0) return;
    if (!begins_without_case(std::string_view(bytes).substr(line), kSetCookie)) continue;
    const auto begin = line + kSetCookie.size();
    const auto end = std::min(bytes.find("\r\n", begin), bytes.size());
    bytes.replace(begin, end - begin, " " + std::string(kHidden));
  }
}

// What these say is no secret, and stands in every transcript.
bool is_public(std::string_view name) {
  constexpr std::string_view kPublic[] = {
      "accept",     "accept-encoding",      "accept-language", "cache-control",
      "connection", "content-encoding",     "content-type",    "expect",
      "host",       "mcp-protocol-version", "origin",          "te",
      "user-agent"};
  return std::any_of(std::begin(kPublic), std::end(kPublic), [name](std::string_view each) {
    return each.size() == name.size() && begins_without_case(name, each);
  });
}

class Redaction {
 public:
  explicit Redaction(const std::vector<std::string>& secrets) : secrets_(secrets) {
    for (const auto& secret : secrets) {
      if (secret.find('/') != std::string::npos) secrets_.push_back(with_escaped_solidus(secret));
    }
    // A secret may be part of another, whose rest would stay.
    std::sort(secrets_.begin(), secrets_.end(),
              [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  }

  void apply(std::string& text) const {
    for (const auto& secret : secrets_) replace_all(text, secret);
  }
  void apply_to_our_words(std::string& text) const {
    apply(text);
    hide_passwords(text);
  }

 private:
  std::vector<std::string> secrets_;
};

void redact_case(CaseResult& one, const Redaction& redaction) {
  redaction.apply_to_our_words(one.reproduce);
  redaction.apply_to_our_words(one.reason);
  for (auto& finding : one.findings) {
    redaction.apply(finding.message);
    redaction.apply(finding.expected);
    redaction.apply(finding.actual);
  }
  for (auto& observation : one.observations) redaction.apply(observation.value);
  for (auto& event : one.transcript) {
    redaction.apply(event.bytes);
    redaction.apply(event.note);
    hide_cookies(event.bytes);
  }
}

}  // namespace

std::vector<std::string> secrets_of_header(std::string_view name, std::string_view value) {
  std::vector<std::string> secrets;
  if (is_public(name)) return secrets;
  const auto add = [&secrets](std::string_view secret) {
    if (secret.size() >= kShortest) secrets.emplace_back(secret);
  };
  add(value);
  // Schemes end in a space, cookies in a semicolon, and their names in an equals sign, which also
  // pads base64: what begins behind one of these counts, with all that follows up to a separator.
  for (std::size_t i = 0; i + 1 < value.size(); ++i) {
    if (std::string_view(" ;=").find(value[i]) == std::string_view::npos) continue;
    add(value.substr(i + 1, value.find_first_of(" ;", i + 1) - i - 1));
  }
  return secrets;
}

void redact(Run& run, const std::vector<std::string>& secrets) {
  const Redaction redaction(secrets);
  redaction.apply_to_our_words(run.target.text);
  for (auto& note : run.notes) redaction.apply_to_our_words(note);
  for (auto& observation : run.observations) redaction.apply(observation.value);
  for (auto& one : run.cases) redact_case(one, redaction);
}

}  // namespace jrpcheck::result
