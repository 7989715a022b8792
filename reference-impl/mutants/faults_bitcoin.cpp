// Defects of a node of Bitcoin Core. Most are small: on successes only, in batches only, in one
// dialect only.
#include <algorithm>

#include "reference-impl/mutants/bitcoin_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using namespace bitcoin;

std::span<const Mutant> faults_of_both_dialects() {
  static const Mutant all[] = {
      {"btc-old-as-new", breaks("btc-shape-old").perhaps("btc-amount-form", "v1-both-members"),
       kHttp, "Old successes are answered as those of 2.0.", editing_old([](json& response) {
         if (has_failed(response)) return;
         response["jsonrpc"] = "2.0";
         response.erase("error");
       })},
      {"btc-old-says-1-0", breaks("btc-shape-old").perhaps("btc-amount-form"), kHttp,
       "Old answers say that they are of 1.0.", editing_old(setting("jsonrpc", "1.0"))},
      {"btc-old-error-without-result", breaks("btc-shape-old"), kHttp, "Old errors have no result.",
       editing_old([](json& response) {
         if (has_failed(response)) response.erase("result");
       })},
      {"btc-old-success-without-error", breaks("btc-shape-old").perhaps("btc-amount-form"), kHttp,
       "Old successes have no error.", editing_old([](json& response) {
         if (!has_failed(response)) response.erase("error");
       })},
      {"btc-old-id-lost-on-error", breaks("btc-id-echo"), kHttp, "Old errors have id null.",
       editing_old([](json& response) {
         if (has_failed(response) && response.contains("id")) response["id"] = nullptr;
       })},
      {"btc-id-cached", breaks("btc-id-echo"), kHttp,
       "Old answers to one method have the id of another call.", caching_ids()},
      {"btc-digits-turned", breaks("btc-id-echo"), kHttp, "An id of digits comes back as a Number.",
       edit_response([](const json&, json& response) {
         if (response.value("id", json()) == "7") response["id"] = 7;
       })},
      {"btc-structured-id-lost", breaks("btc-id-echo"), kHttp, "Ids that are Arrays become null.",
       edit_response([](const json&, json& response) {
         if (response.value("id", json()).is_array()) response["id"] = nullptr;
       })},
      {"btc-true-as-one", breaks("btc-id-echo"), kHttp, "The id true becomes 1.",
       editing_old([](json& response) {
         if (response.value("id", json()) == true) response["id"] = 1;
       })},
      {"btc-no-id-unanswered", breaks("btc-id-absent-old"), kHttp,
       "An old call without id is taken for a Notification.",
       on_call([](const json& call, const ProperCall& proper) {
         return is_new(call) || call.contains("id") ? proper() : Reply();
       })},
      {"btc-null-id-unanswered", breaks("btc-id-null"), kHttp,
       "An old call whose id is null is taken for a Notification.",
       on_call([](const json& call, const ProperCall& proper) {
         return is_new(call) || call.value("id", json(0)) != nullptr ? proper() : Reply();
       })},
      {"btc-null-version-refused", breaks("btc-version-absent"), kHttp,
       "A version of null is refused.", reading_calls([](json& call) {
         if (call.contains("jsonrpc") && call["jsonrpc"].is_null()) call["method"] = 0;
       })},
      {"btc-1-0-refused", breaks("btc-version-absent"), kHttp, "The version 1.0 is refused.",
       reading_calls([](json& call) {
         if (call.value("jsonrpc", json()) == "1.0") call["method"] = 0;
       })},
      {"btc-null-result-left-out",
       breaks("btc-result-null")
           .perhaps("btc-shape-old", "btc-shape-new", "res-result-on-success", "btc-code-message",
                    "err-object", "v1-both-members"),
       kHttp, "A result of null is left out.", edit_response([](const json&, json& response) {
         if (!has_failed(response) && response["result"].is_null()) response.erase("result");
       })},
      {"btc-old-unknown-500", breaks("btc-status-old-unknown").perhaps("btc-path-unknown"), kHttp,
       "Old calls of unknown methods have the status 500.",
       with_status("404 Not Found", "500 Oh", [](const json& sent) { return sent.is_object(); })},
      {"btc-old-errors-200", breaks("btc-status-old-error"), kHttp,
       "Old errors have the status 200.",
       with_status("500 Internal Server Error", "200 OK",
                   [](const json& sent) { return sent.is_object(); })},
      {"btc-old-refusals-500", breaks("btc-status-old-invalid").perhaps("btc-header-limit"), kHttp,
       "Old refusals have the status 500.",
       with_status("400 Bad Request", "500 Oh", [](const json& sent) { return !is_new(sent); })},
      {"btc-unreadable-400", breaks("btc-status-parse"), kHttp,
       "What cannot be read has the status 400.",
       with_status("500 Internal Server Error", "400 Bad Request",
                   [](const json& sent) { return sent.is_discarded(); })},
      {"btc-scalar-as-nothing", breaks("btc-status-parse"), kHttp,
       "A bare value is refused as no request.",
       answering("5", R"({"result":null,"error":{"code":-32600,"message":"no"},"id":null})")},
      {"btc-null-fatal", breaks("rob-survives"), kHttp, "A bare null ends the process.",
       on_message([](std::string_view message) {
         if (message == "null") throw Catastrophe{Catastrophe::Manner::exit};
         return std::string(message);
       })},
      {"btc-batch-500", breaks("btc-status-batch"), kHttp,
       "A batch with an error has the status 500.",
       with_head([](const wire::HttpMessage& request, std::string& bytes) {
         const bool is_it = request.body.starts_with("[") && bytes.find("\"code\"") != bytes.npos;
         if (is_it) replace_text(bytes, "200 OK", "500 Oh");
       })},
      {"btc-batch-empty-refused", breaks("btc-batch-empty"), kHttp, "An empty batch is refused.",
       answering("[]", R"({"result":null,"error":{"code":-32600,"message":"no"},"id":null})")},
      {"btc-batch-reversed", breaks("btc-batch-order"), kHttp, "Batches are answered backwards.",
       editing_batches([](const json&, json& batch) { std::reverse(batch.begin(), batch.end()); })},
      {"btc-batch-first-twice",
       breaks("bat-each").perhaps("id-null-request", "bat-duplicate-ids", "bat-large"), kHttp,
       "The first answer of a batch stands at its end once more.",
       editing_batches([](const json&, json& batch) {
         if (batch.size() > 1) batch.push_back(batch.front());
       })},
      {"btc-batch-cut", breaks("btc-batch-work"), kHttp, "A batch of more than fifty is cut.",
       editing_batches([](const json&, json& batch) {
         constexpr std::size_t kMost = 50;
         while (batch.size() > kMost) batch.erase(batch.size() - 1);
       })},
      {"btc-batch-element-dropped", breaks("btc-batch-bad-element"), kHttp,
       "What is no request in a batch has no answer.",
       editing_batches([](const json&, json& batch) {
         for (std::size_t i = batch.size(); i-- > 0;) {
           if (has_failed(batch[i]) && batch[i]["error"]["code"] == -32600) batch.erase(i);
         }
       })},
      {"btc-batch-element-code", breaks("btc-batch-bad-element"), kHttp,
       "What is no request in a batch is -32700.", editing_batches([](const json&, json& batch) {
         for (auto& each : batch) {
           if (has_failed(each) && each["error"]["code"] == -32600) each["error"]["code"] = -32700;
         }
       })},
      {"btc-names-ignored", breaks("btc-params-named"), kHttp, "Params by name are not read.",
       reading_calls([](json& call) {
         const bool is_named = call.contains("params") && call["params"].contains("height");
         if (is_named && call["params"].size() == 1) call["params"] = json::array();
       })},
      {"btc-unknown-name-ignored", breaks("btc-params-named-unknown"), kHttp,
       "Unknown names are overlooked.", reading_calls([](json& call) {
         if (call.contains("params") && call["params"].contains("hight")) call["params"] = {0};
       })},
      {"btc-twice-taken", breaks("btc-params-named-twice"), kHttp, "A value may be given twice.",
       reading_calls([](json& call) {
         const bool is_twice =
             call.contains("params") && call["params"].is_object() && call["params"].size() == 2;
         if (is_twice) call["params"].erase("height");
       })},
      {"btc-null-params-refused", breaks("btc-params-null"), kHttp, "Params of null are refused.",
       reading_calls([](json& call) {
         if (call.contains("params") && call["params"].is_null()) call["params"] = "";
       })},
      {"btc-scalar-params-taken", breaks("btc-params-scalar"), kHttp,
       "Params of a simple type are overlooked.", reading_calls([](json& call) {
         if (call.contains("params") && call["params"].is_string()) call.erase("params");
       })},
      {"btc-surplus-taken", breaks("btc-params-surplus").perhaps("btc-params-scalar"), kHttp,
       "Surplus params are overlooked.", reading_calls([](json& call) {
         if (call["method"] == "getblockcount") call.erase("params");
       })},
      {"btc-missing-code", breaks("btc-params-missing"), kHttp, "Missing params are -32602.",
       recoding("getblockhash", -1, -32602)},
      {"btc-range-code-old",
       breaks("btc-params-range").perhaps("btc-params-named-twice", "btc-params-named-unknown"),
       kHttp, "In the old dialect a value out of range is -1.",
       recoding("getblockhash", -8, -1, In::old_dialect)},
      {"btc-unknown-code",
       breaks("btc-code-unknown-method").perhaps_any_of("btc-status-", "err-", "ntf-"), kHttp,
       "An unknown method is -1.", recoding("", -32601, -1)},
      {"btc-not-found-null", breaks("btc-code-not-found"), kHttp, "An unknown block is null.",
       overlooking(-5, nullptr)},
      {"btc-decoding-code", breaks("btc-code-deserialize"), kHttp, "What cannot be decoded is -1.",
       recoding("decoderawtransaction", -22, -1)},
      {"btc-code-of-none", breaks("btc-code-known", "btc-code-deserialize"), kHttp,
       "A code is none of protocol.h.", recoding("decoderawtransaction", -22, -99)},
      {"btc-error-without-message", breaks("btc-code-message"), kHttp,
       "Old errors have no message.", editing_old([](json& response) {
         if (has_failed(response)) response["error"].erase("message");
       })},
      {"btc-wallet-code", breaks("btc-wallet-unknown"), kHttp, "A wallet that is not loaded is -4.",
       recoding("getwalletinfo", -18, -4)},
      {"btc-wallet-path-refused", breaks("btc-wallet-path"), kHttp,
       "Only calls of wallets work at their paths.",
       edit_http_request([](wire::HttpMessage& request) {
         if (request.target.starts_with("/wallet/"))
           replace_text(request.body, "getblockcount", "getwalletinfo");
       })},
      {"btc-challenge-missing", breaks("btc-auth-missing"), kHttp, "A login is not asked for.",
       with_head([](const wire::HttpMessage&, std::string& bytes) {
         replace_text(bytes, "WWW-Authenticate", "X-Authenticate");
       })},
      {"btc-anybody-let-in", breaks("btc-auth-missing", "btc-auth-before-body"), kHttp,
       "Who gives no login is let in.", edit_http_request([](wire::HttpMessage& request) {
         if (!request.field("Authorization")) request.fields.emplace_back("Authorization", kLogin);
       })},
      {"btc-any-password", breaks("btc-auth-wrong"), kHttp, "Any password will do.",
       edit_http_request(
           [](wire::HttpMessage& request) { log_in_whoever(request, "Basic anJwY2hlY2s6"); })},
      {"btc-any-scheme", breaks("btc-auth-form"), kHttp, "Any other scheme will do.",
       edit_http_request([](wire::HttpMessage& request) { log_in_whoever(request, "Bearer"); })},
      {"btc-parses-first", breaks("btc-auth-before-body"), kHttp,
       "The body is looked at before the login.", edit_http_request([](wire::HttpMessage& request) {
         const bool is_it =
             !request.body.empty() && json::parse(request.body, nullptr, false).is_discarded();
         if (is_it && !request.field("Authorization")) {
           request.fields.emplace_back("Authorization", kLogin);
         }
       })},
      {"btc-get-served", breaks("btc-method-get"), kHttp, "GET has the status 200.",
       with_status("405 Method Not Allowed", "200 OK")},
      {"btc-get-answered", breaks("btc-method-get"), kHttp, "GET is answered by a Response.",
       with_head([](const wire::HttpMessage& request, std::string& bytes) {
         if (request.method == "GET") {
           bytes = answer_in_json(200, R"({"result":null,"error":null,"id":null})").bytes;
         }
       })},
      {"btc-put-served", breaks("btc-method-get"), kHttp, "A call by PUT is carried out.",
       edit_http_request([](wire::HttpMessage& request) {
         if (request.method == "PUT") request.method = "POST";
       })},
      {"btc-any-path", breaks("btc-path-unknown"), kHttp, "Any path is served.",
       edit_http_request([](wire::HttpMessage& request) { request.target = "/"; })},
      {"btc-any-head", breaks("btc-header-limit"), kHttp, "Heads of any length are read.",
       edit_http_request([](wire::HttpMessage& request) { request.head.clear(); })},
      {"btc-any-origin", breaks("btc-no-cors"), kHttp, "Pages of any place are let in.",
       with_head([](const wire::HttpMessage&, std::string& bytes) {
         bytes.insert(bytes.find("\r\n") + 2, "Access-Control-Allow-Origin: *\r\n");
       })},
      {"btc-errors-as-text", breaks("btc-content-type").perhaps("http-response-type"), kHttp,
       "Old errors are text/plain.", with_head([](const wire::HttpMessage&, std::string& bytes) {
         if (bytes.starts_with("HTTP/1.1 5")) replace_text(bytes, "application/json", "text/plain");
       })},
      {"btc-help-object", breaks("btc-help"), kHttp, "help is an Object.",
       edit_result("help", [](json& result) { result = json::object(); })},
      {"btc-rpcinfo-without-duration", breaks("btc-getrpcinfo"), kHttp,
       "getrpcinfo has no duration.",
       edit_result("getrpcinfo",
                   [](json& result) {
                     if (result.is_object()) result["active_commands"][0].erase("duration");
                   })},
      {"btc-uptime-text", breaks("btc-uptime"), kHttp, "uptime is a text.",
       edit_result("uptime", [](json& result) { result = "1"; })},
      {"btc-uptime-missing", breaks("btc-uptime"), kHttp, "There is no method uptime.",
       reading([](json& message) {
         const auto rename = [](json& call) {
           if (call.is_object() && call.value("method", json()) == "uptime") call["method"] = "up";
         };
         if (!message.is_array()) return rename(message);
         for (auto& each : message) rename(each);
       })},
      {"btc-capital-hash", breaks("btc-hash-form"), kHttp, "A hash has capital digits.",
       edit_result("getbestblockhash", [](json& result) { result = std::string(64, 'A'); })},
      {"btc-short-hash", breaks("btc-hash-form"), kHttp, "A hash lacks its zeros.",
       edit_result("getblockhash",
                   [](json& result) {
                     if (result.is_string()) result = "b10c0";
                   })},
      {"btc-count-as-id", breaks("btc-result-schema"), kHttp,
       "The number of blocks is a text where the id is one.", writing_as_ids()},
      {"btc-amounts-short", breaks("btc-amount-form"), kHttp, "Amounts lose their last zeros.",
       on_call("getmempoolinfo",
               [](const json&, const ProperCall& proper) -> Reply {
                 Reply reply = proper();
                 return reply ? Reply(json::parse(*reply).dump()) : reply;
               })},
  };
  return all;
}

std::span<const Mutant> faults_of_the_new_dialect() {
  static const Mutant all[] = {
      {"btc-new-null-error", breaks("btc-shape-new").perhaps("btc-amount-form"), kHttp,
       "Successes of 2.0 have an error of null.", editing_new([](json& response) {
         if (!has_failed(response)) response["error"] = nullptr;
       })},
      {"btc-new-null-result", breaks("btc-shape-new"), kHttp,
       "Errors of 2.0 have a result of null.", editing_new([](json& response) {
         if (has_failed(response)) response["result"] = nullptr;
       })},
      {"btc-new-as-old", breaks("btc-shape-new").perhaps("btc-status-new-errors"), kHttp,
       "A value that 2.0 refuses is answered in the old dialect.", editing_new([](json& response) {
         if (!has_failed(response) || response["error"]["code"] != -8) return;
         response.erase("jsonrpc");
         response["result"] = nullptr;
       })},
      {"btc-new-as-old-in-batches", breaks("btc-shape-new"), kHttp,
       "In batches 2.0 is answered in the old dialect.",
       editing_batches([](const json&, json& batch) {
         for (auto& each : batch) {
           if (!each.contains("jsonrpc")) continue;
           each.erase("jsonrpc");
           each["result"] = each.value("result", json());
           each["error"] = each.value("error", json());
         }
       })},
      {"btc-batch-speaks-as-its-first", breaks("btc-shape-old").perhaps_any_of("btc-"), kHttp,
       "A batch is answered in the dialect of its first call.",
       editing_batches([](const json& calls, json& batch) {
         if (!is_new(calls.front())) return;
         for (auto& each : batch) {
           each["jsonrpc"] = "2.0";
           each.erase(has_failed(each) ? "result" : "error");
         }
       })},
      {"btc-dialect-remembered", breaks("btc-shape-old").perhaps("btc-amount-form"), kHttp,
       "An old call behind one of 2.0 is answered as that was.", remembering_dialect},
      {"btc-no-id-as-null", breaks("btc-id-absent-old"), kHttp,
       "A call without id is answered with id null.", editing_old([](json& response) {
         if (!response.contains("id")) response["id"] = nullptr;
       })},
      {"btc-no-id-as-null-in-batches", breaks("btc-id-absent-old"), kHttp,
       "In a batch a call without id is answered with id null.",
       editing_batches([](const json&, json& batch) {
         for (auto& each : batch) {
           if (!each.contains("id")) each["id"] = nullptr;
         }
       })},
      {"btc-mempool-unanswered", breaks("res-always"), kHttp,
       "A call of getmempoolinfo has no answer.",
       on_call([](const json& call, const ProperCall& proper) {
         return call.value("method", json()) == "getmempoolinfo" ? Reply() : proper();
       })},
      {"btc-batch-of-one-bare", breaks("bat-array").perhaps_any_of("bat-"), kHttp,
       "The one answer to a batch is in no Array.",
       Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         Reply reply = proper(message);
         const json batch = reply ? json::parse(*reply, nullptr, false) : json();
         return batch.is_array() && batch.size() == 1 ? Reply(batch.front().dump()) : reply;
       }}},
      {"btc-null-id-as-notification", breaks("btc-id-null"), kHttp,
       "A call of 2.0 whose id is null is taken for a Notification.",
       on_call([](const json& call, const ProperCall& proper) {
         return !is_new(call) || call.value("id", json(0)) != nullptr ? proper() : Reply();
       })},
      {"btc-notification-answered", breaks("btc-notification").perhaps_any_of("ntf-"), kHttp,
       "Notifications are answered.", without_notifications(false)},
      {"btc-failing-notification-answered", breaks("btc-notification").perhaps_any_of("ntf-"),
       kHttp, "Notifications that fail are answered.", without_notifications(true)},
      {"btc-notification-200", breaks("btc-notification"), kHttp,
       "Notifications have the status 200.",
       with_head([](const wire::HttpMessage& request, std::string& bytes) {
         if (request.body.starts_with("{")) {
           replace_text(bytes, "204 No Content\r\n", "200 OK\r\nContent-Length: 0\r\n");
         }
       })},
      {"btc-notifications-as-array",
       breaks("btc-status-batch-notifications"),
       kHttp,
       "A batch of Notifications gives [].",
       {Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         Reply reply = proper(message);
         return message.starts_with("[") && !reply ? Reply("[]") : reply;
       }}}},
      {"btc-any-version", breaks("btc-version-other"), kHttp, "Any version is the old one.",
       reading_calls([](json& call) {
         const bool is_other = call.contains("jsonrpc") && call["jsonrpc"] != "2.0";
         if (is_other) call.erase("jsonrpc");
       })},
      {"btc-version-by-number", breaks("btc-version-other"), kHttp, "The Number 2.0 is a version.",
       reading_calls([](json& call) {
         if (call.contains("jsonrpc") && call["jsonrpc"].is_number()) call["jsonrpc"] = "2.0";
       })},
      {"btc-new-unknown-404", breaks("btc-status-new-errors").perhaps("http-status-stable"), kHttp,
       "Calls of 2.0 of unknown methods have the status 404.",
       with_head([](const wire::HttpMessage& request, std::string& bytes) {
         const bool is_it = request.body.starts_with("{") && bytes.find("-32601") != bytes.npos;
         if (is_it) replace_text(bytes, "200 OK", "404 Not Found");
       })},
      {"btc-new-refusals-200", breaks("btc-status-new-invalid"), kHttp,
       "Refusals of 2.0 have the status 200.", with_status("400 Bad Request", "200 OK", is_new)},
      {"btc-successes-201", breaks("btc-status-ok").perhaps("btc-status-batch"), kHttp,
       "Successes have the status 201.",
       with_head([](const wire::HttpMessage&, std::string& bytes) {
         const bool is_it =
             bytes.find("\"result\"") != bytes.npos && bytes.find("code") == bytes.npos;
         if (is_it) replace_text(bytes, "200 OK", "201 Created");
       })},
      {"btc-args-unknown", breaks("btc-params-args").perhaps("btc-params-named-twice"), kHttp,
       "The name args is not known.", reading_calls([](json& call) {
         const bool has_args = call.contains("params") && call["params"].contains("args");
         if (has_args) call["params"] = {{"argz", 0}};
       })},
      {"btc-type-code", breaks("btc-params-type"), kHttp, "A wrong type is -32602.",
       recoding("getblockhash", -3, -32602)},
  };
  return all;
}

}  // namespace

std::vector<Mutant> bitcoin_faults(std::string_view version) {
  return with_new_dialect(faults_of_both_dialects(), faults_of_the_new_dialect(), version);
}

}  // namespace jrpcheck::reference
