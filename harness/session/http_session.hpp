// What each request of one session over HTTP says beside its message, as its protocol has it.
#pragma once

#include <string>
#include <string_view>

#include "corpus/profile.hpp"
#include "dialogue/message.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session {

class HttpSession {
 public:
  explicit HttpSession(corpus::HttpHabits habits = {}) : habits_(std::move(habits)) {}

  /// Nothing is kept of the session before.
  void begin() {
    kept_.clear();
    agreed_.clear();
    is_open_ = false;
  }
  /// The first message of the opening has been answered, or there is none.
  void note_open() { is_open_ = true; }
  /// Keeps what the protocol keeps of a response that succeeded. The first one counts.
  void note(const wire::HttpMessage& response);
  /// What the answer to the opening says where a field of messages has its value from: the version
  /// that was agreed on, whichever was asked for. The first one counts.
  void note_agreed(const dialogue::Message& answer);

  /// The fields of a request with this message, where the user's own take precedence.
  wire::HttpFields fields(const dialogue::Message& message, const wire::HttpFields& own) const;

  /// Whether the server has given out something that belongs to this session.
  bool has_begun() const { return !kept_.empty(); }
  /// Whether the protocol has sessions, and this is none: what is asked may be refused for that.
  bool is_missing() const { return !habits_.kept.empty() && kept_.empty() && !is_open_; }
  /// Whether a field of that name says which session a request is of.
  bool keeps(std::string_view name) const;
  /// Whether event streams are asked for.
  bool reads_streams() const;

 private:
  corpus::HttpHabits habits_;
  wire::HttpFields kept_;
  wire::HttpFields agreed_;
  bool is_open_ = false;
};

}  // namespace jrpcheck::session
