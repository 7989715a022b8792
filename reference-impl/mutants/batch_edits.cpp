#include "reference-impl/mutants/batch_edits.hpp"

#include <utility>

namespace jrpcheck::reference {
namespace {

bool is_batch(std::string_view message) { return is_json(message) && is_array(message); }

}  // namespace

Behaviour on_batch(std::function<Reply(const Texts& elements, const ProperReply& proper)> answer) {
  return {
      .reply = [answer = std::move(answer)](std::string_view message, const ProperReply& proper) {
        return is_batch(message) ? answer(elements_of(message), proper) : proper(message);
      }};
}

Behaviour on_batch_reply(std::function<Reply(Texts responses)> rewrite) {
  return on_reply([rewrite = std::move(rewrite)](std::string reply) {
    return is_array(reply) ? rewrite(elements_of(reply)) : Reply(std::move(reply));
  });
}

std::string id_of_response(const std::string& object_text) {
  const auto object = object_of(object_text);
  const std::string* id = object ? object->find("id") : nullptr;
  return id != nullptr ? *id : "null";
}

}  // namespace jrpcheck::reference
