#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "base/utf8.hpp"
#include "result/secrets.hpp"
#include "run/reproduce.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::run {
namespace {

constexpr std::uint32_t kReadableMask = 0;

std::string readable_frame(const wire::FrameDetails& details, std::string_view payload) {
  return wire::websocket_frame(details, payload,
                               details.mask ? std::optional(kReadableMask) : std::nullopt);
}

bool is_own_field(const wire::HttpFields& fields, std::string_view name) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const auto& field) { return field.first == name; });
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

// One line, because reports show line breaks as something else. Where the end comes is told by
// whoever closes, or by two seconds of silence. Without the package the line says what it needs.
constexpr std::string_view kPythonBegin =
    R"(exec("import asyncio, contextlib, sys\n)"
    R"(try: import websockets\n)"
    R"x(except ImportError: sys.exit(\"this needs the package websockets, of Debian )x"
    R"x(python3-websockets\")\n)x"
    R"(async def talk(url, *messages):\n)"
    R"( async with websockets.connect(url, max_size=None, close_timeout=1) as server:\n)"
    R"(  for message in messages: await server.send(message))";
// What answers one message comes before the next is sent.
constexpr std::string_view kPythonMoment = "; await asyncio.sleep(1)";
constexpr std::string_view kPythonEnd =
    R"(\n)"
    R"(  with contextlib.suppress(asyncio.TimeoutError):\n)"
    R"(   while True: print(await asyncio.wait_for(server.recv(), 2))\n)"
    R"x(asyncio.run(talk(*sys.argv[1:]))"))x";

// Linux takes 128 KiB as one argument.
constexpr std::size_t kLongestArgument = 100'000;

// What reports would show in another way could not be pasted.
bool is_fit_for_argument(std::string_view message) {
  return message.size() <= kLongestArgument && message.find('\0') == std::string_view::npos &&
         is_valid_utf8(message) && to_visible(message, std::string::npos / 2) == message;
}

bool is_of_whole_messages(const corpus::Step& step) {
  const bool comes_apart = step.write_every > 0 || !step.write_at.empty();
  return step.frames.empty() && !step.raw && !step.handshake && step.http.headers.empty() &&
         step.then == corpus::Step::Then::read && !step.concurrently && !comes_apart;
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
  bool are_together = false;  // in one write, where others are to be answered first
  for (const auto& step : bound.steps) {
    are_together = are_together || step.messages.size() > 1;
    for (const auto& message : step.messages) messages.push_back(message.text());
  }
  const bool takes_turns = first.size() + bound.steps.size() > 1;
  if (messages.empty() || (are_together && takes_turns) ||
      !std::all_of(messages.begin(), messages.end(), is_fit_for_argument)) {
    return std::nullopt;
  }
  const std::string code =
      fmt::format("{}{}{}", kPythonBegin, takes_turns ? kPythonMoment : "", kPythonEnd);
  std::string line = fmt::format("python3 -c {} {}", shell_quote(code),
                                 shell_quote("ws://" + target.authority + target.path));
  for (const auto& message : messages) line += " " + shell_quote(message);
  return line;
}

// What is said on connections, each of which begins with a handshake.
class WebSocketByHand {
 public:
  WebSocketByHand(const session::UpgradeSettings& settings, std::vector<std::string> first)
      : settings_(settings), first_(std::move(first)) {}

  PiecePrinter begin(const corpus::HttpDetails& details = {}) const {
    session::UpgradeSettings there = settings_;
    there.departures = details.headers;
    PiecePrinter printer;
    printer.add_command(upgrade_printer(there));
    printer.pause(kMomentByHand);
    return printer;
  }

  PiecePrinter begin_with_opening(const corpus::HttpDetails& details = {}) const {
    auto printer = begin(details);
    for (const auto& message : first_) {
      printer.add(readable_frame({}, message));
      printer.pause(kMomentByHand);
    }
    return printer;
  }

  PiecePrinter only(PiecePrinter printer, const corpus::Step& step) const {
    printer.add(frames_of(step), step);
    if (!is_reset(step)) printer.pause(kMomentByHand);
    return printer;
  }

  std::vector<PiecePrinter> each(const corpus::Step& step) const {
    std::vector<PiecePrinter> printers;
    for (const auto& message : step.messages) {
      printers.push_back(begin());
      printers.back().add(readable_frame({}, message.text()));
      printers.back().pause(kMomentByHand);
    }
    return printers;
  }

 private:
  const session::UpgradeSettings& settings_;
  std::vector<std::string> first_;
};

}  // namespace

std::string websocket_lines(const corpus::Case& bound, const session::UpgradeSettings& settings,
                            const session::Opening& opening, const WayByHand& way) {
  const auto first = first_messages(bound, opening);
  if (auto line = python_line(first, bound, settings)) return *line;
  const WebSocketByHand speaker(settings, first);
  LinesByHand lines(way);
  std::optional<PiecePrinter> on_one;
  const auto end_one = [&] {
    if (auto printer = std::exchange(on_one, std::nullopt)) lines.add(*std::move(printer));
  };
  for (const auto& step : bound.steps) {
    const bool leaves = step.then != corpus::Step::Then::read;
    if (leaves || step.handshake || step.concurrently) end_one();
    if (leaves) {
      lines.add_leaving(speaker.only(speaker.begin(), step), step.then);
    } else if (step.handshake) {
      lines.add(speaker.only(speaker.begin_with_opening(step.http), step));
    } else if (step.concurrently) {
      lines.add_side_by_side(speaker.each(step));
    } else {
      on_one = speaker.only(on_one ? *std::move(on_one) : speaker.begin_with_opening(), step);
    }
  }
  end_one();
  return lines.all();
}

}  // namespace jrpcheck::run
