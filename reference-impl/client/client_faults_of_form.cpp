// Faults in what the client sends.

#include "reference-impl/client/client_edits.hpp"
#include "reference-impl/client/client_mutants.hpp"

namespace jrpcheck::reference {

namespace {

ChangeHooks text_edit(std::string from, std::string to) {
  return [from = std::move(from), to = std::move(to)](ClientHooks& hooks) {
    hooks.sending = [from, to](std::string text) {
      for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
      }
      return text;
    };
  };
}

ChangeHooks on_own_answer(std::function<void(ClientJson& answer)> edit) {
  return [edit = std::move(edit)](ClientHooks& hooks) {
    hooks.answering = [edit](const std::string& text) {
      auto answer = ClientJson::parse(text);
      edit(answer);
      return answer.dump();
    };
  };
}

const ClientMutant kFaultsOfForm[] = {
    {"sends-no-version", breaks("cl-req-version"), kOverAll, "Its calls have no jsonrpc member.",
     on_call([](ClientJson& call) { call.erase("jsonrpc"); })},
    {"sends-version-as-number", breaks("cl-req-version"), kOverAll,
     "The jsonrpc of its calls is the Number 2.0.",
     on_call([](ClientJson& call) { call["jsonrpc"] = 2.0; })},
    {"sends-version-1", breaks("cl-req-version"), kOverAll, "The jsonrpc of its calls is \"1.0\".",
     on_call([](ClientJson& call) { call["jsonrpc"] = "1.0"; })},
    {"sends-method-as-number", breaks("cl-req-method"), kOverAll,
     "The method of its calls is a Number.", on_call([](ClientJson& call) { call["method"] = 7; })},
    {"sends-null-params", breaks("cl-req-params"), kOverAll,
     "A Notification at the beginning has null for params.",
     greet_with({R"({"jsonrpc":"2.0","method":"hello","params":null})"})},
    {"sends-text-params", breaks("cl-req-params"), kOverAll,
     "A Notification at the beginning has a String for params.",
     greet_with({R"({"jsonrpc":"2.0","method":"hello","params":"you"})"})},
    {"sends-params-as-number", breaks("cl-req-params"), kOverAll,
     "The params of its calls are a Number.",
     on_call([](ClientJson& call) { call["params"] = ClientJson(call["params"][0]); })},
    {"sends-extra-member", breaks("cl-req-members"), kOverAll,
     "Its calls have a member \"version\".",
     on_call([](ClientJson& call) { call["version"] = "1.1"; })},
    {"sends-member-twice", breaks("cl-req-duplicate-members"), kOverAll,
     "Its calls have the member jsonrpc twice.",
     text_edit(R"("jsonrpc":"2.0")", R"("jsonrpc":"2.0","jsonrpc":"2.0")")},
    {"sends-broken-json", breaks("cl-req-json"), kOverAll,
     "A Notification at the beginning has a comma too many.",
     greet_with({R"({"jsonrpc":"2.0","method":"hello",})"})},
    {"sends-latin-1", breaks("cl-req-json"), kOverHttp | kOverTcp | kOverStdio,
     "A Notification at the beginning is not in UTF-8.",
     greet_with({"{\"jsonrpc\":\"2.0\",\"method\":\"caf\xE9\"}"})},
    {"sends-object-ids",
     breaks("cl-id-type").perhaps("cl-id-unique", "cl-good", "cl-id-number-value"), kOverAll,
     "The ids of its calls are Objects.", with_ids_as([](Calls::Id id) {
       return ClientJson{{"n", id}};
     })},
    {"sends-boolean-id",
     breaks("cl-id-type").perhaps("cl-id-unique", "cl-good", "cl-id-number-value"), kOverAll,
     "The id of its second call is true.",
     with_ids_as([](Calls::Id id) { return id == 2 ? ClientJson(true) : ClientJson(id); })},
    {"sends-null-id", breaks("cl-id-not-null").perhaps_any_of("cl-"), kOverAll,
     "The id of its second call is null.",
     with_ids_as([](Calls::Id id) { return id == 2 ? ClientJson(nullptr) : ClientJson(id); })},
    {"sends-fractions", breaks("cl-id-no-fraction").perhaps("cl-good", "cl-id-number-value"),
     kOverAll, "The ids of its calls are fractions.",
     with_ids_as([](Calls::Id id) { return ClientJson(static_cast<double>(id) + 0.5); })},
    {"sends-empty-batch", breaks("cl-bat-not-empty"), kOverAll,
     "It sends an empty batch at the beginning.", greet_with({"[]"})},
    {"sends-nested-batch", breaks("cl-bat-flat"), kOverAll,
     "It sends a batch with an Array in it at the beginning.",
     greet_with({R"([{"jsonrpc":"2.0","method":"hello"},[]])"})},
    {"answers-responses", breaks("cl-no-answer-to-answer").perhaps("cl-response"), kOverStreams,
     "It thanks for each Response, with a Response.",
     [](ClientHooks& hooks) { hooks.answers_responses = true; }},
    {"sends-response-first", breaks("cl-response").perhaps("cl-no-answer-to-answer"), kOverAll,
     "It begins with a Response, which answers nothing.",
     greet_with({R"({"jsonrpc":"2.0","result":1,"id":77})"})},
    {"answers-no-calls", breaks("cl-server-call"), kOverStreams,
     "It leaves calls of the server unanswered.",
     [](ClientHooks& hooks) { hooks.answers_calls = false; }},
    {"serves-any-call", breaks("cl-server-call"), kOverStreams,
     "A call of the server has null for its result, whatever its method.",
     on_own_answer([](ClientJson& answer) {
       answer.erase("error");
       answer["result"] = nullptr;
     })},
    {"refuses-calls-by-another-code", breaks("cl-server-call"), kOverStreams,
     "It refuses calls of the server by the code -32000.",
     on_own_answer([](ClientJson& answer) { answer["error"]["code"] = -32000; })},
};

}  // namespace

std::span<const ClientMutant> client_faults_of_form() { return kFaultsOfForm; }

}  // namespace jrpcheck::reference
