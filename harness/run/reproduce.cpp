#include "run/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/bytes.hpp"
#include "result/secrets.hpp"
#include "session/http_conversation.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::run {
namespace {

// curl sends these by itself, so that leaving them out has to be said.
constexpr std::array<std::string_view, 2> kSentByCurl = {"Accept", "Content-Type"};

constexpr std::size_t kLongestTyped = 1000;

bool holds(const wire::HttpFields& fields, std::string_view name) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const auto& field) { return field.first == name; });
}

// What curl sends by itself with --json, which is most of what is to be typed.
bool is_plain_json(const corpus::HttpDetails& details, const wire::HttpFields& fields) {
  std::size_t usual = 0;
  for (const auto& [name, value] : fields) {
    const bool is_json =
        value == "application/json" && (name == "Accept" || name == "Content-Type");
    usual += is_json ? 1 : 0;
    if (!is_json && name != "Host" && name != "User-Agent" && name != "Content-Length")
      return false;
  }
  return details.method == "POST" && details.path.empty() && usual == kSentByCurl.size();
}

std::string curl_options(const transport::TlsOptions& tls) {
  std::string options;
  if (tls.is_insecure) options += " --insecure";
  if (!tls.authorities.empty()) options += " --cacert " + shell_quote(tls.authorities);
  if (!tls.certificate.empty()) options += " --cert " + shell_quote(tls.certificate);
  if (!tls.key.empty()) options += " --key " + shell_quote(tls.key);
  return options;
}

std::string curl_target(const transport::Target& target, const std::string& path = {}) {
  return curl_options(target.tls) + " " +
         shell_quote(fmt::format("{}://{}{}", target.scheme->name, target.authority,
                                 path.empty() ? target.path : path));
}

// @ would name a file.
std::string curl_json(const transport::Target& target, std::string_view message) {
  const bool is_typed =
      !message.empty() && message.front() != '@' && message.size() < kLongestTyped &&
      std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return is_typed ? "curl -sS -i --json " + shell_quote(message) + curl_target(target)
                  : shell_printer(message) + " | curl -sS -i --json @-" + curl_target(target);
}

std::string curl(const corpus::HttpDetails& details, const transport::Target& target,
                 const wire::HttpFields& extra_fields, std::string_view message) {
  const auto fields = session::http_request_fields(target, extra_fields, details, message.size());
  if (is_plain_json(details, fields)) return curl_json(target, message);
  std::string line = shell_printer(message) + " | curl -sS -i -X " + details.method;
  const auto add_header = [&line](const std::string& header) {
    line += " -H " + shell_quote(header);
  };
  for (const auto& [name, value] : fields) {
    if (name == "Host" || name == "User-Agent" || name == "Content-Length") continue;
    // A header given by the user is a secret until proven otherwise.
    const bool secret = name == "Authorization" || holds(extra_fields, name);
    if (secret && !result::is_public_header(name)) {
      // A variable counts within double quotes.
      line += " -H \"" + name + ": ${" + result::variable_named(name) + "}\"";
    } else {
      add_header(fmt::format("{}: {}", name, value));
    }
  }
  for (const auto name : kSentByCurl) {
    if (!holds(fields, name)) add_header(std::string(name) + ":");
  }
  if (details.method != "GET" || !message.empty()) line += " --data-binary @-";
  return line + curl_target(target, details.path);
}

}  // namespace

std::string curl_lines(const corpus::Case& bound, const transport::Target& target,
                       const wire::HttpFields& extra_fields) {
  std::string lines;
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) {
      if (!lines.empty()) lines += "; ";
      lines += curl(step.http, target, extra_fields, message.text());
    }
  }
  return lines;
}

namespace {

std::string socat_options(const transport::Target& target) {
  if (!target.scheme->over_tls) return {};
  const auto& tls = target.tls;
  std::string options = tls.is_insecure ? ",verify=0" : "";
  if (!tls.authorities.empty()) options += ",cafile=" + tls.authorities;
  if (!tls.certificate.empty()) options += ",cert=" + tls.certificate;
  if (!tls.key.empty()) options += ",key=" + tls.key;
  if (!tls.server_name.empty()) options += ",commonname=" + tls.server_name;
  return options;
}

}  // namespace

std::string socat_to(const transport::Target& target) {
  std::string address = std::string(target.scheme->by_hand) + ":";
  if (!target.address.host.empty()) {
    return "socat - " + shell_quote(address + target.where() + socat_options(target));
  }
  // Within the path of a socket these would mean something to socat(1).
  for (const char c : target.where()) {
    if (std::string_view("\\\"',:!").find(c) != std::string_view::npos) address += '\\';
    address += c;
  }
  return "socat - " + shell_quote(address);
}

namespace {

constexpr std::uint32_t kReadableMask = 0;

std::string readable_frame(const wire::FrameDetails& details, std::string_view payload) {
  return wire::websocket_frame(details, payload,
                               details.mask ? std::optional(kReadableMask) : std::nullopt);
}

// Each line a word of its own, so that a long line can be broken.
std::string upgrade_printer(const session::UpgradeSettings& settings) {
  std::string line =
      "printf '%s\\r\\n' " + shell_quote("GET " + settings.target.path + " HTTP/1.1");
  for (const auto& [name, value] : session::upgrade_fields(settings, wire::websocket_key(1))) {
    if (name == "User-Agent") continue;
    const bool is_secret = name == "Authorization" || holds(settings.extra_fields, name);
    line += is_secret && !result::is_public_header(name)
                ? fmt::format(" \"{}: ${{{}}}\"", name, result::variable_named(name))
                : fmt::format(" {}", shell_quote(fmt::format("{}: {}", name, value)));
  }
  return line + " ''";
}

std::string frames_of(const corpus::Step& step) {
  std::string bytes;
  wire::Deflater deflater{wire::DeflateParameters{}};
  for (std::size_t i = 0; i < step.messages.size(); ++i) {
    const auto frame = step.frames.find(i);
    const std::string& message = step.messages[i].text();
    if (step.raw) {
      bytes += message;
    } else {
      const auto details = frame == step.frames.end() ? wire::FrameDetails{} : frame->second;
      bytes += readable_frame(details,
                              details.deflate ? deflater.deflate(message, details.fin) : message);
    }
  }
  return bytes;
}

}  // namespace

std::string websocket_lines(const corpus::Case& bound, const session::UpgradeSettings& settings,
                            const session::Opening& opening, const std::string& command) {
  std::string lines;
  std::string first_frames;
  for (const auto& message : opening.messages) first_frames += readable_frame({}, message);
  const auto add_line = [&](const corpus::HttpDetails& details, const std::string& frames) {
    session::UpgradeSettings there = settings;
    there.departures = details.headers;
    lines += lines.empty() ? "" : "; ";
    lines += fmt::format("{{ {}; sleep 1; {}; sleep 1; }} | {}", upgrade_printer(there),
                         shell_printer(first_frames + frames), command);
  };
  std::string on_one;
  for (const auto& step : bound.steps) {
    if (step.handshake || step.then != corpus::Step::Then::read) {
      add_line(step.http, frames_of(step));
    } else {
      on_one += frames_of(step);
    }
  }
  if (!on_one.empty()) add_line({}, on_one);
  return lines;
}

// Standard input stays open for a moment, because many programs leave at its end without answering.
std::string pipe_line(const corpus::Case& bound, const wire::Binding& binding,
                      const session::Opening& opening, const std::string& command) {
  const auto framing = binding.framing({});
  std::string bytes;
  for (const auto& message : opening.messages) bytes += framing->encode(message);
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) {
      bytes += step.raw ? message.text() : framing->encode(message.text());
    }
  }
  return fmt::format("{{ {}; sleep 1; }} | {}", shell_printer(bytes), command);
}

}  // namespace jrpcheck::run
