// What a TrafficJudge knows of each connection, and the rules that work on it.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialogue/exchange.hpp"
#include "dialogue/id_key.hpp"
#include "judge/charger.hpp"
#include "judge/traffic/calls.hpp"
#include "judge/traffic/traffic_judge.hpp"

namespace jrpcheck::judge {

inline constexpr std::size_t kExcerpt = 400;  ///< so much is kept of a message, to show it

/// An answer with id null, or with one that no call has, of which nobody knows yet what it may
/// answer.
struct StrayAnswer {
  dialogue::TrafficEvent event;  ///< without its message, which may be large
  std::string requirement;       ///< that it breaks where it answers a Notification
  std::string text;              ///< an excerpt
  bool has_id = false;
  std::set<std::size_t> open;  ///< serials of the calls that were in flight
  std::string id = {};         ///< as it is spelled, where no call has it
  /// The only call that waited then: its answer, unless another one comes.
  std::optional<CallInFlight> call = {};
};
inline constexpr std::size_t kMostStrays =
    20;  ///< of one connection; further ones only repeat them
/// Long enough for whoever means to answer before the caller leaves.
inline constexpr std::chrono::seconds kLongUnanswered{5};

/// What one side has asked on a connection, and what the other may say of it.
struct Asked {
  CallsInFlight calls;
  std::size_t excuses = 0;  ///< messages that an error with id null may answer
  std::size_t unread = 0;   ///< messages that others may read otherwise: with whatever ids
  /// Serials of messages that may be refused unread, by an error with id null that says so.
  std::set<std::size_t> refusals;
  std::size_t empty_batches = 0;  ///< each of which is one of the excuses
  std::size_t notifications = 0;  ///< less those that may have been answered, with id null
  bool has_batch_of_notifications = false;
  std::map<std::size_t, std::size_t> excuses_in_batch;
  std::set<std::size_t> batches_with_notifications;
  std::set<std::size_t> charged_batches;  ///< not answered by one Array of all that is due
  std::vector<StrayAnswer> strays;
  std::size_t answered = 0;
  std::size_t last_batch = 0;

  bool is_excused() const { return excuses > 0 || !refusals.empty(); }
  /// False where what answers that batch has been charged before.
  bool is_charged_first(std::size_t batch) {
    constexpr std::size_t kMost = 10'000;
    if (charged_batches.size() > kMost) charged_batches.clear();
    return charged_batches.insert(batch).second;
  }
};

inline bool is_response_shaped(const json::Value& value) {
  return value.find("method") == nullptr && dialogue::has_outcome(value);
}

inline bool has_no_id(const json::Value& value) {
  const json::Value* id = value.find("id");
  return id == nullptr || id->is(json::Kind::null);
}

inline std::size_t place_of(dialogue::Side side) { return side == dialogue::Side::client ? 0 : 1; }

/// A message that its framing has cut, by a line feed within it or by a wrong length: what comes
/// next shows whether that is what is wrong with it.
struct CutMessage {
  dialogue::TrafficEvent begin;  ///< once all of it has come: the whole
  std::string spaced;            ///< with the lines that have come: as a tidy writer parts them
  std::string escaped;           ///< with line feeds that stand within a String
  std::size_t bytes_read = 0;
  bool is_charged = false;
  bool is_too_long = false;  ///< what follows up to the next message is of it
};

/// An Array is where all that stands in it is.
inline bool is_neither_request_nor_response(const json::Value& value) {
  const auto is_neither = [](const json::Value& each) {
    return each.find("method") == nullptr && !dialogue::has_outcome(each);
  };
  return value.is(json::Kind::array) ? std::ranges::all_of(value.children(), is_neither)
                                     : is_neither(value);
}

struct WatchedConnection {
  const wire::Binding* binding = nullptr;  ///< null: as the context says
  std::array<Asked, 2> asked;              ///< by side
  std::array<std::optional<microseconds>, 2> closed;
  std::array<std::optional<CutMessage>, 2> cut;  ///< of each side: the last, if that is so
  std::string told;                              ///< by the server, last: an excerpt
  std::size_t responses = 0;                     ///< of the server
  /// What any reply of the server breaks, for its client has said Notifications alone, and waits
  /// for nothing else. Empty: something may be due.
  std::string_view silence = {};
  bool server_says_else = false;  ///< than Responses
  bool is_lossy = false;
  bool client_sends_binary = false;
  /// By what a server may end a connection for: the serial of it, which calls that came after it
  /// exceed. Who has answered one of those has not ended it.
  std::optional<std::size_t> provoked_at;
  void provoke(std::size_t serial) { provoked_at = std::max(provoked_at.value_or(0), serial); }
  bool is_told_to_end = false;  ///< the server, by its client: "exit", as of LSP
};

/// The rules at work: traffic.cpp has what one message is, traffic_requests.cpp what asks,
/// traffic_answers.cpp what answers, traffic_batches.cpp what answers batches, traffic_ends.cpp how
/// exchanges and connections end, traffic_streams.cpp what is asked and answered by streams,
/// traffic_cuts.cpp what a framing cuts, traffic_memory.cpp what is kept of connections.
class TrafficJudge::TrafficRules {
 public:
  explicit TrafficRules(TrafficContext context) : context_(context) {
    elsewhere_.is_lossy = !context_.is_from_the_beginning;
  }

  void use(const wire::Binding& binding, std::size_t connection) {
    connections_[{connection, 0}].binding = &binding;
  }
  TrafficShown take(const dialogue::TrafficEvent& event);
  TrafficShown forget(std::size_t connection);
  TrafficShown end();

  const std::set<std::string>& exercised(dialogue::Side side) const {
    return exercised_[place_of(side)];
  }
  const TrafficCounts& counts(dialogue::Side side) const { return counts_[place_of(side)]; }

 private:
  using Key = std::pair<std::size_t, std::size_t>;

  // Where a response answers its request each pair is a connection of its own.
  static Key key_of(const dialogue::TrafficEvent& event);
  WatchedConnection& connection_of(const dialogue::TrafficEvent& event);
  using Connections = std::map<Key, WatchedConnection>;
  Connections::iterator forget(Connections::iterator connection);
  void forget_oldest();
  // Connections are many, and what is in flight on each may be large.
  void keep_within_memory();
  void count_unanswered(const WatchedConnection& connection);
  // A part of what passed there is not known.
  static void lose(WatchedConnection& connection);
  void lose_all();

  // A line without a message: no clause forbids it, and readers of lines are to skip it
  // (tcp-line-tolerance), so that its client is charged with nothing. A server that reads it as a
  // message finds no JSON there (JSON-RPC 2.0 §5.1, -32700), as in other noise.
  bool is_empty_line_of_client() const {
    constexpr std::string_view kBlanks = " \t\r\n";
    const auto& bytes = event_->message.text();
    return event_->kind == dialogue::TrafficEvent::Kind::noise &&
           event_->side == dialogue::Side::client && !bytes.empty() &&
           bytes.find_first_not_of(kBlanks) == std::string_view::npos;
  }

  // Judges with a charger, and gives what was found to the side it is about.
  template <typename Rules>
  bool judge(dialogue::Side side, const std::string& call, const Rules& rules) {
    if (side == dialogue::Side::client && is_empty_line_of_client()) return true;
    Judgement judgement;
    Charger charger(*context_.ledger, judgement);
    rules(charger);
    for (const auto& id : judgement.exercised.in_order()) exercise(side, id);
    for (auto& finding : judgement.findings) add(side, std::move(finding), call);
    return judgement.findings.empty();
  }

  // What is charged now came earlier.
  template <typename Charges>
  void charge_as_of(const dialogue::TrafficEvent& earlier, const Charges& charges) {
    const auto* now = std::exchange(event_, &earlier);
    const auto* told = std::exchange(told_, nullptr);
    is_earlier_ = true;
    charges();
    is_earlier_ = false;
    event_ = now;
    told_ = told;
  }

  bool speaks_1_0() const { return context_.old_calls == OldCalls::of_1_0; }

  // Of a client's Responses one requirement speaks, which is its own.
  std::string requirement_of(dialogue::Side side, const std::string& id) const;
  void exercise(dialogue::Side side, const std::string& id);
  void add(dialogue::Side side, Finding finding, const std::string& call);
  void charge(dialogue::Side side, const std::string& requirement, Fault fault,
              const std::string& call = {});
  void warn(dialogue::Side side, const std::string& requirement, Fault fault,
            const std::string& call);
  Asked& asked_by(WatchedConnection& connection, dialogue::Side side) {
    return connection.asked[place_of(side)];
  }

  const wire::Binding& binding_of(const WatchedConnection& connection) const {
    return connection.binding != nullptr ? *connection.binding : *context_.binding;
  }

  // --- what one message is

  void take_message(WatchedConnection& connection);

  // Counts as excuses what others may refuse unread, or read otherwise.
  void note_what_may_be_refused(WatchedConnection& connection);
  // False where there is no value to judge.
  bool judge_text_of(WatchedConnection& connection);
  void judge_carriage(WatchedConnection& connection);
  void take_violation(WatchedConnection& connection);
  // What nobody can read may be answered by an error, or be read otherwise.
  void note_unread(WatchedConnection& connection);
  void excuse_refusal(WatchedConnection& connection);
  void take_value(WatchedConnection& connection, const json::Value& value);
  // True where the reply is charged for being one, whatever it looks like.
  bool take_reply_to_nothing(WatchedConnection& connection);
  // What cannot be read, or is read in a broken frame, may have answered a call all the same.
  void note_unreadable_answer(WatchedConnection& connection);

  // --- what a framing cuts (traffic_cuts.cpp)

  // True where it is charged once more is known, or has been by its framing.
  bool note_cut(WatchedConnection& connection, bool is_charged);
  // True where this is the rest of what was cut, or a part of that.
  bool goes_on(WatchedConnection& connection);
  void end_cut(WatchedConnection& connection, const dialogue::Exchange& exchange);
  // No rest comes: it is no JSON.
  void charge_cut(WatchedConnection& connection, dialogue::Side side);

  // --- what asks

  void take_array(WatchedConnection& connection, const json::Value& array);
  void take_element(WatchedConnection& connection, const json::Value& element, std::size_t batch);
  void take_response_among_requests(WatchedConnection& connection, const json::Value& response,
                                    std::size_t batch);
  void take_request(WatchedConnection& connection, const json::Value& request, std::size_t batch);
  // False where a call cannot be served by any rules.
  bool judge_request_of(const json::Value& request);
  void take_notification(WatchedConnection& connection, const json::Value& notification,
                         std::size_t batch);

  // --- what answers

  void judge_envelope(const json::Value& response, const std::optional<CallInFlight>& call,
                      bool may_lack_id);
  // Where something was asked whose id may not have been read, or nothing at all.
  bool may_lack_id(const Asked& asked, const json::Value& response) const;
  void note_answered(const CallInFlight& call, const json::Value& response);

  // A Response, alone or within the answer to a batch. Gives the batch of its call.
  std::size_t take_response(WatchedConnection& connection, const json::Value& response,
                            bool in_array);
  // A call that was answered under its own id was read, and so was all that stands in its message.
  void take_back_excuses(WatchedConnection& connection, const CallInFlight& call);
  void charge_messages_for_batch(WatchedConnection& connection, const CallInFlight& call,
                                 const json::Value& response);
  // Gives the batch of the call that it is for all the same, where that shows.
  std::size_t take_unknown_id(WatchedConnection& connection, const json::Value& id,
                              const std::string& key, const json::Value& response);

  // Errors that belong to no call have id null, and so have answers to what needs none (§5, §4.1).
  void charge_answer_to_nothing(const WatchedConnection& connection, const std::string& text);
  void let_go() { ++counts_[place_of(event_->side)].let_go; }
  // True where it may be the answer to the only call that waits: it is charged once that call has
  // been answered, or has not.
  bool hold_wrong_id(WatchedConnection& connection, const json::Value& id,
                     const json::Value& response);
  // Whether it may refuse what nobody could read, or what was not seen: then it has.
  bool may_refuse(WatchedConnection& connection, const json::Value& response);
  // The call was to have that Response, which has another id, or none.
  void charge_wrong_id(const json::Value& response, const CallInFlight& call);
  // True where it is charged for answering a Notification.
  bool take_null_id(WatchedConnection& connection, const json::Value& response);
  // An answer has come that does not say to which call.
  void note_nameless_answer(WatchedConnection& connection);
  // What an answer to a Notification breaks.
  std::string silence_broken_by(const json::Value& response, bool in_batch) const;
  void charge_answered_notification(const std::string& requirement, const std::string& text);

  // Once all calls are answered that were in flight, what came with another id, or with null,
  // answered none of them.
  void settle_strays(WatchedConnection& connection, std::size_t serial);
  void take_batch_of_responses(WatchedConnection& connection, const json::Value& array);
  void judge_surplus(WatchedConnection& connection, std::size_t batch,
                     const std::vector<const json::Value*>& without_id);

  // One Array has answers to calls of several batches.
  void charge_shared_array(WatchedConnection& connection, const std::set<std::size_t>& batches,
                           const json::Value& array);
  // Whatever of the batch the Array has not answered.
  void charge_missing(WatchedConnection& connection, std::size_t batch, const json::Value& array);
  // The batch whose calls are answered so; 0: none, or the Array may be of something else. Who
  // refuses a batch for being one does so with one error, in whatever shape.
  std::size_t batch_answered_without_ids(WatchedConnection& connection,
                                         const std::vector<const json::Value*>& without_id);
  // No element is for a call in flight.
  void take_answer_to_unknown_batch(WatchedConnection& connection,
                                    const std::vector<const json::Value*>& without_id);
  void take_empty_answer(WatchedConnection& connection);
  // True where nothing was due, and it is charged as an answer to nothing.
  bool take_array_of_nothing(WatchedConnection& connection, const json::Value& array);

  // --- event streams (traffic_streams.cpp)

  // What has asked where no Response answers its own request: by HTTP the server on a stream, of
  // whatever connection, and the client where the answer is to come on one.
  Asked& asked_elsewhere(dialogue::Side side) { return elsewhere_.asked[place_of(side)]; }
  bool is_on_stream() const { return event_->stream != dialogue::EventStream::none; }
  bool is_on_open_stream() const {
    return event_->stream == dialogue::EventStream::open ||
           event_->stream == dialogue::EventStream::resumed;
  }
  void note_stream(WatchedConnection& connection);
  // A call in flight whose answer need not come where it was asked.
  std::optional<CallInFlight> settle_elsewhere(const std::string& key);
  // True where nothing can be said of an answer with that id, or all has been said.
  bool take_unknown_elsewhere(const json::Value& id, const std::string& key,
                              const json::Value& response);
  void take_some_responses(WatchedConnection& connection, const json::Value& array);
  // The calls may still be answered on another stream.
  void set_aside(WatchedConnection& connection);
  void give_up(const std::string& key);
  void give_up_all();

  // --- HTTP

  bool is_refusal() const;
  bool is_acceptance() const;
  bool says_why_it_refuses(const Asked& asked) const;
  void take_http_response(WatchedConnection& connection);
  void charge_head();

  // --- ends

  void take_upgrade();
  void take_close(WatchedConnection& connection);

  // The one who is to answer has left first.
  void charge_unanswered(WatchedConnection& connection, dialogue::Side caller);
  // Whatever they answer, a call or a Notification, is answered wrongly: it was a call that waits.
  void charge_strays(WatchedConnection& connection, dialogue::Side caller);
  void charge_stray(const WatchedConnection& connection, const StrayAnswer& stray);
  std::string ending_text() const;

  void note_order_to_end(WatchedConnection& connection);
  // One has left: whoever has had a long time, and answered later ones, has let a call wait.
  void charge_waiting(WatchedConnection& connection);
  void charge_long_unanswered(WatchedConnection& connection, dialogue::Side answerer);

  TrafficContext context_;
  Connections connections_;
  WatchedConnection elsewhere_;
  bool has_streams_ = false;   // one has been seen
  std::size_t uncounted_ = 0;  // bytes that came since it was counted what all connections take
  Key evicted_{0, 0};          // up to here, for want of room: what comes of them is known in part
  std::array<std::set<std::string>, 2> exercised_;
  std::array<TrafficCounts, 2> counts_;
  std::size_t serial_ = 0;
  // Of the event at hand.
  TrafficShown shown_;
  const dialogue::TrafficEvent* event_ = nullptr;
  bool is_earlier_ = false;            // and not of what passes now
  const std::string* told_ = nullptr;  // what the server had said last on its connection, if known
  std::size_t refusal_ = 0;            // its serial where it may be refused unread; else 0
  bool answers_unread_ = false;        // what others may have read: one message, or a whole batch
  bool answers_repeated_ = false;  // a call whose id another one had: nobody knows which of them
};

}  // namespace jrpcheck::judge
