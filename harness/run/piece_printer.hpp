// What prints the bytes of a case in a shell, in the pieces and behind the waits that it is about.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.hpp"

namespace jrpcheck::run {

/// For an answer, before more is said by hand. In milliseconds.
inline constexpr std::size_t kMomentByHand = 1000;

class PiecePrinter {
 public:
  void add(std::string_view bytes) { ahead_ += bytes; }
  /// In the pieces that the step asks for.
  void add(std::string_view bytes, const corpus::Step& step);
  /// What a command prints, such as one in which a secret is a variable.
  void add_command(const std::string& command);

  void pause(std::size_t ms);
  /// Whole seconds, of all pauses.
  std::size_t paused() const {
    constexpr std::size_t kSecond = 1000;
    return (paused_ms_ + kSecond - 1) / kSecond;
  }

  /// One command that prints it all. Nothing more can be added.
  std::string all();

 private:
  void add_in_pieces_of(std::size_t size, std::string_view bytes);
  void flush();

  std::string ahead_;     // goes with what comes next
  std::string commands_;  // each with its semicolon
  std::size_t paused_ms_ = 0;
};

/// The command, and one behind it that passes on in one write what it prints: bash(1) writes each
/// line by itself.
std::string in_one_write(const std::string& command);

/// A command that passes on what it reads, and waits a little behind each of these offsets.
std::string cutter(const std::vector<std::size_t>& offsets);

}  // namespace jrpcheck::run
