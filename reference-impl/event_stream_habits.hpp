// How a server that answers by event streams writes them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "wire/sse.hpp"

namespace jrpcheck::reference {

struct EventStreamHabits {
  std::string preamble = {};  ///< stands first on each stream
  std::size_t piece = 0;      ///< bytes of a chunk; 0: one for each event
  bool has_ids = true;        ///< events have ids, and GET with one of them brings what followed
  bool breaks_off = false;    ///< streams of results end behind a first event without data
  int polls = 0;              ///< how often a GET brings nothing of such a stream, every eighth one
  bool stays_open = false;    ///< a stream does not end behind the last event
  bool repeats_ids = false;   ///< each stream counts from the same number
  bool answers_posts = false;      ///< at the older endpoint, beside the stream
  std::string says_accepted = {};  ///< the body of a POST to the older endpoint that is taken
  std::string refuses_posts = {};  ///< in these words, where the older stream is opened
  std::string endpoint = "/messages?session=";  ///< what stands before the number of a session
  /// At the older endpoint who has asked nothing yet is told what answers others.
  bool tells_new_ones = false;
  int ends_after = 0;  ///< how many messages the stream of the older endpoint answers; 0: all
  bool streams_for_all = false;  ///< also to a client that takes JSON alone
  int refuses_stream_alone = 0;  ///< the status for a client that takes nothing but streams
  /// The texts of the events of one stream, before they are written.
  std::function<void(std::vector<std::string>& events)> edit = {};
  /// Which events follow the one that was heard last, in place of the proper ones.
  std::function<std::vector<std::string>(const std::vector<std::vector<std::string>>& streams,
                                         std::size_t stream, std::size_t event)>
      resumed = {};
};

}  // namespace jrpcheck::reference
