// How a server spells the answers to control calls, so that those after the first need no parsing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck::fuzz {

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
