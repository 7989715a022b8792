#include "judge/unasked.hpp"

#include <string>

#include "dialogue/id_key.hpp"
#include "judge/envelope.hpp"
#include "judge/request.hpp"

namespace jrpcheck::judge {
namespace {

void judge_object(const json::Value& value, Charger& charger,
                  const std::set<std::string>& own_ids) {
  if (value.find("method") != nullptr) {
    return judge_request(value, dialogue::Side::server, charger);
  }
  const auto key = dialogue::id_key(value.find("id"));
  if (key && own_ids.count(*key) != 0) {
    return charger.charge("req-response-shaped",
                          {Symptom::answered, "nothing: a Response is not answered", shown(value)});
  }
  charger.charge("res-once", {Symptom::answers_no_call, "a Response to what was sent, or nothing",
                              shown(value)});
  judge_response(value, false, charger);
}

}  // namespace

void judge_answer_with_other_id(const dialogue::Message& message, Charger& charger) {
  if (message.value() == nullptr || charger.judges_1_0()) return;
  charger.charge("id-echo", {Symptom::wrong_id, "a Response with the id of the call before it",
                             shown(*message.value())});
  judge_response(*message.value(), false, charger);
}

void judge_unasked(const dialogue::Message& message, Charger& charger,
                   const std::set<std::string>& own_ids) {
  if (message.value() == nullptr || charger.judges_1_0()) return;
  if (!message.value()->is(json::Kind::array))
    return judge_object(*message.value(), charger, own_ids);
  for (const auto& each : message.value()->children()) judge_object(each, charger, own_ids);
}

}  // namespace jrpcheck::judge
