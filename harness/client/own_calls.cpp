#include "client/own_calls.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "dialogue/id_key.hpp"

namespace jrpcheck::client {
namespace {

std::optional<std::string> key_of(const json::Value& message) {
  return dialogue::id_key(message.find("id"));
}

}  // namespace

void OwnCalls::tell(const dialogue::Message& message) {
  const json::Value* value = message.value();
  if (value == nullptr || value->find("method") == nullptr) return;
  if (auto key = key_of(*value)) open_.insert(*std::move(key));
}

bool OwnCalls::settle(const dialogue::Message& message) {
  const json::Value* value = message.value();
  if (value == nullptr || value->find("method") != nullptr) return false;
  const auto key = key_of(*value);
  const auto found = key ? open_.find(*key) : open_.end();
  if (found == open_.end()) return false;
  open_.erase(found);
  return true;
}

std::string Sieve::pass(std::string_view bytes) {
  std::string out;
  for (; !bytes.empty(); bytes.remove_prefix(1)) {
    held_.push_back(bytes.front());
    if (const auto completed = reader_(bytes.substr(0, 1))) complete(*completed, out);
  }
  // White space may be what a message before it still needs to be whole for the server.
  if (!calls_.are_open() || is_blank(held_)) let_go(out);
  return out;
}

std::string Sieve::rest() {
  std::string out;
  // It may lack only the end of its line.
  if (has_begun_ || !calls_.settle(dialogue::Message(held_))) let_go(out);
  return out;
}

void Sieve::complete(const Completed& completed, std::string& out) {
  const bool is_answer = !has_begun_ && completed.message && calls_.settle(*completed.message);
  if (is_answer) {
    held_.clear();
  } else {
    let_go(out);
  }
  has_begun_ = completed.is_within_message;
}

void Sieve::let_go(std::string& out) {
  has_begun_ = has_begun_ || !is_blank(held_);
  out += std::exchange(held_, {});
}

}  // namespace jrpcheck::client
