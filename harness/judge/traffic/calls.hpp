// Calls in flight: what one side of a connection has asked, until the other has answered it.
#pragma once

#include <cstddef>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/deadline.hpp"
#include "dialogue/message.hpp"
#include "json/value.hpp"

namespace jrpcheck::judge {

struct CallInFlight {
  std::size_t serial = 0;
  std::string key;  ///< as of dialogue::id_key
  std::string id;   ///< as it is spelled in JSON
  std::string method;
  std::string text;  ///< an excerpt of the call
  microseconds at{0};
  std::size_t batch = 0;      ///< which one of the connection; 0: it came alone
  bool is_1_0 = false;        ///< it does not say 2.0: an answer by the rules of 1.0 is right
  bool is_given_up = false;   ///< the caller said so: an answer may stay away
  bool is_excused = false;    ///< counted among what an error with id null may answer
  bool has_odd_id = false;    ///< counted among what may be answered under another id
  std::size_t refusal = 0;    ///< the serial of a message that may be refused unread; 0: of none
  bool is_cancelled = false;  ///< by its caller, which waits for it no more: its id is free
  bool is_over = false;       ///< its batch may have had an answer that is no Array
  bool is_repeated = false;   ///< a call of another message had its id in flight as well
  std::optional<dialogue::Message> whole = {};  ///< where it is kept
};

/// In a memory that is bounded, however many calls are never answered.
class CallsInFlight {
 public:
  /// False where another one has the same id, and surely waits for its answer. Beyond a limit the
  /// oldest is forgotten.
  bool add(CallInFlight call);

  /// It may be answered under its id, once, and need not be; the id is free.
  void add_perhaps_answered(CallInFlight call);

  /// Takes out the oldest call with that id; where none is in flight, one that may have been
  /// answered without it.
  std::optional<CallInFlight> settle(const std::string& key);
  /// Likewise, and does not say that it was answered: nobody knows whether it was.
  std::optional<CallInFlight> take_one(const std::string& key);
  /// Takes out a call whose id looks alike and has another type: 7 where "7" came.
  std::optional<CallInFlight> settle_alike(const json::Value& id);
  /// Takes out those of a batch that are left. What is charged as missing may yet come.
  std::list<CallInFlight> settle_batch(std::size_t batch);
  /// All that are left, the oldest first.
  std::list<CallInFlight> take_all();
  /// All that are left have had an answer that does not say whose it is. It may have been of
  /// something else: they are in flight no more, and may yet be settled by their own ids.
  void take_all_for_answered();

  /// It may have been answered in what nobody can read: as one of those.
  bool put_aside(const std::string& key);

  void give_up(const std::string& key);
  /// What is no Array may be all that answers a batch, or any of them.
  void end_batch(std::optional<std::size_t> batch);
  /// One of those that may be refused unread was; nobody knows which.
  void give_up_refusable();
  /// Something has come that may be the answer to any of them, and does not say so. An id of
  /// theirs that comes again says that it was.
  void doubt();
  /// What was charged already may be the answer to one of them, nobody knows to which.
  void note_nameless_answer();
  /// Whether one of those may be of that call.
  bool has_nameless_answer(const CallInFlight& call) const {
    return nameless_.lower_bound(call.serial) != nameless_.end();
  }
  /// Likewise; no other call is excused by it then.
  bool take_nameless_answer(const CallInFlight& call);
  /// Something was not seen: answers to them, and calls with ids that were answered before.
  void lose();

  /// Whether it was answered not long ago.
  bool was_settled(const std::string& key) const { return settled_.count(key) != 0; }
  bool is_open(std::size_t serial) const;
  /// Whether a later call has been answered.
  bool is_overtaken(const CallInFlight& call) const { return call.serial < last_settled_; }
  const std::list<CallInFlight>& open() const { return calls_; }
  /// One was forgotten: nobody knows whom an answer is for.
  bool has_forgotten() const { return has_forgotten_; }
  /// About how many bytes it all takes: ids are as long as somebody makes them.
  std::size_t memory() const;

 private:
  using Place = std::list<CallInFlight>::iterator;
  CallInFlight take(Place place);
  void note_settled(const std::string& key);
  void bound_perhaps_answered();
  std::optional<CallInFlight> take_perhaps_answered(const std::string& key);

  std::list<CallInFlight> calls_;
  std::multimap<std::string, Place> by_key_;  // of one id the oldest first
  std::list<CallInFlight> perhaps_answered_;
  std::multiset<std::size_t> nameless_;  // answers, each by the serial of the last open call
  // Answered, each with its place in that order.
  std::deque<std::pair<std::string, std::size_t>> settled_order_;
  std::unordered_map<std::string, std::size_t> settled_;
  std::size_t settlings_ = 0;
  std::size_t doubted_ = 0;  // the serial up to which calls may have been answered
  std::size_t last_settled_ = 0;
  bool has_forgotten_ = false;
};

}  // namespace jrpcheck::judge
