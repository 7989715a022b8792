// misbehaving-server --MODE [--http PORT]: a JSON-RPC server that breaks one thing.
//
// `--list` names the modes. What a mode does not break it does right.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "testing/misbehaving_mode.hpp"

namespace misbehaving {
namespace {

constexpr std::string_view kUnasked =
    "{\"jsonrpc\":\"2.0\",\"method\":\"progress\",\"params\":{\"percent\":50}}\n"
    "{\"jsonrpc\":\"2.0\",\"method\":\"window/ask\",\"params\":[\"?\"],\"id\":1}\n";

Mode flawed(std::string_view name, bool Flaws::*flaw) {
  Mode mode{name};
  mode.flaws.*flaw = true;
  return mode;
}

Flaws swapping_codes() {
  Flaws flaws;
  flaws.swaps_codes = true;
  return flaws;
}

const std::vector<Mode>& all_modes() {
  static const std::vector<Mode> kModes = {
      {"ordinary"},
      {"exits-at-once", Habit::exits_at_once},
      {"never-answers", Habit::never_answers},
      {"prompts", Habit::prompts},
      {"prints-banner", Habit::prints_banner},
      {"prints-log", Habit::prints_log},
      {"dies-on-not-json", Habit::dies_on_not_json},
      {"dies-on-fault", Habit::dies_on_fault},
      {"aborts-on-empty-batch", Habit::aborts_on_empty_batch},
      {"deaf-after-not-json", Habit::deaf_after_not_json},
      {"answers-twice", Habit::answers_twice},
      {"half-a-line", Habit::half_a_line},
      {"floods-output", Habit::floods_output},
      {"floods-errors", Habit::floods_errors},
      {"speaks-unasked", Habit::speaks_unasked},
      {"slow", Habit::slow},
      {"ends-lines-with-crlf", Habit::ends_lines_with_crlf},
      {"writes-in-pieces", Habit::writes_in_pieces},
      {"server-error", Habit::server_error},
      {"closes-on-not-json", Habit::closes_on_not_json},
      {"ignores-notifications", Habit::ignores_notifications},
      {"closes-after-each", Habit::closes_after_each},
      {"one-at-a-time", Habit::one_at_a_time},
      {"wrong-type", Habit::wrong_type},
      {"keeps-what-is-broken", Habit::keeps_what_is_broken},
      {"fills-a-cache", Habit::fills_a_cache},
      {"fails-at-times", Habit::fails_at_times},
      {"repeats-secrets", Habit::repeats_secrets, swapping_codes()},
      flawed("omits-version", &Flaws::omits_version),
      flawed("loses-id-on-errors", &Flaws::loses_id_on_errors),
      flawed("id-as-string", &Flaws::id_as_string),
      flawed("swaps-codes", &Flaws::swaps_codes),
      flawed("answers-notifications", &Flaws::answers_notifications),
      flawed("answers-silence-with-empty-array", &Flaws::answers_silence_with_empty_array),
      flawed("drops-batch-member", &Flaws::drops_batch_member),
      flawed("null-result-beside-error", &Flaws::null_result_beside_error),
      flawed("error-is-text", &Flaws::error_is_text),
      flawed("invalid-is-parse-error", &Flaws::invalid_is_parse_error),
      flawed("refuses-batches", &Flaws::refuses_batches),
      flawed("wrong-difference", &Flaws::wrong_difference),
      flawed("reverses-batches", &Flaws::reverses_batches),
      flawed("spaced", &Flaws::spaced),
      flawed("adds-data", &Flaws::adds_data),
      flawed("echoes-id-of-invalid", &Flaws::echoes_id_of_invalid),
  };
  return kModes;
}

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count <= 0) std::_Exit(0);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

class LineServer {
 public:
  explicit LineServer(const Mode& mode) : mode_(mode) {}

  int run() {
    if (mode_.habit == Habit::prints_banner) say("Example server 1.0 is ready\n");
    if (mode_.habit == Habit::prompts) say("Welcome!\n> ");
    std::string buffer;
    char piece[65536];
    for (;;) {
      const ssize_t count = ::read(STDIN_FILENO, piece, sizeof piece);
      if (count <= 0) break;
      std::size_t searched = buffer.size();
      buffer.append(piece, static_cast<std::size_t>(count));
      std::size_t begin = 0;
      for (auto end = buffer.find('\n', searched); end != std::string::npos;
           end = buffer.find('\n', begin)) {
        answer(std::string_view(buffer).substr(begin, end - begin));
        begin = end + 1;
      }
      buffer.erase(0, begin);
    }
    while (mode_.habit == Habit::never_answers) ::pause();
    return 0;
  }

 private:
  static void say(std::string_view text) { write_all(STDOUT_FILENO, text); }

  void answer(std::string_view message) {
    break_down_over(message);
    if (mode_.habit == Habit::never_answers || deaf_) return;
    if (mode_.habit == Habit::prompts) return say("unknown command\n> ");
    if (mode_.habit == Habit::prints_log) say("INFO one message came in\n");
    if (mode_.habit == Habit::speaks_unasked) say(kUnasked);
    if (mode_.habit == Habit::floods_errors) flood_errors();
    if (mode_.habit == Habit::slow) ::poll(nullptr, 0, 20);
    const std::string reply = reply_to(message, flaws_now(message));
    if (reply.empty()) return;
    send(reply + (mode_.habit == Habit::ends_lines_with_crlf ? "\r\n" : "\n"));
    if (mode_.habit == Habit::answers_twice && kind_of(message) == Kind::call) send(reply + "\n");
  }

  Flaws flaws_now(std::string_view message) {
    Flaws flaws = mode_.flaws;
    const auto says = [message](std::string_view word) {
      return message.find(word) != std::string_view::npos;
    };
    if (mode_.habit == Habit::fails_at_times && says("at-times")) {
      flaws.swaps_codes = ++answers_ % 2 == 1;
      flaws.omits_version = answers_ % 2 == 0 && says("at-times-worse");
    }
    if (mode_.habit == Habit::repeats_secrets) flaws.repeats = what_it_was_given();
    return flaws;
  }

  void break_down_over(std::string_view message) {
    const Kind kind = kind_of(message);
    switch (mode_.habit) {
      case Habit::repeats_secrets:
        if (kind == Kind::not_json) die(what_it_was_given());
        break;
      case Habit::dies_on_not_json:
        if (kind == Kind::not_json) die("SyntaxError: that is not JSON");
        break;
      case Habit::dies_on_fault:
        if (has_fault(message)) die("TypeError: that is no Request");
        break;
      case Habit::aborts_on_empty_batch:
        if (kind == Kind::empty_batch) std::abort();
        break;
      case Habit::deaf_after_not_json:
        deaf_ = deaf_ || kind == Kind::not_json;
        break;
      case Habit::keeps_what_is_broken:
      case Habit::fills_a_cache:
        if (kind == Kind::not_json) keep();
        break;
      case Habit::half_a_line:
        say(R"({"jsonrpc":"2.0","resu)");
        std::_Exit(0);
      case Habit::floods_output:
        for (;;) say("yes, yes, yes, yes, yes, yes, yes, yes\n");
      default:
        break;
    }
  }

  void keep() {
    constexpr std::size_t kCache = 320;
    if (mode_.habit == Habit::fills_a_cache && kept_.size() >= kCache) return;
    kept_.emplace_back(std::size_t{64} << 10U, 'x');
  }

  [[noreturn]] static void die(std::string words) {
    std::cerr << words << std::endl;
    std::_Exit(3);
  }

  // All of it before the first answer: a reader that does not drain standard error waits for ever.
  void flood_errors() {
    const std::string line(std::size_t{1} << 20U, 'x');
    for (int i = 0; i < 20 && !flooded_; ++i) write_all(STDERR_FILENO, line);
    flooded_ = true;
  }

  void send(std::string_view text) const {
    if (mode_.habit != Habit::writes_in_pieces) return say(text);
    for (; text.size() > 7; text.remove_prefix(7)) say(text.substr(0, 7));
    say(text);
  }

  const Mode& mode_;
  bool deaf_ = false;
  bool flooded_ = false;
  unsigned answers_ = 0;
  std::vector<std::string> kept_;
};

const Mode* find_mode(std::string_view word) {
  for (const auto& mode : all_modes()) {
    if (word.substr(0, 2) == "--" && word.substr(2) == mode.name) return &mode;
  }
  return nullptr;
}

int usage() {
  std::cerr << "misbehaving-server --MODE [--http PORT]; misbehaving-server --list\n";
  return 2;
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "--list") {
    for (const auto& mode : all_modes()) std::cout << mode.name << "\n";
    return 0;
  }
  const Mode* mode = words.empty() ? nullptr : find_mode(words[0]);
  if (mode == nullptr) return usage();
  if (mode->habit == Habit::exits_at_once) {
    std::cerr << "misbehaving-server: the file of settings is missing" << std::endl;
    return 1;
  }
  const bool takes_any = mode->habit == Habit::repeats_secrets;
  const bool http = words.size() > 2 && words[1] == "--http";
  if (takes_any) return http ? serve_http(*mode, std::atoi(words[2].c_str())) : serve_lines(*mode);
  if (words.size() == 1) return serve_lines(*mode);
  if (words.size() != 3 || words[1] != "--http") return usage();
  return serve_http(*mode, std::atoi(words[2].c_str()));
}

}  // namespace

namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
    unsigned long bits = 0;
    for (const char c : bytes.substr(i, 3)) bits = bits << 8U | static_cast<unsigned char>(c);
    for (const unsigned shift : {18U, 12U, 6U, 0U}) text += kDigits[bits >> shift & 0x3FU];
  }
  return text;
}

// What is as long as a token is, in the spellings in which logs and errors have it.
std::string spelled_otherwise(const std::string& line) {
  constexpr std::size_t kToken = 32;
  const std::string value = line.substr(line.find('=') + 1);
  if (value.size() != kToken) return {};
  std::string text;
  for (const char* format : {"%02x", "%02X", "%02x:", "%02X ", "%02x-", "0x%02x, ", "%%%02X",
                             "%%%02x", "\\u%04X", "\\u%04x", "&#x%02x;", "&#%u;"}) {
    for (const char c : value) {
      char one[8];
      std::snprintf(one, sizeof one, format, static_cast<unsigned>(static_cast<unsigned char>(c)));
      text += one;
    }
    text += '\n';
  }
  for (const std::string before : {"", "x", "xy"}) {
    std::string encoded = base64(before + value + "zz") + "\n";
    text += encoded;
    std::ranges::replace(encoded, '+', '-');
    std::ranges::replace(encoded, '/', '_');
    text += encoded;
  }
  return text;
}

}  // namespace

std::string what_it_was_given() {
  std::string text = "cmdline and environ:\n";
  std::string spelled;
  for (const auto* path : {"/proc/self/cmdline", "/proc/self/environ"}) {
    std::ifstream in(path, std::ios::binary);
    for (std::string line; std::getline(in, line, '\0');) {
      text += line + "\n";
      spelled += spelled_otherwise(line);
    }
  }
  return text + spelled;
}

int serve_lines(const Mode& mode) { return LineServer(mode).run(); }

}  // namespace misbehaving

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  return misbehaving::run({argv + 1, argv + argc});
}
