// Messages that a server spread over several lines, where one line is one message.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "wire/framing.hpp"

namespace jrpcheck::session {

/// Puts them together again, so that they can be told from what is no message at all.
class LineJoiner {
 public:
  struct Message {
    wire::Frame frame;
    bool in_several_lines = false;
  };

  /// What is known to be a message, or known to be none, now that this line has come. One that may
  /// be the beginning of a message is held until the next line.
  std::vector<Message> take(wire::Frame line);

  /// The lines that are held, each on its own.
  std::vector<Message> give_up();

 private:
  std::vector<Message> take_first(wire::Frame line);
  bool may_go_on(const wire::Frame& line);

  std::vector<wire::Frame> held_;
  std::size_t bytes_read_ = 0;
  std::string spaced_;   // with line feeds between the lines: white space of a tidy writer
  std::string escaped_;  // with escapes in their place: line feeds within a String
};

}  // namespace jrpcheck::session
