// Finds the next header block in bytes that belong to no message (LSP base protocol).
#pragma once

#include <string>
#include <string_view>

namespace jrpcheck::wire {

/// Looks for `Content-Length:` at the start of a line, or, elsewhere in a line, for the whole of
/// `Content-Length: N` CRLF. The second is how a header block looks behind a message longer than it
/// said, or behind a log line without its end; demanding the number and the CRLF keeps text that
/// merely mentions the header from being taken for one.
class Resynchroniser {
 public:
  explicit Resynchroniser(bool at_line_start) : at_line_start_(at_line_start) {}

  /// Consumes `bytes` up to where a header has been recognised, or all of them. Gives those that
  /// are now known to be noise.
  std::string take(std::string_view& bytes);

  bool found() const { return found_; }

  /// Once found: the recognised first bytes of the header block, which take() has consumed.
  const std::string& header_start() const { return candidate_; }

  /// At the end of input: the bytes held back because they might have begun a header.
  std::string give_up() const { return found_ ? std::string() : candidate_; }

 private:
  enum class Match { no, partial, whole };

  Match match_last_byte() const;
  void pass_over(std::string_view noise, std::string& passed);

  std::string candidate_;
  bool at_line_start_;
  bool found_ = false;
};

}  // namespace jrpcheck::wire
