// How a secret may be written, and where it stands in a text.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jrpcheck::result {

/// What is looked for. Each of its characters may be written as it is, as JSON, XML, a URL or a
/// shell writes it, or escaped twice.
struct Spelling {
  std::string text;
  bool is_hexadecimal = false;  ///< in any case, and its bytes may be kept apart: 71:43, 0x71, 0x43
};

/// A secret as it is, in hexadecimal, and in base64 wherever in the encoded bytes it may lie.
std::vector<Spelling> spellings_of(const std::string& secret);

/// Finds many of them in one pass.
class SpellingFinder {
 public:
  /// Where two begin at one place the one that covers more of the text is found.
  explicit SpellingFinder(std::vector<Spelling> spellings);

  struct Found {
    std::size_t which;  ///< of the spellings, in the order of their giving
    std::size_t begin;
    std::size_t end;
  };
  /// The first place at or behind `from`.
  std::optional<Found> find(std::string_view text, std::size_t from) const;

  /// Where a text that was cut off ends in the beginning of one, the place at which that begins. Of
  /// less than `least` characters nothing can be told.
  std::optional<std::size_t> begun_at_end(std::string_view text, std::size_t least) const;
  /// How many bytes at the beginning of a text are the end of one; 0 where it begins otherwise. All
  /// of it where finding that out would take too long.
  std::size_t ended_at_begin(std::string_view text, std::size_t least) const;

 private:
  /// The same, where the text begins with a whole character.
  std::size_t ended_at_very_begin(std::string_view text, std::size_t least,
                                  std::size_t& effort) const;
  /// Whether `visit` says so of one of those that may begin where the text does, and of how much of
  /// it is found there.
  template <typename Visit>
  bool any_candidate(std::string_view text, const Visit& visit) const;

  struct Candidate {
    std::size_t which;
    std::size_t shared;  // so many characters with the one before it in its list, all of them plain
  };

  struct End {
    std::size_t which;
    std::size_t from;  // it begins at this character
  };
  using Ends = std::array<std::vector<End>, 256>;  // by their first character

  void add_candidate(char first, std::size_t which);
  /// Of a spelling that begins so.
  void note_beginning(std::string_view text, bool any_case);
  void note_ends(std::size_t which);
  /// Whether one may stand at the beginning of a text, by its first two bytes.
  bool may_begin(std::string_view text) const;

  std::vector<Spelling> spellings_;
  std::size_t longest_ = 0;
  std::bitset<1U << 16U> beginnings_;                 ///< by their first two characters
  std::array<std::vector<Candidate>, 256> by_first_;  ///< those that share a beginning together
  std::array<Ends, 2> ends_;                          ///< those of what is hexadecimal second
};

}  // namespace jrpcheck::result
