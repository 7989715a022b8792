#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "result/secrets.hpp"
#include "run/reproduce.hpp"
#include "session/framed_stream.hpp"
#include "session/http_conversation.hpp"
#include "session/http_session.hpp"

namespace jrpcheck::run {
namespace {

// curl sends these by itself, so that leaving them out has to be said.
constexpr std::array<std::string_view, 2> kSentByCurl = {"Accept", "Content-Type"};

constexpr std::size_t kLongestTyped = 1000;

// An event stream has no end that could be waited for.
constexpr std::string_view kUntilEnough = " -N --max-time 5";
constexpr std::size_t kEnoughMs = 4000;

// Longer than a network waits for more to send with a small piece.
constexpr std::size_t kBehindHeadMs = 300;

bool is_in_pieces(const corpus::Step& step) {
  return step.write_every > 0 || !step.write_at.empty() || step.write_after_head;
}

// Whether there is more to what leaves than its messages, of which curl would make others.
bool takes_bytes(const corpus::Step& step) {
  const bool is_pipelined = step.messages.size() > 1;
  return !step.concurrently &&
         (is_in_pieces(step) || is_pipelined || step.http.chunked || step.end_of_input);
}

// How many of them begin them all on one connection, because those behind the first tell something
// only there.
std::size_t steps_on_one_connection(std::span<const corpus::Step> steps) {
  const auto end = std::find_if(steps.begin() + 1, steps.end(), [](const auto& step) {
    return !step.same_connection || step.concurrently;
  });
  return static_cast<std::size_t>(end - steps.begin());
}

// As it is typed here it asks for no coding.
bool is_said_by_curl(std::string_view name) {
  return name == "Host" || name == "User-Agent" || name == "Content-Length" ||
         name == "Accept-Encoding";
}

// With --json curl says of both that they are JSON.
bool is_said_by_json(const std::pair<std::string, std::string>& field) {
  return field.second == "application/json" && contains(kSentByCurl, field.first);
}

std::string curl_options(const transport::TlsOptions& tls) {
  std::string options;
  if (tls.is_insecure) options += " --insecure";
  if (!tls.authorities.empty()) options += " --cacert " + shell_quote(tls.authorities);
  if (!tls.certificate.empty()) options += " --cert " + shell_quote(tls.certificate);
  if (!tls.key.empty()) options += " --key " + shell_quote(tls.key);
  return options;
}

// @ would name a file.
bool is_typed(std::string_view message) {
  return !message.empty() && message.front() != '@' && message.size() < kLongestTyped &&
         std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// "Mcp-Session-Id" as a variable of a shell.
std::string kept_in(std::string_view field) {
  std::string name = in_lower_case(field);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// What a person types for one conversation.
class CurlLines {
 public:
  CurlLines(const transport::Target& target, const wire::HttpFields& own, const HttpByHand& manner)
      : target_(target),
        own_(own),
        manner_(manner),
        session_(manner.habits),
        waits_long_enough_(manner.has_endpoint_stream || session_.reads_streams()
                               ? std::string(kUntilEnough)
                               : "") {}

  std::string of(const corpus::Case& bound) {
    if (manner_.has_endpoint_stream) open_endpoint_stream();
    if (bound.session != corpus::Case::Session::bare) open();
    for (std::size_t i = 0; i < bound.steps.size();) {
      const std::span<const corpus::Step> rest(&bound.steps[i], bound.steps.size() - i);
      const auto on_one = rest.first(steps_on_one_connection(rest));
      i += on_one.size();
      if (rest.front().listen_first_ms > 0) {
        add(fmt::format("sleep {:g}", rest.front().listen_first_ms / 1000.0));
      }
      add_steps(on_one);
    }
    if (manner_.has_endpoint_stream) add("wait; cat \"$stream\"; rm \"$stream\"");
    return lines_;
  }

 private:
  void add(const std::string& line) { lines_ += (lines_.empty() ? "" : "; ") + line; }

  void add_steps(std::span<const corpus::Step> steps) {
    if (steps.size() > 1 || takes_bytes(steps.front())) return add(bytes_line(steps));
    const corpus::Step& step = steps.front();
    std::vector<std::string> lines;
    for (const auto& message : step.messages) lines.push_back(line(step.http, message, "-i"));
    if (step.concurrently) return add(side_by_side(lines));
    for (const auto& each : lines) add(each);
  }

  std::string origin() const {
    return fmt::format("{}://{}", target_.scheme->name, target_.authority);
  }

  std::string place(const corpus::HttpDetails& details) const {
    std::string options = curl_options(target_.tls) + " ";
    const bool is_post = details.method == "POST" && details.path.empty();
    if (manner_.has_endpoint_stream && is_post) return options + "\"$at\"";
    return options + shell_quote(origin() + (details.path.empty() ? target_.path : details.path));
  }

  // The first event names the place that takes messages (MCP 2024-11-05, HTTP with SSE); what
  // answers them comes on this stream.
  void open_endpoint_stream() {
    corpus::HttpDetails get;
    get.method = "GET";
    const std::string folder = origin() + target_.path.substr(0, target_.path.rfind('/') + 1);
    add("stream=$(mktemp)");
    add("curl -sS" + waits_long_enough_ + " -H 'Accept: text/event-stream'" + secrets() +
        place(get) + " >\"$stream\" & sleep 1");
    add("at=$(tr -d '\\r' <\"$stream\" | sed -n 's/^data: *//p' | head -n 1)");
    add("case $at in http*) ;; /*) at=" + shell_quote(origin()) +
        "$at ;; *) at=" + shell_quote(folder) + "$at ;; esac");
  }

  // The messages of the handshake, and what the server gives out with its answer to the first.
  void open() {
    bool is_first = true;
    for (const auto& text : manner_.opening) {
      const dialogue::Message message(text);
      if (!is_first || manner_.habits.kept.empty()) {
        add(line({}, message, "-o /dev/null"));
      } else {
        add("head=$(" + line({}, message, "-D - -o /dev/null") + ")");
        keep();
      }
      is_first = false;
      session_.note_open();
    }
  }

  // A field without a value curl leaves out, where the server has given out none.
  void keep() {
    wire::HttpMessage given;
    given.status = 200;
    for (const auto& field : manner_.habits.kept) {
      add(
          fmt::format("{}=$(printf '%s' \"$head\" | tr -d '\\r' | awk -F ': *' "
                      "'tolower($1) == \"{}\" {{ print $2 }}')",
                      kept_in(field), in_lower_case(field)));
      given.fields.emplace_back(field, "$" + kept_in(field));
    }
    session_.note(given);
  }

  // A header given by the user is a secret until proven otherwise.
  bool is_secret(const std::string& name) const {
    const bool may_be = name == "Authorization" || wire::field_of(own_, name);
    return may_be && !result::is_public_header(name);
  }

  std::string option(const std::string& name, const std::string& value) const {
    // A variable counts within double quotes.
    if (is_secret(name)) return " -H \"" + name + ": ${" + result::variable_named(name) + "}\"";
    if (value == "$" + kept_in(name)) return " -H \"" + name + ": " + value + "\"";
    // curl leaves out a field that ends with its colon.
    return " -H " + shell_quote(value.empty() ? name + ";" : fmt::format("{}: {}", name, value));
  }

  // The line of a head, as an argument of printf(1).
  std::string head_line(const std::string& name, const std::string& value) const {
    if (is_secret(name)) return " \"" + name + ": ${" + result::variable_named(name) + "}\"";
    if (value == "$" + kept_in(name)) {
      return fmt::format(" ${{{}:+\"{}: {}\"}}", kept_in(name), name, value);
    }
    return " " + shell_quote(fmt::format("{}: {}", name, value));
  }

  std::string secrets() const {
    std::string options;
    if (!target_.authorization.empty()) options += option("Authorization", target_.authorization);
    for (const auto& [name, value] : own_) options += option(name, value);
    return options;
  }

  // In a path curl takes brackets for a pattern, and leaves out dots.
  std::string_view as_it_stands(const corpus::HttpDetails& details) const {
    const std::string& path = details.path.empty() ? target_.path : details.path;
    const bool is_odd =
        path.find_first_of("[]{}") != std::string::npos || path.find("/.") != std::string::npos;
    return is_odd ? " -g --path-as-is" : "";
  }

  std::string line(const corpus::HttpDetails& details, const dialogue::Message& message,
                   std::string_view output) const {
    const auto fields = session::http_request_fields(target_, session_.fields(message, own_),
                                                     details, message.text().size());
    // Of a long message curl would ask first whether it is wanted, which we do not.
    const std::string_view unasked = message.text().size() < kLongestTyped ? "" : " -H Expect:";
    const std::string begin = fmt::format("curl -sS {}{}{}{}", output, waits_long_enough_, unasked,
                                          as_it_stands(details));
    return is_short(details, fields) ? short_line(begin, details, message.text(), fields)
                                     : whole_line(begin, details, message.text(), fields);
  }

  // What nobody has asked for otherwise: a Host of the user's own may be the only one that is
  // served.
  bool is_left_to_curl(const corpus::HttpDetails& details, std::string_view name) const {
    const bool is_of_case =
        std::any_of(details.headers.begin(), details.headers.end(),
                    [&](const auto& field) { return same_ignoring_case(field.first, name); });
    return is_said_by_curl(name) && !is_of_case && !wire::field_of(own_, name);
  }

  // Most of what is to be typed curl says by itself with --json.
  bool is_short(const corpus::HttpDetails& details, const wire::HttpFields& fields) const {
    const bool is_plain =
        details.method == "POST" && details.path.empty() && details.headers.empty();
    return is_plain && wire::field_of(fields, "Accept") && wire::field_of(fields, "Content-Type");
  }

  std::string short_line(const std::string& begin, const corpus::HttpDetails& details,
                         const std::string& message, const wire::HttpFields& fields) const {
    std::string more;
    for (const auto& field : fields) {
      if (is_left_to_curl(details, field.first) || is_said_by_json(field)) continue;
      more += option(field.first, field.second);
    }
    more += place(details);
    return is_typed(message) ? begin + " --json " + shell_quote(message) + more
                             : shell_printer(message) + " | " + begin + " --json @-" + more;
  }

  std::string whole_line(const std::string& begin, const corpus::HttpDetails& details,
                         const std::string& message, const wire::HttpFields& fields) const {
    const bool has_body = details.method != "GET" || !message.empty();
    std::string line =
        (has_body ? shell_printer(message) + " | " : "") + begin + " -X " + details.method;
    for (const auto& [name, value] : fields) {
      if (!is_left_to_curl(details, name)) line += option(name, value);
    }
    for (const auto name : kSentByCurl) {
      if (!wire::field_of(fields, name)) line += " -H " + shell_quote(std::string(name) + ":");
    }
    if (has_body) line += " --data-binary @-";
    return line + place(details);
  }

  // Behind its scheme and authority the variable holds the path.
  std::string request_line(const corpus::HttpDetails& details) const {
    const bool is_post = details.method == "POST" && details.path.empty();
    if (manner_.has_endpoint_stream && is_post) return "\"POST /${at#*://*/} HTTP/1.1\"";
    const std::string& path = details.path.empty() ? target_.path : details.path;
    return shell_quote(fmt::format("{} {} HTTP/1.1", details.method, path));
  }

  void add_request(const corpus::Step& step, const dialogue::Message& message,
                   PiecePrinter& printer) const {
    const auto own = session_.fields(message, own_);
    const std::string request = session::http_request_for(target_, own, step.http, message.text());
    const std::size_t body_at = request.find("\r\n\r\n") + 4;
    std::vector<std::size_t> in_head;
    corpus::Step in_body;
    in_body.write_every = step.write_every;
    bool is_apart = step.write_after_head || step.write_every > 0;
    for (const std::size_t end : session::cut_offsets(request.size(), 0, step.write_at)) {
      if (end < body_at) in_head.push_back(end);
      if (end > body_at) in_body.write_at.push_back(end - body_at);
      is_apart = is_apart || end == body_at;
    }
    std::string head = "printf '%s\\r\\n' " + request_line(step.http);
    for (const auto& [name, value] :
         session::http_request_fields(target_, own, step.http, message.text().size())) {
      head += head_line(name, value);
    }
    head += " ''";
    if (!in_head.empty()) {
      head += " | " + cutter(in_head);
    } else if (is_apart) {
      head = in_one_write(head);
    }
    printer.add_command(head);
    if (is_apart) printer.pause(kBehindHeadMs);
    printer.add(std::string_view(request).substr(body_at), in_body);
  }

  // Requests whose bytes matter, or their connection: each step behind the answer to the one
  // before, and what a step sends in one write.
  std::string bytes_line(std::span<const corpus::Step> steps) const {
    const auto way = way_to(target_);
    PiecePrinter printer;
    for (const auto& step : steps) {
      const bool is_first = &step == &steps.front();
      if (!is_first) printer.pause(std::max(step.listen_first_ms, kMomentByHand));
      PiecePrinter requests;
      if (is_in_pieces(step) && is_first) requests.pause(kMomentByHand);
      for (const auto& message : step.messages) add_request(step, message, requests);
      printer.add_command(is_in_pieces(step) ? requests.all() : in_one_write(requests.all()));
    }
    if (steps.back().end_of_input) return printer.all() + " | " + way.half_closing;
    printer.pause(waits_long_enough_.empty() ? kMomentByHand : kEnoughMs);
    return printer.all() + " | " + way.command;
  }

  const transport::Target& target_;
  const wire::HttpFields& own_;
  const HttpByHand& manner_;
  session::HttpSession session_;
  std::string waits_long_enough_;
  std::string lines_;
};

}  // namespace

std::string curl_lines(const corpus::Case& bound, const transport::Target& target,
                       const wire::HttpFields& extra_fields, const HttpByHand& manner) {
  return CurlLines(target, extra_fields, manner).of(bound);
}

}  // namespace jrpcheck::run
