// Deep faults on streams, as real servers had them: of buffers, of what a connection remembers, of
// records of TLS, and of lengths before messages.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/decorated_framing.hpp"
#include "reference-impl/mutants/deep.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::array<std::size_t, 2> kSizesOfBuffers = {256, 512};
constexpr std::size_t kSlots = 40;
constexpr std::size_t kCachedCalls = 16;
constexpr std::size_t kBlockOfRecord = 128;
constexpr std::size_t kFewBlocks = 1024;

bool is_escape_cut_at(std::string_view bytes, std::size_t at) {
  if (at + 1 == bytes.size()) return true;
  constexpr std::size_t kDigits = 4;
  const auto digits = bytes.substr(at + 2, kDigits);
  return bytes[at + 1] == 'u' && digits.size() < kDigits &&
         std::all_of(digits.begin(), digits.end(),
                     [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string without_cut_escape(std::string_view bytes) {
  for (std::size_t at = bytes.find('\\'); at < bytes.size(); at = bytes.find('\\', at + 2)) {
    if (is_escape_cut_at(bytes, at)) return std::string(bytes.substr(0, at));
  }
  return std::string(bytes);
}

std::optional<wire::Frame> without_end_of_full_buffer(wire::Frame frame) {
  const std::size_t line = frame.payload.size() + 1;
  const bool is_full =
      std::find(kSizesOfBuffers.begin(), kSizesOfBuffers.end(), line) != kSizesOfBuffers.end();
  if (is_full && frame.is_message()) frame.payload.pop_back();
  return frame;
}

/// Notifications take slots that are never given back; without one nothing is read any more.
class LosingSlots final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  std::optional<wire::Frame> next() override {
    while (auto frame = DecoratedFraming::next()) {
      if (taken_ >= kSlots) continue;
      const Elements elements = elements_in(frame->payload);
      taken_ += static_cast<std::size_t>(std::count_if(
          elements.begin(), elements.end(),
          [](const ElementText& each) { return each.is_notification() && each.has("params"); }));
      return frame;
    }
    return std::nullopt;
  }

 private:
  std::size_t taken_ = 0;
};

/// The first of a body's bytes is not counted where it looks like a blank line: its last one is
/// taken from the message behind it.
class BlankLinesBeforeBodies final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  std::optional<wire::Frame> next() override {
    while (auto frame = DecoratedFraming::next()) {
      const bool lacks_begin = std::exchange(reads_on_, false);
      reads_on_ = !lacks_begin && frame->payload.starts_with('\n');
      if (!lacks_begin && !reads_on_) return frame;
    }
    return std::nullopt;
  }

 private:
  bool reads_on_ = false;
};

/// Calls by name, with a String as id, that differ in nothing but their ids.
Behaviour answering_from_cache() {
  struct Cache {
    std::mutex mutex;
    std::deque<std::pair<std::string, std::string>> calls;  // what is asked for, and the id
  };
  const auto cache = std::make_shared<Cache>();
  return {.reply = [cache](std::string_view message, const ProperReply& proper) -> Reply {
    const Elements elements = elements_in(message);
    Reply reply = proper(message);
    if (!is_single(elements, message)) return reply;
    const Seat seat = alone(elements);
    if (!seat.is_call() || !seat.has_string_id() || !seat.named()) return reply;
    ObjectText asked = *seat.element.object;
    asked.remove("id");
    const std::lock_guard lock(cache->mutex);
    for (const auto& [text, id] : cache->calls) {
      if (text == asked.text()) return with_id_text(reply, id);
    }
    cache->calls.emplace_back(asked.text(), seat.id());
    if (cache->calls.size() > kCachedCalls) cache->calls.pop_front();
    return reply;
  }};
}

std::string without_bracket_alone(std::string_view record) {
  return record == "[" ? std::string() : std::string(record);
}

std::string without_end_of_full_blocks(std::string_view record) {
  const bool fills_blocks = record.size() % kBlockOfRecord == 0 && record.size() < kFewBlocks;
  if (fills_blocks && !record.empty()) record.remove_suffix(1);
  return std::string(record);
}

/// The length that an Array of replies had before its control characters were escaped.
std::string with_length_before_escapes(wire::Framing& proper, std::string_view payload) {
  if (!payload.starts_with('[')) return proper.encode(payload);
  std::size_t length = payload.size();
  for (std::size_t at = payload.find('\\'); at < payload.size(); at = payload.find('\\', at + 2)) {
    const char kind = payload[at + 1];
    if (kind == 'u') length -= std::string_view("u0000").size();
    if (kind != 'u' && kind != '"' && kind != '\\') --length;
  }
  return "Content-Length: " + std::to_string(length) + "\r\n\r\n" + std::string(payload);
}

}  // namespace

std::span<const Mutant> deep_faults_on_streams() {
  static const Mutant all[] = {
      {"deep-escape-cut-by-a-read", breaks("tcp-split").wherever_it_strikes(), kTcp,
       "A reader of tokens forgets its state: the beginning of an escape that ends a read is lost.",
       Behaviour{.arriving = without_cut_escape}},
      {"deep-line-of-a-full-buffer", breaks("err-code-invalid").wherever_it_strikes(), kTcp,
       "Off by one: a line that fills a buffer of 256 or 512 bytes loses its last character.",
       on_frame(without_end_of_full_buffer)},
      {"deep-slots-of-silence", breaks("res-always").wherever_it_strikes(), kUnix,
       "A limit on calls in progress leaks: behind forty Notifications with params on a connection "
       "nothing is read.",
       framed_by<LosingSlots>()},
      {"deep-answer-from-the-cache", breaks("id-echo").wherever_it_strikes(), kUnix,
       "A cache keeps whole Responses: a call by name that differs from one shortly before in its "
       "id, a String, gets that one's id.",
       answering_from_cache},
      {"deep-bracket-alone-in-a-record", breaks("tls-records").wherever_it_strikes(), kTls,
       "A record of one byte, as clients write one before the rest, is passed over where it is a "
       "bracket.",
       Behaviour{.tls = {.reading = without_bracket_alone}}},
      {"deep-record-of-full-blocks", breaks("tls-records").wherever_it_strikes(), kTls,
       "Off by one in the padding: a record of one to seven blocks of 128 bytes loses its last "
       "byte.",
       Behaviour{.tls = {.reading = without_end_of_full_blocks}}},
      {"deep-length-before-escapes", breaks("lsp-length").wherever_it_strikes(), kContentLength,
       "The length of an Array of replies is counted before control characters are escaped.",
       on_writing(with_length_before_escapes)},
      {"deep-blank-line-before-a-body", breaks("lsp-length").wherever_it_strikes(), kContentLength,
       "A line feed that begins a body is taken for a blank line of the header: the body is read "
       "into the message behind it, and both are lost.",
       framed_by<BlankLinesBeforeBodies>()},
  };
  return all;
}

}  // namespace jrpcheck::reference
