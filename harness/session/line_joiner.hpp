// Messages that a server spread over several lines, where one line is one message.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dialogue/message.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::session {

/// One frame as a message.
struct Line {
  dialogue::Message message;
  std::string violation;      ///< which rule of the framing it breaks; empty: none
  bool beyond_limit = false;  ///< no rule but a limit of ours
  bool in_several_lines = false;
  bool is_binary = false;

  explicit Line(wire::Frame frame)
      : message(std::move(frame.payload)),
        violation(std::move(frame.violation)),
        beyond_limit(frame.beyond_limit),
        is_binary(frame.is_binary) {}
  /// A message that was put together from several lines.
  explicit Line(dialogue::Message joined) : message(std::move(joined)), in_several_lines(true) {}
};

/// Puts them together again, so that they can be told from what is no message at all.
class LineJoiner {
 public:
  /// What is known to be a message, or known to be none, now that this line has come. One that may
  /// be the beginning of a message is held until the next line.
  std::vector<Line> take(wire::Frame frame);

  /// The lines that are held, each on its own.
  std::vector<Line> give_up();

 private:
  std::vector<Line> take_first(Line line);
  bool may_go_on(const Line& line);

  std::vector<Line> held_;
  std::size_t bytes_read_ = 0;
  std::string spaced_;   // with line feeds between the lines: white space of a tidy writer
  std::string escaped_;  // with escapes in their place: line feeds within a String
};

}  // namespace jrpcheck::session
