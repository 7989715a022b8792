// Mutant: one way in which the reference server can be told to be unlike itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "reference-impl/breaks.hpp"
#include "reference-impl/mutants/behaviour.hpp"

namespace jrpcheck::reference {

/// Where a mutant shows.
enum Transports : unsigned {
  kHttp = 1U,
  kLines = 2U,
  kContentLength = 4U,
  kTcp = 8U,            ///< lines on a socket
  kTcpLength32 = 16U,   ///< messages behind their lengths on a socket
  kWs = 32U,            ///< WebSocket
  kUnix = 128U,         ///< lines on a Unix socket: the cases about those alone
  kTls = 64U,           ///< lines over TLS: the cases about TLS alone
  kSse = 256U,          ///< answers by event streams
  kSseEndpoint = 512U,  ///< answers on the one stream that a GET opens
  kStreams = kLines | kContentLength,
  /// Where the transport itself says what a message is, be it JSON or not.
  kMarked = kHttp | kContentLength,
  /// Where batches are expected; the Language Server Protocol, which uses the other, has none.
  kBatching = kHttp | kLines,
  kEverywhere = kHttp | kStreams,
  /// Where the mutant is also tried on sockets, for what connections make of it.
  kLinesAndTcp = kLines | kTcp,
  kStreamsAndTcp = kStreams | kTcp,
  kEverywhereAndTcp = kEverywhere | kTcp,
  kEverywhereAndWs = kEverywhere | kWs,
  /// Where the whole corpus is run, and not only what is about the door.
  kEveryDoor = kEverywhereAndTcp | kTcpLength32 | kWs,
};

/// What a mutant does: the same for each server, or made afresh for each because it remembers
/// something from one message to the next. Some take a number: after how many answers, how long.
class Mutation {
 public:
  Mutation(Behaviour same_for_all)
      : make_([behaviour = std::make_shared<const Behaviour>(std::move(same_for_all))](int) {
          return *behaviour;
        }) {}
  template <typename Make, typename = std::invoke_result_t<Make>>
  Mutation(Make make) : make_([make = std::move(make)](int) { return make(); }) {}
  Mutation(int usual_number, std::function<Behaviour(int number)> make)
      : make_(std::move(make)), number_(usual_number) {}

  Behaviour operator()(std::optional<int> number = {}) const {
    return make_(number.value_or(number_.value_or(0)));
  }
  bool takes_number() const { return number_.has_value(); }

 private:
  std::function<Behaviour(int)> make_;
  std::optional<int> number_;
};

struct Mutant {
  std::string name;
  Breaks breaks;
  Transports transports;
  std::string about;  ///< one sentence
  Mutation behaviour;
  /// The handshake that it takes for the mutant to show; empty when it takes none.
  std::string opening = {};
};

}  // namespace jrpcheck::reference
