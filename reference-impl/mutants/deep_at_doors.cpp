// Deep faults that one door alone has: in how messages come in there, or how replies go out.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/deep.hpp"
#include "reference-impl/mutants/json_text.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kLargeRead = 1024;
constexpr std::size_t kMostOfOneRead = 8;
constexpr char kMarkOfByte = static_cast<char>(0x80);

bool begins_wide(char c) { return static_cast<unsigned char>(c) >= 0xF0; }

bool has_a_silent_one(std::string_view message) {
  const Elements elements = elements_in(message);
  return is_json(message) && is_array(message) &&
         std::any_of(elements.begin(), elements.end(),
                     [](const ElementText& each) { return each.is_notification(); });
}

/// Lines that end in this read, behind the first.
template <typename Rewrite>
std::string later_lines(std::string_view bytes, Rewrite rewrite) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto end = bytes.find('\n', at);
    const auto line = bytes.substr(at, end == std::string_view::npos ? end : end + 1 - at);
    out += at > 0 && end != std::string_view::npos ? rewrite(line) : std::string(line);
    at += line.size();
  }
  return out;
}

std::string first_lines(std::string_view bytes) {
  std::size_t lines = 1;
  return later_lines(bytes, [&lines](std::string_view line) {
    return ++lines <= kMostOfOneRead ? std::string(line) : std::string();
  });
}

/// What a buffer of whole characters makes of one that is cut.
std::string without_cut_character(std::string_view bytes) {
  std::string text(bytes);
  if (text.size() < kLargeRead) return text;
  std::size_t cut = 0;
  while (cut < 3 && cut < text.size() && (text[text.size() - 1 - cut] & kMarkOfByte) != 0) ++cut;
  for (std::size_t i = 0; i < cut; ++i) text[text.size() - 1 - i] = '?';
  return text;
}

bool answers_a_fraction(std::string_view reply) {
  if (!is_json(reply) || !is_array(reply)) return false;
  const auto replies = elements_of(reply);
  return replies.size() > 1 &&
         std::any_of(replies.begin(), replies.end(), [](const std::string& each) {
           const auto response = object_of(each);
           const std::string* id = response ? response->find("id") : nullptr;
           return id != nullptr && has_fraction(*id);
         });
}

bool is_of_silence_with_null(const Elements& elements) {
  const auto has_null = [](const ElementText& each) {
    return Seat{each, 0, true}.has_null_by_name();
  };
  return std::all_of(elements.begin(), elements.end(),
                     [](const ElementText& each) { return each.is_notification(); }) &&
         std::any_of(elements.begin(), elements.end(), has_null);
}

void count_characters(const wire::HttpMessage&, wire::HttpMessage& response) {
  constexpr std::size_t kFewest = 3;
  const bool is_batch =
      response.body.starts_with('[') && elements_of(response.body).size() >= kFewest;
  if (!is_batch || std::none_of(response.body.begin(), response.body.end(), begins_wide)) return;
  set_field(response, "Content-Length", std::to_string(characters_in(response.body)));
}

void break_lines_of_batches(std::vector<std::string>& events) {
  for (auto& each : events) {
    if (each.find("data: [") == std::string::npos) continue;
    each = replaced(each, "\\n", "\n");
  }
}

}  // namespace

std::span<const Mutant> deep_faults_at_doors() {
  static const Mutant all[] = {
      {"deep-batch-behind-another", breaks("tcp-coalesced").wherever_it_strikes(), kTcp,
       "A batch with a Notification that comes behind another message in one read is lost.",
       Behaviour{.arriving =
                     [](std::string_view bytes) {
                       return later_lines(bytes, [](std::string_view line) {
                         return has_a_silent_one(line) ? std::string() : std::string(line);
                       });
                     }}},
      {"deep-ninth-of-one-read", breaks("tcp-coalesced").wherever_it_strikes(), kTcp,
       "Of the messages that end in one read only the first eight are kept.",
       Behaviour{.arriving = first_lines}},
      {"deep-character-cut-by-a-read", breaks("tcp-split").wherever_it_strikes(), kTcp,
       "The beginning of a character that ends a read of a KiB or more becomes question marks.",
       Behaviour{.arriving = without_cut_character}},
      {"deep-fraction-with-reserved-bit", breaks("ws-server-frames").wherever_it_strikes(), kWs,
       "An Array of replies, one of them to a fraction as id, has a reserved bit.",
       Behaviour{.websocket = {.write =
                                   [](std::string_view reply) {
                                     wire::FrameDetails details;
                                     if (answers_a_fraction(reply)) details.rsv = 1;
                                     return server_frame(details, reply);
                                   }}}},
      {"deep-empty-text-for-silence", breaks("bat-all-notifications").wherever_it_strikes(), kWs,
       "A batch of Notifications, one with a null by name, is answered by an empty text.",
       when_batch(is_of_silence_with_null,
                  [](const Elements&, const Reply&) -> Reply { return std::string(); })},
      {"deep-length-in-characters", breaks("res-json").wherever_it_strikes(), kHttp,
       "The Content-Length of three replies or more counts a character beyond the BMP once.",
       on_http_response(count_characters)},
      {"deep-line-break-in-an-array", breaks("sse-event-json").wherever_it_strikes(), kSse,
       "Within an Array an escaped line feed breaks the line of its event.",
       Behaviour{.events = {.edit = break_lines_of_batches}}},
  };
  return all;
}

}  // namespace jrpcheck::reference
