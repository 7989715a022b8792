#include "run/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "base/utf8.hpp"
#include "result/secrets.hpp"
#include "run/empty_folder.hpp"
#include "session/folder.hpp"
#include "session/framed_stream.hpp"
#include "session/http_conversation.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::run {
namespace {

bool is_own_field(const wire::HttpFields& fields, std::string_view name) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const auto& field) { return field.first == name; });
}

// Whose certificate counts is asked for as a client does; what comes after the end of the input is
// not waited for.
std::string openssl_to(const transport::Target& target) {
  const auto& tls = target.tls;
  std::string line = "openssl s_client -quiet -no_ign_eof -connect " + shell_quote(target.where());
  if (!tls.is_insecure) line += " -verify_return_error";
  if (!tls.authorities.empty()) line += " -CAfile " + shell_quote(tls.authorities);
  if (!tls.certificate.empty()) line += " -cert " + shell_quote(tls.certificate);
  if (!tls.key.empty()) line += " -key " + shell_quote(tls.key);
  if (!tls.server_name.empty()) line += " -servername " + shell_quote(tls.server_name);
  return line;
}

}  // namespace

namespace {

// Behind the end of its input it waits so many seconds for what comes back.
const std::string kSocat = "socat -t 2 - ";

}  // namespace

std::string streams_to(const transport::Target& target) {
  if (target.scheme->over_tls) return openssl_to(target);
  std::string address = std::string(target.scheme->by_hand) + ":";
  if (!target.address.host.empty()) return kSocat + shell_quote(address + target.where());
  // Within the path of a socket these would mean something to socat(1).
  for (const char c : target.where()) {
    if (std::string_view("\\\"',:!").find(c) != std::string_view::npos) address += '\\';
    address += c;
  }
  return kSocat + shell_quote(address);
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
    const bool is_secret = name == "Authorization" || is_own_field(settings.extra_fields, name);
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

namespace {

// What comes first on each connection; nothing where the case is about that.
std::vector<std::string> first_messages(const corpus::Case& bound,
                                        const session::Opening& opening) {
  return bound.session == corpus::Case::Session::bare ? std::vector<std::string>()
                                                      : opening.messages;
}

}  // namespace

namespace {

// One line, because reports show line breaks as something else. Where the end comes is told by
// whoever closes, or by two seconds of silence.
constexpr std::string_view kPythonClient =
    R"(exec("import asyncio, contextlib, sys, websockets\n)"
    R"(async def talk(url, *messages):\n)"
    R"( async with websockets.connect(url, max_size=None, close_timeout=1) as server:\n)"
    R"(  for message in messages: await server.send(message)\n)"
    R"(  with contextlib.suppress(asyncio.TimeoutError):\n)"
    R"(   while True: print(await asyncio.wait_for(server.recv(), 2))\n)"
    R"x(asyncio.run(talk(*sys.argv[1:]))"))x";

// Linux takes 128 KiB as one argument.
constexpr std::size_t kLongestArgument = 100'000;

bool is_fit_for_argument(std::string_view message) {
  return message.size() <= kLongestArgument && message.find('\0') == std::string_view::npos &&
         is_valid_utf8(message);
}

bool is_of_whole_messages(const corpus::Step& step) {
  return step.frames.empty() && !step.raw && !step.handshake && step.http.headers.empty() &&
         step.then == corpus::Step::Then::read;
}

// python3-websockets says the messages as they are read, but writes no frame and no field of the
// handshake otherwise than it is used to.
std::optional<std::string> python_line(const std::vector<std::string>& first,
                                       const corpus::Case& bound,
                                       const session::UpgradeSettings& settings) {
  const transport::Target& target = settings.target;
  const bool is_plain = !target.scheme->over_tls && target.authorization.empty() &&
                        settings.extra_fields.empty() && settings.subprotocols.empty();
  if (!is_plain || !std::all_of(bound.steps.begin(), bound.steps.end(), is_of_whole_messages)) {
    return std::nullopt;
  }
  std::vector<std::string> messages = first;
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) messages.push_back(message.text());
  }
  if (messages.empty() || !std::all_of(messages.begin(), messages.end(), is_fit_for_argument)) {
    return std::nullopt;
  }
  std::string line = fmt::format("python3 -c {} {}", shell_quote(kPythonClient),
                                 shell_quote("ws://" + target.authority + target.path));
  for (const auto& message : messages) line += " " + shell_quote(message);
  return line;
}

}  // namespace

std::string websocket_lines(const corpus::Case& bound, const session::UpgradeSettings& settings,
                            const session::Opening& opening, const std::string& command) {
  if (auto line = python_line(first_messages(bound, opening), bound, settings)) return *line;
  std::string lines;
  std::string first_frames;
  for (const auto& message : first_messages(bound, opening)) {
    first_frames += readable_frame({}, message);
  }
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

namespace {

constexpr std::size_t kSecond = 1000;  // milliseconds

// Prints the bytes of a case in the pieces that it is about.
class PiecePrinter {
 public:
  void add(std::string_view bytes) { ahead_ += bytes; }

  void add(std::string_view bytes, const corpus::Step& step) {
    if (step.write_every > 0) {
      flush();
      commands_ +=
          fmt::format("{} | dd bs={} status=none; ", shell_printer(bytes), step.write_every);
      return;
    }
    std::size_t begin = 0;
    for (const std::size_t end : session::cut_offsets(bytes.size(), 0, step.write_at)) {
      add(bytes.substr(begin, end - begin));
      flush();
      commands_ += "sleep 0.1; ";
      begin = end;
    }
    add(bytes.substr(begin));
  }

  void pause(std::size_t ms) {
    flush();
    commands_ += fmt::format("sleep {}; ", static_cast<double>(ms) / 1000);
    paused_ms_ += ms;
  }
  /// Whole seconds, of all pauses.
  std::size_t paused() const { return (paused_ms_ + kSecond - 1) / kSecond; }

  std::string all() {
    if (commands_.empty()) return shell_printer(std::exchange(ahead_, {}));
    flush();
    return "{ " + commands_ + "}";
  }

 private:
  void flush() {
    if (!ahead_.empty()) commands_ += shell_printer(std::exchange(ahead_, {})) + "; ";
  }

  std::string ahead_;     // goes with what comes next
  std::string commands_;  // each with its semicolon
  std::size_t paused_ms_ = 0;
};

// What the server was answered while it was opened, behind each message of the opening.
std::vector<std::string> answers_in(const std::vector<dialogue::Event>& opened) {
  std::vector<std::string> answers;
  for (const auto& event : opened) {
    if (event.direction != dialogue::Direction::sent) continue;
    if (event.note == "opening") answers.emplace_back();
    if (event.note == dialogue::kOwnAnswerNote && !answers.empty()) answers.back() += event.bytes;
  }
  return answers;
}

// Longer than it took in the run.
std::size_t pause_for(const std::vector<dialogue::Event>& opened) {
  if (opened.empty()) return kSecond;
  const auto took = std::chrono::floor<std::chrono::seconds>(opened.back().at - opened.front().at);
  return kSecond * (1 + static_cast<std::size_t>(took.count()));
}

bool is_about_exit(const corpus::Case& bound) {
  return std::ranges::any_of(bound.steps, [](const auto& step) {
    return !step.accept.empty() && step.accept.front().shape == corpus::Outcome::Shape::exited;
  });
}

}  // namespace

// Standard input stays open for a moment, because many programs leave at its end without answering;
// but where the case is about that end. A moment goes before whatever is sent behind an answer:
// many protocols forbid more before their handshake is answered (LSP 3.17, initialize; MCP,
// Lifecycle).
std::string pipe_line(const corpus::Case& bound, const wire::Binding& binding,
                      const session::Opening& opening, const std::string& command,
                      const AnswersByHand& given) {
  const auto framing = binding.framing({});
  const auto folder = opening.folder_place ? folder_by_hand() : FolderByHand();
  const auto in_folder = [&](const std::string& message) {
    return opening.folder_place ? session::with_folder(message, *opening.folder_place, folder.uri)
                                : message;
  };
  PiecePrinter printer;
  auto answers = answers_in(given.opened);
  const auto first = first_messages(bound, opening);
  answers.resize(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    printer.add(framing->encode(in_folder(first[i])));
    printer.pause(pause_for(given.opened));
    printer.add(answers[i]);
  }
  for (std::size_t i = 0; i < bound.steps.size(); ++i) {
    const corpus::Step& step = bound.steps[i];
    if (step.listen_first_ms > 0 || i > 0) {
      printer.pause(step.listen_first_ms > 0 ? step.listen_first_ms : kSecond);
    }
    std::string bytes;
    for (const auto& message : step.messages) {
      bytes += step.raw ? message.text()
                        : framing->encode(step.as_it_stands ? message.text()
                                                            : in_folder(message.text()));
    }
    printer.add(bytes, step);
    if (i >= given.in_steps.size() || given.in_steps[i].empty()) continue;
    printer.pause(kSecond);
    printer.add(given.in_steps[i]);
  }
  // openssl(1) knows no half of a close: it would leave before it is answered.
  const bool ends = std::any_of(bound.steps.begin(), bound.steps.end(),
                                [](const auto& step) { return step.end_of_input; });
  if (ends && !command.starts_with("openssl ")) {
    return fmt::format("{}{} | {}", folder.line, printer.all(), command);
  }
  // The end of its input would end a program that runs on; timeout(1) gives 124 for it.
  if (is_about_exit(bound) && !binding.on_sockets) {
    const std::size_t limit = 3 + printer.paused();
    printer.pause(4 * kSecond);
    return fmt::format("{}{} | {{ timeout {} {}; echo \"exit code $?\"; }}", folder.line,
                       printer.all(), limit, command);
  }
  printer.pause(kSecond);
  return fmt::format("{}{} | {}", folder.line, printer.all(), command);
}

namespace {

bool is_drawn_by_lot(const dialogue::Event& answer) {
  constexpr std::size_t kCounted = 16;  // characters; servers that count have shorter ones
  const auto begin = answer.bytes.find('{');
  if (answer.note != dialogue::kOwnAnswerNote || begin == std::string::npos) return false;
  const dialogue::Message message(answer.bytes.substr(begin));
  return json::text_of(message.find("id")).size() > kCounted;
}

}  // namespace

bool asks_under_ids_by_lot(const std::vector<dialogue::Event>& events) {
  return std::ranges::any_of(events, is_drawn_by_lot);
}

std::optional<std::vector<std::string>> own_answers(const corpus::Case& bound,
                                                    const std::vector<dialogue::Event>& events) {
  if (asks_under_ids_by_lot(events)) return std::nullopt;
  std::vector<std::string> answers(bound.steps.size());
  for (const auto& event : events) {
    if (event.note != dialogue::kOwnAnswerNote || !event.step) continue;
    if (bound.session == corpus::Case::Session::shared) return std::nullopt;
    answers.at(*event.step) += event.bytes;
  }
  return answers;
}

}  // namespace jrpcheck::run
