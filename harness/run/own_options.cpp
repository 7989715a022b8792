#include "run/own_options.hpp"

#include <string>
#include <utility>
#include <vector>

#include "json/pointer.hpp"

namespace jrpcheck::run {
namespace {

using json::Kind;

bool is_call_there(const dialogue::Message& message, const corpus::OpeningPlace& place) {
  const json::Value* method = message.find("method");
  return method != nullptr && method->text() == place.method;
}

// As JSON text; empty: the user gives none.
std::string options_in(const std::vector<std::string>& opening, const corpus::OpeningPlace& place) {
  for (const auto& text : opening) {
    const dialogue::Message message(text);
    if (!is_call_there(message, place)) continue;
    if (const json::Value* there = json::at(*message.value(), place.at)) return json::write(*there);
  }
  return {};
}

}  // namespace

void give_own_options(const Options& options, corpus::Step& step) {
  if (!options.own_options || step.raw) return;
  const corpus::OpeningPlace& place = *options.own_options;
  const std::string given = options_in(options.opening.messages, place);
  if (given.empty()) return;
  const auto slash = place.at.rfind('/');
  const std::string name = place.at.substr(slash + 1);
  for (auto& message : step.messages) {
    if (!is_call_there(message, place)) continue;
    const json::Value* holder = json::at(*message.value(), place.at.substr(0, slash));
    const bool lacks_them =
        holder != nullptr && holder->is(Kind::object) && holder->find(name) == nullptr;
    if (!lacks_them) continue;
    std::string text = message.text();
    text.insert(holder->end() - 1, (holder->size() == 0 ? "" : ",") +
                                       json::write(json::Value::string(name)) + ":" + given);
    message = dialogue::Message(std::move(text));
  }
}

}  // namespace jrpcheck::run
