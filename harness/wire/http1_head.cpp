#include "wire/http1_head.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/letter_case.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::wire {
namespace {

using Role = HttpReader::Role;

constexpr std::string_view kVersionOne = "HTTP/1.";

/// "HTTP/1." and one digit. Another major version has another syntax, so it cannot be read on.
bool is_version(std::string_view text) {
  return text.size() == kVersionOne.size() + 1 && text.starts_with(kVersionOne) &&
         is_digit(text.back());
}

bool is_target(std::string_view text) {
  return !text.empty() && std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
  });
}

bool parse_request_line(HttpMessage& message, std::string_view line) {
  const std::size_t first_space = line.find(' ');
  const std::size_t last_space = line.rfind(' ');
  if (first_space == std::string_view::npos || first_space == last_space) return false;
  const std::string_view method = line.substr(0, first_space);
  const std::string_view target = line.substr(first_space + 1, last_space - first_space - 1);
  if (!is_token(method) || !is_target(target) || !is_version(line.substr(last_space + 1))) {
    return false;
  }
  message.method = method;
  message.target = target;
  return true;
}

/// The space behind the code may be missing when there is no reason phrase: servers that forget it
/// are common, and nothing is ambiguous about it.
bool parse_status_line(HttpMessage& message, std::string_view line) {
  constexpr std::size_t kCodeAt = kVersionOne.size() + 2;
  constexpr std::size_t kCodeEnd = kCodeAt + 3;
  if (line.size() < kCodeEnd || !is_version(line.substr(0, kCodeAt - 1))) return false;
  const std::string_view code = line.substr(kCodeAt, 3);
  if (line[kCodeAt - 1] != ' ' || !std::ranges::all_of(code, is_digit)) return false;
  if (code.front() == '0') return false;
  if (line.size() > kCodeEnd && line[kCodeEnd] != ' ') return false;
  message.status = static_cast<int>(*decimal(code));
  return true;
}

bool parse_field(HttpMessage& message, std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return false;
  message.fields.emplace_back(line.substr(0, colon), trimmed(line.substr(colon + 1)));
  return true;
}

/// A line folded into the one before it (RFC 9112 §5.2): a server must refuse it, a client must
/// read it as a space.
bool unfold(HttpMessage& message, Role role, std::string_view line) {
  if (role == Role::server || message.fields.empty()) return false;
  std::string& value = message.fields.back().second;
  const std::string_view more = trimmed(line);
  if (!value.empty() && !more.empty()) value += ' ';
  value += more;
  return true;
}

std::string field_violation(HttpMessage& message, Role role, std::string_view line) {
  if (line.find('\r') != std::string_view::npos || line.find('\0') != std::string_view::npos) {
    return "a header field holds a bare CR or a NUL (RFC 9110 §5.5)";
  }
  if (line.front() == ' ' || line.front() == '\t') {
    return unfold(message, role, line) ? "" : "a folded header line (RFC 9112 §5.2)";
  }
  return parse_field(message, line) ? "" : "a header line that is no `Name: value` (RFC 9112 §5)";
}

/// The elements of a comma-separated list in all fields of that name (RFC 9110 §5.6.1), among them
/// empty ones.
std::vector<std::string_view> list_of(const HttpMessage& message, std::string_view name) {
  std::vector<std::string_view> elements;
  for (const auto& [field, value] : message.fields) {
    if (!same_ignoring_case(field, name)) continue;
    std::string_view rest = value;
    for (std::size_t comma = 0; comma != std::string_view::npos;) {
      comma = rest.find(',');
      elements.push_back(trimmed(rest.substr(0, comma)));
      if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
    }
  }
  return elements;
}

bool is_chunked(std::string_view coding) { return same_ignoring_case(coding, "chunked"); }

/// RFC 9112 §9.3.
bool allows_another_message(const HttpMessage& message, bool is_one_point_zero) {
  const auto options = list_of(message, "Connection");
  const auto has = [&options](std::string_view option) {
    return std::ranges::any_of(
        options, [option](std::string_view each) { return same_ignoring_case(each, option); });
  };
  if (has("close") || message.status == 101) return false;
  return !is_one_point_zero || has("keep-alive");
}

bool is_one_point_zero(const HttpMessage& message) {
  const std::string_view line = message.start_line;
  return message.status != 0 ? line.starts_with("HTTP/1.0") : line.ends_with("HTTP/1.0");
}

bool has_no_body(int status, std::string_view answered_method) {
  return status < 200 || status == 204 || status == 304 || answered_method == "HEAD";
}

BodyPlan plan_coded_body(HttpMessage& message, Role role,
                         const std::vector<std::string_view>& codings) {
  // With both headers a peer may be read in two ways, so the connection is not to be trusted after
  // this message (RFC 9112 §6.1); nor did HTTP/1.0 know transfer codings.
  if (message.field("Content-Length") || is_one_point_zero(message)) message.keep_alive = false;
  message.is_coded = std::ranges::any_of(codings, [](std::string_view each) {
    return !is_chunked(each) && !same_ignoring_case(each, "identity");
  });
  const auto chunked_count = std::ranges::count_if(codings, is_chunked);
  if (chunked_count > 1) {
    message.violation = "the chunked coding is applied more than once (RFC 9112 §6.1)";
    return {};
  }
  if (is_chunked(codings.back())) return {BodyEnd::chunked};
  if (role == Role::server) {
    message.violation = "chunked is not the last transfer coding of a request (RFC 9112 §6.3)";
    return {};
  }
  message.keep_alive = false;
  return {BodyEnd::close};
}

BodyPlan plan_counted_body(HttpMessage& message, const std::vector<std::string_view>& lengths) {
  std::optional<std::uint64_t> length;
  for (const std::string_view each : lengths) {
    const auto value = decimal(each);
    if (!value) {
      message.violation = "Content-Length is not a usable decimal number (RFC 9112 §6.3)";
      return {};
    }
    if (length && *length != *value) {
      message.violation = "Content-Length has differing values (RFC 9112 §6.3)";
      return {};
    }
    length = value;
  }
  return {BodyEnd::length, *length};
}

}  // namespace

void parse_start_line(HttpMessage& message, Role role, std::string_view line) {
  message.start_line = line;
  if (role == Role::client) {
    if (!parse_status_line(message, line)) message.violation = "no status line (RFC 9112 §4)";
  } else if (!parse_request_line(message, line)) {
    message.violation = "no request line (RFC 9112 §3)";
  }
}

void parse_head(HttpMessage& message, Role role) {
  std::string_view rest = message.head;
  bool is_first = true;
  while (!rest.empty() && message.violation.empty()) {
    const std::size_t line_feed = rest.find('\n');
    const std::string_view line = without_line_end(rest.substr(0, line_feed + 1));
    rest.remove_prefix(line_feed + 1);
    if (is_first) {
      parse_start_line(message, role, line);
    } else if (!line.empty()) {
      message.violation = field_violation(message, role, line);
    }
    is_first = false;
  }
  message.keep_alive =
      message.violation.empty() && allows_another_message(message, is_one_point_zero(message));
}

BodyPlan plan_body(HttpMessage& message, Role role, std::string_view answered_method) {
  if (role == Role::client && has_no_body(message.status, answered_method)) return {};
  auto codings = list_of(message, "Transfer-Encoding");
  std::erase(codings, std::string_view());  // RFC 9110 §5.6.1.2: empty elements do not count
  if (!codings.empty()) return plan_coded_body(message, role, codings);
  const auto lengths = list_of(message, "Content-Length");
  if (!lengths.empty()) return plan_counted_body(message, lengths);
  if (role == Role::server) return {};
  message.keep_alive = false;
  return {BodyEnd::close};
}

}  // namespace jrpcheck::wire
