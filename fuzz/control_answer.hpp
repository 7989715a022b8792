// Control calls: what may be the answer to one under another id, and how a server spells the
// answers, so that those after the first need no parsing.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/contains.hpp"
#include "dialogue/id_key.hpp"
#include "dialogue/message.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

/// Whether it is a Response that may be another call's than those here: its id is that of no
/// message here, and stands in none, from which it may have been taken; or it has none, and says
/// what came of a method. With id null only what was not taken for a Request is refused (JSON-RPC
/// 2.0 §5).
inline bool may_be_of_another_call(const dialogue::Message& reply,
                                   const std::vector<dialogue::Message>& sent) {
  const auto key = dialogue::id_key(reply.find("id"));
  if (!key) {
    return dialogue::is_of_unknown_call(reply) &&
           (reply.find("result") != nullptr || dialogue::fails_a_call(reply));
  }
  if (!dialogue::holds_response(reply)) return false;
  const std::string spelled = json::write(*reply.find("id"));
  return std::ranges::none_of(sent, [&](const dialogue::Message& each) {
    return contains(dialogue::id_keys_of(each), *key) ||
           each.text().find(spelled) != std::string::npos;
  });
}

class ControlAnswer {
 public:
  /// `answer` has been found to answer the control call of that id.
  void learn(std::string_view answer, long long id) {
    const std::string digits = std::to_string(id);
    const auto at = answer.find(digits);
    if (at == std::string_view::npos || answer.find(digits, at + 1) != std::string_view::npos) {
      return;  // more than the id changes from answer to answer
    }
    before_ = answer.substr(0, at);
    behind_ = answer.substr(at + digits.size());
  }

  /// Whether `text` is such an answer to the control call of that id. False where that is not known
  /// without a closer look.
  bool matches(std::string_view text, long long id) const {
    if (!before_ || text.substr(0, before_->size()) != *before_) return false;
    const std::string digits = std::to_string(id);
    text.remove_prefix(before_->size());
    return text.substr(0, digits.size()) == digits && text.substr(digits.size()) == behind_;
  }

 private:
  std::optional<std::string> before_;
  std::string behind_;
};

}  // namespace jrpcheck::fuzz
