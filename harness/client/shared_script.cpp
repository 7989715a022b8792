#include "client/shared_script.hpp"

#include <algorithm>

#include "dialogue/message.hpp"

namespace jrpcheck::client {

SharedScript::SharedScript(const std::vector<const corpus::Scenario*>& scenarios) {
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    scripts_.emplace_back(*scenarios[i], first_call(i));
  }
}

Script& SharedScript::current() {
  const std::lock_guard lock(mutex_);
  return scripts_.at(at_);
}

std::optional<Answer> SharedScript::take(const std::string& text, std::size_t connection) {
  const dialogue::Message message(text);
  const json::Value* value = message.value();
  const bool is_object = value != nullptr && value->is(json::Kind::object);
  if (const auto number = is_object ? number_of(*value) : std::nullopt) {
    const std::lock_guard lock(mutex_);
    at_ = std::min((*number - 1) / 2, scripts_.size() - 1);
  }
  return current().take(text, connection);
}

void SharedScript::hear(const std::string& message) { current().hear(message); }

void SharedScript::hear_control(const ControlHeard& control, std::size_t connection) {
  current().hear_control(control, connection);
}

std::optional<Answer> SharedScript::give_up_waiting(std::size_t connection) {
  return current().give_up_waiting(connection);
}

}  // namespace jrpcheck::client
