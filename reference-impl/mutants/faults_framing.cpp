// Defects in telling messages apart on a stream, and in writing them so that they can be.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/letter_case.hpp"
#include "base/utf8.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/decorated_framing.hpp"
#include "reference-impl/mutants/rewrites.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::reference {

namespace {

using wire::Frame;
using wire::Framing;

constexpr std::size_t kLineBuffer = 65'536;

std::size_t utf16_units_in(std::string_view text) {
  const auto beyond_the_plane = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xF8U) == 0xF0U;
  });
  return characters_in(text) + static_cast<std::size_t>(beyond_the_plane);
}

Behaviour with_length(std::size_t (*length)(std::string_view payload)) {
  return on_writing([length](Framing&, std::string_view payload) {
    return "Content-Length: " + std::to_string(length(payload)) + "\r\n\r\n" + std::string(payload);
  });
}

Behaviour with_length_line(std::string (*head)(std::size_t length)) {
  return on_writing([head](Framing&, std::string_view payload) {
    return head(payload.size()) + std::string(payload);
  });
}

bool has_only_lengths(std::string_view head) {
  while (head.size() > 2) {
    const std::string_view line = head.substr(0, head.find('\n') + 1);
    if (!same_ignoring_case(line.substr(0, line.find(':')), "Content-Length")) return false;
    head.remove_prefix(line.size());
  }
  return true;
}

bool length_is_last(std::string_view head) {
  const std::size_t line = head.rfind('\n', head.size() - 4);
  const std::string_view last = head.substr(line == head.npos ? 0 : line + 1);
  return same_ignoring_case(last.substr(0, last.find(':')), "Content-Length");
}

/// Of the messages in a piece only the first is read.
class FirstOfPiece final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  void feed(std::string_view bytes) override {
    DecoratedFraming::feed(bytes);
    taken_ = false;
  }

  std::optional<Frame> next() override {
    auto frame = DecoratedFraming::next();
    if (!std::exchange(taken_, frame.has_value())) return frame;
    while (DecoratedFraming::next()) {
    }
    return std::nullopt;
  }

 private:
  bool taken_ = false;
};

/// What is read at once is one line, whatever stands in it.
class LineEachPiece final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  void feed(std::string_view bytes) override {
    std::string line(bytes);
    std::replace(line.begin(), line.end(), '\n', ' ');
    DecoratedFraming::feed(line + '\n');
  }
};

/// What follows a message that is not JSON in the same piece is lost.
class DroppingAfterBroken final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  void feed(std::string_view bytes) override {
    DecoratedFraming::feed(bytes);
    dropping_ = false;
  }

  std::optional<Frame> next() override {
    auto frame = DecoratedFraming::next();
    while (frame && dropping_) frame = DecoratedFraming::next();
    if (frame && !is_json(frame->payload)) dropping_ = true;
    return frame;
  }

 private:
  bool dropping_ = false;
};

/// Each piece is decoded on its own: of a character that is cut, U+FFFD is left.
class DecodingPieces final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  void feed(std::string_view bytes) override {
    std::string text(bytes);
    while (const auto at = find_invalid_utf8(text)) text.replace(*at, 1, "\xEF\xBF\xBD");
    DecoratedFraming::feed(text);
  }
};

/// A body ends when so many characters have come, and so takes from the message behind it. What is
/// left of that is a head that says no length, with whatever follows it.
class BodiesInCharacters final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  void feed(std::string_view bytes) override {
    held_ += bytes;
    for (std::size_t end = 0; (end = held_.find(kEndOfHead)) != held_.npos;) {
      const std::size_t head = end + kEndOfHead.size();
      const auto length = length_in(std::string_view(held_).substr(0, head));
      const std::size_t taken = length ? end_of_body(head, *length) : head;
      if (taken == held_.npos) return;
      if (length) DecoratedFraming::feed(proper().encode(held_.substr(head, taken - head)));
      held_.erase(0, taken);
    }
  }

 private:
  static constexpr std::string_view kEndOfHead = "\r\n\r\n";

  static std::optional<unsigned long> length_in(std::string_view head) {
    while (!head.empty()) {
      const std::string_view line = head.substr(0, head.find('\n') + 1);
      const std::size_t colon = line.find(':');
      if (same_ignoring_case(line.substr(0, colon), "Content-Length"))
        return std::strtoul(line.data() + colon + 1, nullptr, 10);
      head.remove_prefix(line.size());
    }
    return std::nullopt;
  }

  std::size_t end_of_body(std::size_t begin, unsigned long characters) const {
    std::size_t end = begin;
    const auto is_within_character = [&] { return (held_[end] & 0xC0) == 0x80; };
    for (; end < held_.size() && (characters > 0 || is_within_character()); ++end) {
      if (!is_within_character()) --characters;
    }
    return characters == 0 ? end : held_.npos;
  }

  std::string held_;
};

/// A message must come in one piece: what has begun is forgotten when the next piece comes.
class WholePieces final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  void feed(std::string_view bytes) override {
    if (bytes.find('\n') != bytes.npos) DecoratedFraming::feed(bytes);
  }
};

/// Waits for ever for the rest of a message that the end of input has cut off.
class WaitingForTheRest final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  void end_of_input() override {
    DecoratedFraming::end_of_input();
    ended_ = true;
  }

  std::optional<Frame> next() override {
    auto frame = DecoratedFraming::next();
    if (ended_ && frame && !frame->is_message()) throw Catastrophe{Catastrophe::Manner::hang};
    return frame;
  }

 private:
  bool ended_ = false;
};

/// After a header that says no length nothing is found any more.
class LostAfterBadHeader final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  std::optional<Frame> next() override {
    auto frame = DecoratedFraming::next();
    lost_ = lost_ || (frame && !frame->is_message());
    return lost_ ? std::nullopt : frame;
  }

 private:
  bool lost_ = false;
};

/// A header that comes in pieces is not put together: the first of them is forgotten.
class HeadersInOnePiece final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  void feed(std::string_view bytes) override {
    const bool is_begin_of_header = bytes.size() < kShortestHeader && bytes.starts_with("Con");
    if (!is_begin_of_header) DecoratedFraming::feed(bytes);
  }

 private:
  static constexpr std::size_t kShortestHeader = 20;
};

std::string pretty(std::string_view payload) {
  std::string out;
  bool in_string = false;
  for (std::size_t at = 0; at < payload.size(); ++at) {
    const char c = payload[at];
    out += c;
    if (c == '\\' && at + 1 < payload.size()) out += payload[++at];
    if (c == '"') in_string = !in_string;
    if (!in_string && (c == ',' || c == '{')) out += "\n  ";
  }
  return out;
}

}  // namespace

Behaviour reading_heads(bool (*understands)(std::string_view head)) {
  return on_frame([understands](Frame frame) -> std::optional<Frame> {
    if (frame.is_message() && !understands(frame.head)) frame.violation = "the header is unknown";
    return frame;
  });
}

Behaviour reading_bodies_in_characters() { return framed_by<BodiesInCharacters>(); }

std::span<const Mutant> framing_faults() {
  static const Mutant all[] = {
      {"lines-pretty-printed", breaks("std-one-line"), kLines,
       "Results are spread over several lines.",
       on_writing([](Framing& proper, std::string_view payload) {
         const bool is_result = payload.find("\"result\"") != payload.npos;
         return proper.encode(is_result ? pretty(payload) : std::string(payload));
       })},
      {"lines-raw-line-feeds", breaks("std-one-line"), kLines,
       "Line feeds in Strings are written without escapes.",
       on_writing([](Framing& proper, std::string_view payload) {
         std::string text(payload);
         for (auto at = text.find("\\n"); at != text.npos; at = text.find("\\n")) {
           text.replace(at, 2, "\n");
         }
         return proper.encode(text);
       })},
      {"lines-without-end", breaks("std-one-line").perhaps("json-whitespace"), kLines,
       "Replies are not ended by a line feed.",
       on_writing([](Framing&, std::string_view payload) { return std::string(payload); })},
      {"lines-buffer-of-64-kib", breaks("res-always").perhaps("rob-depth"), kLines,
       "Longer lines are dropped.", on_frame([](Frame frame) -> std::optional<Frame> {
         if (frame.payload.size() > kLineBuffer) return std::nullopt;
         return frame;
       })},
      {"lines-whole-pieces-only", breaks("rob-split").perhaps("id-string-exact", "res-always"),
       kLinesAndTcp, "The beginning of a line is lost when its end comes later.",
       framed_by<WholePieces>()},
      {"header-in-one-piece", breaks("rob-split").perhaps("id-echo", "res-once"), kContentLength,
       "The beginning of a header is lost when its end comes later.",
       framed_by<HeadersInOnePiece>()},
      {"lines-carriage-return-refused", breaks("json-whitespace").perhaps("tcp-line-tolerance"),
       kLinesAndTcp, "A carriage return at the end of a line makes it no JSON.",
       Behaviour{.arriving =
                     [](std::string_view bytes) {
                       std::string text(bytes);
                       std::replace(text.begin(), text.end(), '\r', '\f');
                       return text;
                     }}},
      {"pieces-decoded-alone", breaks("rob-split").perhaps("json-utf8"), kLinesAndTcp,
       "A character whose bytes come in two pieces is damaged.", framed_by<DecodingPieces>()},
      {"first-of-piece-only", breaks("rob-pipelined").perhaps("tcp-coalesced", "rob-split"),
       kStreamsAndTcp, "Of messages that come together only the first is read.",
       framed_by<FirstOfPiece>()},
      {"line-each-piece", breaks("rob-pipelined").perhaps("tcp-coalesced", "rob-split"),
       kLinesAndTcp, "What is read at once is taken for one line.", framed_by<LineEachPiece>()},
      {"dropped-behind-broken", breaks("rob-pipelined").perhaps("lsp-bad-length"), kStreamsAndTcp,
       "What comes together with a message that is not JSON, and after it, is lost.",
       framed_by<DroppingAfterBroken>()},
      {"length-in-characters", breaks("lsp-length"), kContentLength,
       "Content-Length counts characters.", with_length(characters_in)},
      {"batch-length-in-characters", breaks("lsp-length"), kContentLength,
       "Content-Length counts characters where an Array is sent.",
       with_length([](std::string_view payload) {
         return payload.starts_with('[') ? characters_in(payload) : payload.size();
       })},
      {"length-in-utf-16-units", breaks("lsp-length"), kContentLength,
       "Content-Length counts units of UTF-16.", with_length(utf16_units_in)},
      {"length-one-too-small", breaks("lsp-length"), kContentLength, "Content-Length is one short.",
       with_length([](std::string_view payload) { return payload.size() - 1; })},
      {"length-one-too-large", breaks("lsp-length"), kContentLength,
       "Content-Length is one too large.",
       with_length([](std::string_view payload) { return payload.size() + 1; })},
      {"length-read-in-characters",
       breaks("lsp-length")
           .perhaps("err-code-parse", "id-string-exact", "json-utf8", "res-always", "rob-split"),
       kContentLength,
       "A body is complete when so many characters have come: one that is not ASCII never is.",
       on_frame([](Frame frame) -> std::optional<Frame> {
         if (characters_in(frame.payload) != frame.payload.size()) return std::nullopt;
         return frame;
       })},
      // Bytes that are no characters are waited for in vain.
      {"length-read-over",
       breaks("lsp-length").perhaps("rob-survives", "id-string-exact", "lsp-bad-length"),
       kContentLength,
       "A body is read until so many characters have come, into the message behind it.",
       reading_bodies_in_characters()},
      {"header-line-feeds", breaks("lsp-header-syntax"), kContentLength,
       "Headers end in a line feed alone.", with_length_line([](std::size_t length) {
         return "Content-Length: " + std::to_string(length) + "\n\n";
       })},
      {"header-left-out", breaks("lsp-header-syntax"), kContentLength,
       "Replies come without headers.",
       with_length_line([](std::size_t) { return std::string(); })},
      {"header-not-closed", breaks("lsp-header-syntax").perhaps("rob-survives"), kContentLength,
       "There is no empty line after the headers.", with_length_line([](std::size_t length) {
         return "Content-Length: " + std::to_string(length) + "\r\n";
       })},
      {"body-followed-by-line-end", breaks("std-clean"), kContentLength,
       "A line end that Content-Length does not count follows the body.",
       on_writing([](Framing& proper, std::string_view payload) {
         return proper.encode(payload) + "\r\n";
       })},
      {"header-matched-with-case", breaks("lsp-header-tolerance"), kContentLength,
       "Content-Length is known in that spelling alone.", reading_heads([](std::string_view head) {
         return head.find("Content-Length:") != head.npos;
       })},
      {"header-others-refused", breaks("lsp-header-tolerance"), kContentLength,
       "Headers beside Content-Length are not understood.", reading_heads(has_only_lengths)},
      {"header-must-be-last", breaks("lsp-header-tolerance"), kContentLength,
       "Headers after Content-Length are not understood.", reading_heads(length_is_last)},
      {"header-must-be-first", breaks("lsp-header-tolerance"), kContentLength,
       "Headers before Content-Length are not understood.",
       reading_heads([](std::string_view head) {
         return same_ignoring_case(head.substr(0, head.find(':')), "Content-Length");
       })},
      {"half-message-awaited", breaks("rob-half-message"), kStreams,
       "The rest of a message that the end of input has cut off is waited for.",
       framed_by<WaitingForTheRest>()},
      {"bad-length-desynchronises", breaks("lsp-bad-length"), kContentLength,
       "After a Content-Length that is no length no message is found any more.",
       framed_by<LostAfterBadHeader>()},
      {"bad-length-fatal", breaks("lsp-bad-length"), kContentLength,
       "A Content-Length that is no length ends the process.",
       on_frame([](Frame frame) -> std::optional<Frame> {
         if (!frame.is_message()) throw Catastrophe{Catastrophe::Manner::abort};
         return frame;
       })},
      {"header-type-refused", breaks("lsp-header-tolerance"), kContentLength,
       "A Content-Type beside Content-Length is not understood.",
       reading_heads([](std::string_view head) {
         return in_lower_case(std::string(head)).find("content-type:") == std::string::npos;
       })},
  };
  return all;
}

}  // namespace jrpcheck::reference
