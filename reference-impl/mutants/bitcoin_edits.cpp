#include "reference-impl/mutants/bitcoin_edits.hpp"

#include <atomic>
#include <memory>

namespace jrpcheck::reference::bitcoin {

std::vector<Mutant> with_new_dialect(std::span<const Mutant> of_both,
                                     std::span<const Mutant> of_new, std::string_view version) {
  std::vector<Mutant> all(of_both.begin(), of_both.end());
  if (version == "2.0") all.insert(all.end(), of_new.begin(), of_new.end());
  return all;
}

bool is_new(const json& call) { return call.is_object() && call.value("jsonrpc", json()) == "2.0"; }

bool has_failed(const json& response) {
  return response.is_object() && response.contains("error") && !response["error"].is_null();
}

Behaviour editing_old(std::function<void(json& response)> edit) {
  return edit_response([edit = std::move(edit)](const json& call, json& response) {
    if (!is_new(call)) edit(response);
  });
}

Behaviour editing_new(std::function<void(json& response)> edit) {
  return edit_response([edit = std::move(edit)](const json& call, json& response) {
    if (is_new(call)) edit(response);
  });
}

Behaviour recoding(std::string method, int from, int to, In dialect) {
  return edit_response([=](const json& call, json& response) {
    const bool is_meant = method.empty() || call["method"] == method;
    if (!is_meant || (dialect == In::old_dialect && is_new(call)) || !has_failed(response)) return;
    if (response["error"]["code"] == from) response["error"]["code"] = to;
  });
}

void succeed(json& response, const json& result) {
  response["result"] = result;
  if (response.contains("jsonrpc")) {
    response.erase("error");
  } else {
    response["error"] = nullptr;
  }
}

Behaviour overlooking(int code, const json& result) {
  return edit_response([=](const json&, json& response) {
    if (has_failed(response) && response["error"]["code"] == code) succeed(response, result);
  });
}

Behaviour reading(std::function<void(json& message)> misread) {
  // Copies and comparisons are recursive: what is deeper is not read.
  constexpr int kDeepest = 100;
  const auto is_shallow = [](int depth, json::parse_event_t, const json&) {
    return depth <= kDeepest;
  };
  return {
      .reply = [misread, is_shallow](std::string_view message, const ProperReply& proper) -> Reply {
        json read = json::parse(message, is_shallow, false);
        if (read.is_discarded()) return proper(message);
        const json as_sent = read;
        misread(read);
        return proper(read == as_sent ? message : read.dump());
      }};
}

Behaviour reading_calls(std::function<void(json& call)> misread) {
  return reading([misread](json& message) {
    if (message.is_object() && message.contains("method")) misread(message);
  });
}

Behaviour editing_batches(std::function<void(const json& calls, json& batch)> edit) {
  return {.reply = [edit](std::string_view message, const ProperReply& proper) -> Reply {
    Reply reply = proper(message);
    json batch = reply ? json::parse(*reply, nullptr, false) : json();
    const json calls = json::parse(message, nullptr, false);
    if (!batch.is_array() || !calls.is_array() || batch.empty()) return reply;
    const json proper_batch = batch;
    edit(calls, batch);
    return batch == proper_batch ? reply : Reply(batch.dump());
  }};
}

Behaviour answering(std::string message, std::string reply) {
  return {.reply = [=](std::string_view text, const ProperReply& proper) -> Reply {
    return text == message ? Reply(reply) : proper(text);
  }};
}

Behaviour with_status(const std::string& from, const std::string& to,
                      std::function<bool(const json& sent)> is_meant) {
  return {.answer = [=](const wire::HttpMessage& request, const ProperAnswer& proper) {
    HttpAnswer answer = proper(request);
    const std::string line = "HTTP/1.1 " + from;
    const bool is_it = answer.bytes.starts_with(line) &&
                       (!is_meant || is_meant(json::parse(request.body, nullptr, false)));
    if (is_it) answer.bytes.replace(0, line.size(), "HTTP/1.1 " + to);
    return answer;
  }};
}

Behaviour with_head(std::function<void(const wire::HttpMessage&, std::string& bytes)> edit) {
  return {.answer = [=](const wire::HttpMessage& request, const ProperAnswer& proper) {
    HttpAnswer answer = proper(request);
    edit(request, answer.bytes);
    return answer;
  }};
}

void replace_text(std::string& bytes, const std::string& from, const std::string& to) {
  const auto place = bytes.find(from);
  if (place != bytes.npos) bytes.replace(place, from.size(), to);
}

void log_in_whoever(wire::HttpMessage& request, const std::string& beginning) {
  for (auto& [name, value] : request.fields) {
    if (name == "Authorization" && value.starts_with(beginning)) value = kLogin;
  }
}

HttpAnswer answer_in_json(int status, const std::string& body) {
  wire::HttpFields fields;
  if (!body.empty()) fields.emplace_back("Content-Type", "application/json");
  return respond(status, /*keep_alive=*/true, std::move(fields), body);
}

namespace {

std::string old_refusal(int code) {
  return json(
             {{"result", nullptr}, {"error", {{"code", code}, {"message", "no"}}}, {"id", nullptr}})
      .dump();
}

/// How a user who may call few methods is refused a call; nothing where it is none that is refused.
std::optional<HttpAnswer> refusal_of_user(const json& call, bool is_in_batch) {
  if (!call.is_object()) {
    if (is_in_batch) return answer_in_json(400, old_refusal(-32600));
    return std::nullopt;
  }
  const json method = call.value("method", json());
  if (!method.is_string()) {
    if (is_in_batch) return answer_in_json(500, old_refusal(-32700));
    return std::nullopt;
  }
  const bool is_listed = method == "getblockcount" || method == "getbestblockhash" ||
                         method == "getblockhash" || method == "getnetworkinfo";
  return is_listed ? std::nullopt : std::optional(answer_in_json(403, ""));
}

}  // namespace

Behaviour limiting_user() {
  return {.answer = [](const wire::HttpMessage& request, const ProperAnswer& proper) {
    HttpAnswer answer = proper(request);
    const auto begins = [&](const char* line) { return answer.bytes.starts_with(line); };
    const json sent = json::parse(request.body, nullptr, false);
    // What is no request, or has no login, is refused for that first.
    const bool is_heard = answer.keep_alive && request.method == "POST" && request.target == "/" &&
                          !begins("HTTP/1.1 400") && !begins("HTTP/1.1 401");
    if (!is_heard || answer.bytes.find("-32700") != std::string::npos) return answer;
    if (!sent.is_array()) return refusal_of_user(sent, false).value_or(answer);
    for (const auto& each : sent) {
      if (auto refusal = refusal_of_user(each, true)) return *std::move(refusal);
    }
    return answer;
  }};
}

Behaviour starting_up() {
  constexpr int kCallsMeanwhile = 8;
  const auto left = std::make_shared<std::atomic<int>>(kCallsMeanwhile);
  return edit_response([left](const json& call, json& response) {
    if (left->load() <= 0 || left->fetch_sub(1) <= 0) return;
    response["result"] = nullptr;
    if (is_new(call)) response.erase("result");
    response["error"] = {{"code", -28}, {"message", "Loading block index"}};
  });
}

Behaviour remembering_dialect() {
  const auto was_new = std::make_shared<std::atomic<bool>>(false);
  return edit_response([was_new](const json& call, json& response) {
    const bool is_of_before = was_new->exchange(is_new(call));
    if (is_new(call) || !is_of_before || has_failed(response)) return;
    response["jsonrpc"] = "2.0";
    response.erase("error");
  });
}

Behaviour caching_ids() {
  return edit_response([](const json& call, json& response) {
    if (!is_new(call) && call["method"] == "getbestblockhash") response["id"] = "of another";
  });
}

Behaviour writing_as_ids() {
  return edit_response([](const json& call, json& response) {
    const bool is_meant = call["method"] == "getblockcount" && !has_failed(response) &&
                          call.value("id", json()).is_string();
    if (is_meant) response["result"] = response["result"].dump();
  });
}

Behaviour without_notifications(bool failed_only) {
  return on_call([=](const json& call, const ProperCall& proper) -> Reply {
    const bool is_meant =
        is_new(call) && !call.contains("id") && (!failed_only || call["method"] != "getblockcount");
    return is_meant ? Reply(R"({"jsonrpc":"2.0","result":null})") : proper();
  });
}

}  // namespace jrpcheck::reference::bitcoin
