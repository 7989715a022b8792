#include "client/own_messages.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "client/played_tasks.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::client {
namespace {

// Whether it is a request with that id, as it is spelled, or a batch of some.
bool has_id(const json::Value& message, const std::string& spelled) {
  if (message.is(json::Kind::array)) {
    const auto& all = message.children();
    return std::ranges::any_of(all, [&](auto& each) { return has_id(each, spelled); });
  }
  const json::Value* id = message.find("id");
  return id != nullptr && json::write(*id) == spelled;
}

}  // namespace

std::vector<std::string> OwnMessages::first(const std::string& url) const {
  auto said = dialogue_.say;
  for (auto& each : said) replace_all(each, "${url}", url);
  return said;
}

std::optional<std::string> OwnMessages::next(const std::string& capabilities,
                                             std::size_t answered) {
  if (answered < dialogue_.say.size() + later_.size()) return std::nullopt;
  while (next_ < dialogue_.then_say.size()) {
    std::string text = dialogue_.then_say[next_++];
    const auto message = json::parse(text);
    if (!message || !is_declared_for(*message.value, capabilities)) continue;
    if (contains(text, "${taskId}") && task_.empty()) {
      next_ = dialogue_.then_say.size();
      break;
    }
    replace_all(text, "\"${taskId}\"", json::write(json::Value::string(task_)));
    later_.push_back(text);
    return text;
  }
  return std::nullopt;
}

bool OwnMessages::has_asked(const std::string& id) const {
  const auto asks = [&](const std::string& own) {
    const auto parsed = json::parse(own);
    return parsed && has_id(*parsed.value, id);
  };
  return std::ranges::any_of(dialogue_.say, asks) || std::ranges::any_of(later_, asks);
}

void OwnMessages::note_answer(const json::Value& response) {
  const std::string task = json::text_at(response, "/result/task/taskId");
  if (!task.empty()) task_ = task;
}

}  // namespace jrpcheck::client
