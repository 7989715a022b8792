// Whether a server still answers the control call as it did at first.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "run/side_dialogue.hpp"

namespace jrpcheck::run {

/// The answers to control calls, held against the first of them and judged. Safe to use from
/// several threads.
class Liveness {
 public:
  explicit Liveness(SideDialogue dialogue) : dialogue_(std::move(dialogue)) {}

  /// Takes the answer to a control call in. Whether it is another than the first: a result in place
  /// of an error, or an error with another code. A server that answers everything in one new way
  /// has been damaged. An empty text is no answer, and tells nothing here. What a web framework
  /// says of its own under an HTTP error status is no Response, and not judged as one. What nobody
  /// can read is judged, and no change.
  bool has_changed(const std::string& answer, int http_status = 0);

  /// Takes in that a call was answered so, and the same call once more as at first. What no limit
  /// and no state of a server's own explains is charged: a success, or -32700 to what is JSON.
  void note_other_answer(const std::string& answer);

  /// Charges an answer that a call of an unknown method had, and not when it was made again;
  /// `where` says when, for people.
  void note_lapse(const std::string& answer, std::string where);

  /// The first answer, in words: "error -32601".
  std::string first() const;

  SideDialogue& dialogue() { return dialogue_; }

 private:
  void note_unreadable(const dialogue::Message& answer, int http_status);

  mutable std::mutex mutex_;  // guards what follows
  std::optional<std::string> first_;
  std::set<std::size_t> judged_;  // hashes of answers without their ids
  bool has_met_unreadable_ = false;
  SideDialogue dialogue_;
};

}  // namespace jrpcheck::run
