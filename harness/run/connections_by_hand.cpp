#include "run/connections_by_hand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"

namespace jrpcheck::run {
namespace {

// Behind the end of its input it waits so many seconds for what comes back.
const std::string kSocat = "socat -t 2 - ";
constexpr std::size_t kSocatWaits = 2;

// Within an address of socat(1) these would mean something to it.
std::string escaped_for_socat(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\\"',:!").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string socat_to(const transport::Target& target) {
  const std::string address = std::string(target.scheme->by_hand) + ":";
  return kSocat +
         shell_quote(address + (target.address.host.empty() ? escaped_for_socat(target.where())
                                                            : target.where()));
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

// openssl(1) knows no half of a close: it would leave before it is answered.
std::string socat_over_tls_to(const transport::Target& target) {
  const auto& tls = target.tls;
  std::string address = "OPENSSL:" + target.where();
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) address += fmt::format(",{}={}", name, escaped_for_socat(value));
  };
  if (tls.is_insecure) address += ",verify=0";
  add("cafile", tls.authorities);
  add("cert", tls.certificate);
  add("key", tls.key);
  add("snihost", tls.server_name);
  add("commonname", tls.server_name);
  return kSocat + shell_quote(address);
}

// Python's statements that connect, and the arguments that they read.
struct PythonConnection {
  std::string statements;
  std::vector<std::string> arguments;

  std::string argument(const std::string& value) {
    arguments.push_back(value);
    return fmt::format("sys.argv[{}]", arguments.size());
  }
};

void add_tls(const transport::Target& target, PythonConnection& python) {
  const auto& tls = target.tls;
  if (tls.is_insecure) {
    python.statements += "import ssl; c = ssl._create_unverified_context(); ";
  } else {
    python.statements +=
        fmt::format("import ssl; c = ssl.create_default_context({}); ",
                    tls.authorities.empty() ? "" : "cafile=" + python.argument(tls.authorities));
  }
  if (!tls.certificate.empty()) {
    const auto certificate = python.argument(tls.certificate);
    const auto key = tls.key.empty() ? "None" : python.argument(tls.key);
    python.statements += fmt::format("c.load_cert_chain({}, {}); ", certificate, key);
  }
  const auto& name = tls.server_name.empty() ? target.address.host : tls.server_name;
  python.statements +=
      fmt::format("s = c.wrap_socket(s, server_hostname={}); ", python.argument(name));
}

// What socat(1) closes it shuts down first, which is an orderly end. Closed with a linger of no
// time a TCP connection is reset (RFC 9293 §3.9.1, ABORT).
std::string python_that_resets(const transport::Target& target, bool within_answer) {
  PythonConnection python;
  if (target.address.host.empty()) {
    python.statements = fmt::format("s = socket.socket(socket.AF_UNIX); s.connect({}); ",
                                    python.argument(target.where()));
  } else {
    const auto host = python.argument(target.address.host);
    const auto port = python.argument(target.address.port);
    python.statements = fmt::format("s = socket.create_connection(({}, {})); ", host, port);
  }
  if (target.scheme->over_tls) add_tls(target, python);
  const std::string code = fmt::format(
      "import socket, struct, sys; {}"
      "[s.sendall(b) for b in iter(lambda: sys.stdin.buffer.raw.read(65536), b\"\")]; {}"
      "s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack(\"ii\", 1, 0)); s.close()",
      python.statements, within_answer ? "s.recv(1); " : "");
  return "python3 -c " + shell_quote(code) + " " + shell_line(python.arguments);
}

}  // namespace

WayByHand way_to(const transport::Target& target) {
  const bool over_tls = target.scheme->over_tls;
  return {over_tls ? openssl_to(target) : socat_to(target),
          over_tls ? socat_over_tls_to(target) : socat_to(target),
          python_that_resets(target, false), python_that_resets(target, true)};
}

WayByHand way_into(const std::string& program) { return {program, program}; }

void LinesByHand::add(PiecePrinter printer) {
  const std::size_t seconds = printer.paused() + kSocatWaits;
  lines_.push_back({std::move(printer), {}, false, seconds});
}

void LinesByHand::add_leaving(PiecePrinter printer, corpus::Step::Then then) {
  using Then = corpus::Step::Then;
  Line line{std::move(printer)};
  line.is_held = then == Then::hold;
  line.seconds = line.printer.paused() + 1;
  if (!line.is_held) {
    const auto& command = then == Then::reset ? way_.resetting : way_.resetting_within_answer;
    line.text = line.printer.all() + " | " + command;
  }
  lines_.push_back(std::move(line));
}

void LinesByHand::add_side_by_side(std::vector<PiecePrinter> printers) {
  std::vector<std::string> texts;
  Line line;
  for (auto& printer : printers) {
    line.seconds = std::max(line.seconds, printer.paused() + kSocatWaits);
    texts.push_back(printer.all() + " | " + way_.command);
  }
  line.text = side_by_side(texts);
  lines_.push_back(std::move(line));
}

// What is held is so until the last line has ended.
std::string LinesByHand::all() {
  std::size_t seconds_left = 0;
  for (const auto& line : lines_) seconds_left += line.seconds;
  std::string text;
  bool any_is_held = false;
  for (auto& line : lines_) {
    seconds_left -= line.seconds;
    if (line.is_held) {
      line.printer.pause((seconds_left + 1) * kMomentByHand);
      text += fmt::format("{} | {} & sleep 1; ", line.printer.all(), way_.command);
      any_is_held = true;
    } else {
      if (line.text.empty()) line.text = line.printer.all() + " | " + way_.command;
      text += line.text + "; ";
    }
  }
  if (any_is_held) return "( " + text + "wait )";
  text.resize(text.size() - 2);
  return text;
}

bool is_reset(const corpus::Step& step) {
  using Then = corpus::Step::Then;
  return step.then == Then::reset || step.then == Then::reset_within_answer;
}

std::string side_by_side(const std::vector<std::string>& lines) {
  std::string text = "( ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("{} | LC_ALL=C awk '{{ print \"{}: \" $0 }}' & ", lines[i], i + 1);
  }
  return text + "wait )";
}

}  // namespace jrpcheck::run
