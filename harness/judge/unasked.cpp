#include "judge/unasked.hpp"

#include <array>
#include <string>

#include "dialogue/id_key.hpp"
#include "judge/envelope.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

bool is_structured(const json::Value& params) {
  return params.is(Kind::array) || params.is(Kind::object);
}

void judge_id(const json::Value& request, Charger& charger) {
  const json::Value* id = request.find("id");
  if (id == nullptr) return;
  if (id->is(Kind::string) || id->is(Kind::number) || id->is(Kind::null)) return;
  charger.charge("req-id-type",
                 {Symptom::request_id_of_wrong_type, "a String or a Number", shown(*id), "/id"});
}

void judge_request(const json::Value& request, Charger& charger) {
  const json::Value* version = request.find("jsonrpc");
  if (version == nullptr) {
    charger.charge("req-version-missing", {Symptom::request_version_missing, R"("jsonrpc":"2.0")",
                                           shown(request), "/jsonrpc"});
  } else if (!version->is(Kind::string) || version->text() != "2.0") {
    charger.charge("req-version",
                   {Symptom::request_version_wrong, R"("2.0")", shown(*version), "/jsonrpc"});
  }
  const json::Value* method = request.find("method");
  if (!method->is(Kind::string)) {
    charger.charge("req-method-string",
                   {Symptom::method_not_string, "a String", shown(*method), "/method"});
  }
  // Whether null may stand for no params is open.
  const json::Value* params = request.find("params");
  if (params != nullptr && !is_structured(*params) && !params->is(Kind::null)) {
    charger.charge("req-params-structured", {Symptom::params_not_structured,
                                             "an Array or an Object", shown(*params), "/params"});
  }
  judge_id(request, charger);
}

void judge_object(const json::Value& value, Charger& charger,
                  const std::set<std::string>& own_ids) {
  if (value.find("method") != nullptr) return judge_request(value, charger);
  const json::Value* id = value.find("id");
  const auto key = id == nullptr ? std::nullopt : dialogue::id_key(*id);
  if (key && own_ids.count(*key) != 0) {
    return charger.charge("req-response-shaped",
                          {Symptom::answered, "nothing: a Response is not answered", shown(value)});
  }
  charger.charge("res-once", {Symptom::answers_no_call, "a Response to what was sent, or nothing",
                              shown(value)});
  judge_response(value, false, charger);
}

}  // namespace

void judge_unasked(const dialogue::Message& message, Charger& charger,
                   const std::set<std::string>& own_ids) {
  if (message.value() == nullptr || charger.judges_1_0()) return;
  if (!message.value()->is(Kind::array)) return judge_object(*message.value(), charger, own_ids);
  for (const auto& each : message.value()->children()) judge_object(each, charger, own_ids);
}

}  // namespace jrpcheck::judge
