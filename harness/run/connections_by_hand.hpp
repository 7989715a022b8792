// Shell lines that say something to a server on several connections.
#pragma once

#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "run/piece_printer.hpp"
#include "transport/target.hpp"

namespace jrpcheck::run {

/// The commands that take what they read to a server.
struct WayByHand {
  std::string command;  ///< joins its standard streams to the server's
  /// The same, where the end of its input ends the sending direction alone.
  std::string half_closing;
  /// Reset the connection at the end of their input, at once or once an answer has begun.
  std::string resetting = {};
  std::string resetting_within_answer = {};
};

/// socat(1), or openssl(1) over TLS; where a connection is reset python3.
WayByHand way_to(const transport::Target& target);
/// A program that is given its messages on standard input.
WayByHand way_into(const std::string& program);

class LinesByHand {
 public:
  explicit LinesByHand(WayByHand way) : way_(std::move(way)) {}

  /// On a connection that is read to its end, as it ends behind the printed.
  void add(PiecePrinter printer);
  /// On one that is left unread: open until the others are done with, or reset.
  void add_leaving(PiecePrinter printer, corpus::Step::Then then);
  /// On connections that are open together. What comes back on each has its number in front.
  void add_side_by_side(std::vector<PiecePrinter> printers);

  std::string all();

 private:
  struct Line {
    PiecePrinter printer;
    std::string text = {};  // in place of it
    bool is_held = false;
    std::size_t seconds = 0;
  };

  WayByHand way_;
  std::vector<Line> lines_;
};

/// Whether it resets its connection, so that nothing is waited for.
bool is_reset(const corpus::Step& step);

/// The lines, whose output has a number in front, run at once and awaited.
std::string side_by_side(const std::vector<std::string>& lines);

}  // namespace jrpcheck::run
