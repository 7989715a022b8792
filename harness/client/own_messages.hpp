// Own messages: what the server of a dialogue says by itself, in one trial. Some go out at once,
// and the others each once all before it are answered.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "corpus/client_dialogue.hpp"
#include "json/value.hpp"

namespace jrpcheck::client {

class OwnMessages {
 public:
  explicit OwnMessages(const corpus::Dialogue& dialogue) : dialogue_(dialogue) {}

  /// Those that go out at once, with what stands for "${url}".
  std::vector<std::string> first(const std::string& url) const;
  /// The next of the others, for a client of such capabilities, which has answered so many. What is
  /// about a task of a client that has made none ends them.
  std::optional<std::string> next(const std::string& capabilities, std::size_t answered);

  /// Whether one that has gone out is a Request with that id, as it is spelled.
  bool has_asked(const std::string& id) const;
  /// One of them is answered with this Response, which may name a task that the client has made.
  void note_answer(const json::Value& response);

  /// Whether all have gone out, and so many answers are enough.
  bool are_settled(std::size_t answered) const {
    return answered >= dialogue_.owed.size() + later_.size() && next_ == dialogue_.then_say.size();
  }

 private:
  const corpus::Dialogue& dialogue_;
  std::size_t next_ = 0;            // of those that come later
  std::vector<std::string> later_;  // which have gone out
  std::string task_;                // as the client's last answer has named it
};

}  // namespace jrpcheck::client
