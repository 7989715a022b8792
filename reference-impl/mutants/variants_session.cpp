// Legal ways of holding a session that differ from the usual ones.
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "reference-impl/http_answer.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using wire::HttpMessage;

constexpr std::string_view kQuestion =
    R"({"jsonrpc":"2.0","method":"sampling/createMessage","params":{"messages":[]},"id":"server-1"})";
constexpr std::size_t kLongId = 60'000;

bool is_initialize(const ElementText& element) { return element.method() == "initialize"; }

/// Until it is initialized every call but that is refused with -32002, as LSP has it.
Behaviour refusing_before_initialize() {
  const auto initialized = std::make_shared<std::atomic<bool>>(false);
  return on_element([initialized](const ElementText& element, const ProperReply& proper) {
    if (is_initialize(element) && element.has("id")) {
      *initialized = true;
      return succeeding_with(R"({"capabilities":{}})")(element);
    }
    if (*initialized || !element.is_call()) return proper(element.text);
    return refused(-32002, "Server not initialized")(element);
  });
}

/// The first message is answered by a question, and nothing by an answer until that is answered.
Behaviour asking_first() {
  struct Conversation {
    std::mutex mutex;
    bool asked = false;
    bool answered = false;
    std::vector<std::string> held;
  };
  const auto shared = std::make_shared<Conversation>();
  return {.reply = [shared](std::string_view message, const ProperReply& proper) -> Reply {
    const std::lock_guard lock(shared->mutex);
    const auto object = is_json(message) ? object_of(message) : std::nullopt;
    if (object && !object->has("method") && object->is("id", "\"server-1\"")) {
      shared->answered = true;
      return Reply::several(std::exchange(shared->held, {}));
    }
    Reply reply = proper(message);
    if (shared->answered) return reply;
    if (reply) shared->held.push_back(*reply);
    if (shared->asked) return std::nullopt;
    shared->asked = true;
    return std::string(kQuestion);
  }};
}

/// An id that has been used in this session is refused, as MCP forbids to use it again.
Behaviour refusing_used_ids() {
  struct Used {
    std::mutex mutex;
    std::set<std::string> ids;
  };
  const auto used = std::make_shared<Used>();
  return on_element([used](const ElementText& element, const ProperReply& proper) {
    const bool is_id = element.is_call() && element.id().find_first_of("\"-0123456789") == 0;
    if (!is_id) return proper(element.text);
    const std::lock_guard lock(used->mutex);
    const bool is_fresh = used->ids.insert(element.id()).second;
    return is_fresh ? proper(element.text) : refused(-32600, "The id has been used")(element);
  });
}

/// As servers have it that take connections first, and then load what they serve.
Behaviour warming_up() {
  constexpr std::chrono::milliseconds kWarmingUp{500};
  const auto ready = std::chrono::steady_clock::now() + kWarmingUp;
  return on_element([ready](const ElementText& element, const ProperReply& proper) {
    const bool is_ready = std::chrono::steady_clock::now() >= ready;
    if (is_ready || !element.is_call()) return proper(element.text);
    return refused(-32000, "The server is not ready")(element);
  });
}

/// So many requests a second are served.
Behaviour limiting_rate(int status, int a_second) {
  using Clock = std::chrono::steady_clock;
  struct Window {
    std::mutex mutex;
    Clock::time_point began = {};
    int served = 0;
  };
  const auto window = std::make_shared<Window>();
  return on_http_request([=](const HttpMessage& request, const ProperAnswer& proper) {
    const std::lock_guard lock(window->mutex);
    if (Clock::now() - window->began > std::chrono::seconds(1)) {
      window->began = Clock::now();
      window->served = 0;
    }
    if (++window->served <= a_second) return proper(request);
    return respond(status, request, {{"Retry-After", "1"}});
  });
}

Mutation limited(int status) {
  constexpr int kASecond = 100;
  return {kASecond, [status](int a_second) { return limiting_rate(status, a_second); }};
}

HttpAnswer refusing_initialize(const HttpMessage& request, const ProperAnswer& proper) {
  if (request.body.find("\"initialize\"") == request.body.npos) return proper(request);
  return refuse(403, request.keep_alive);
}

HttpAnswer refusing_long_ids(const HttpMessage& request, const ProperAnswer& proper) {
  const auto object = is_json(request.body) ? object_of(request.body) : std::nullopt;
  const std::string* id = object ? object->find("id") : nullptr;
  if (id == nullptr || id->size() < kLongId) return proper(request);
  return refuse(413, request.keep_alive);
}

/// A GET that brings no body is answered as if it had asked something.
HttpAnswer answering_get(const HttpMessage& request, const ProperAnswer& proper) {
  if (request.method != "GET" || !request.body.empty()) return proper(request);
  return respond(200, request, {{"Content-Type", "application/json"}},
                 error_text(-32600, "Invalid Request"));
}

}  // namespace

std::span<const Mutant> session_variants() {
  static const Mutant all[] = {
      {"opening-needed", kLegal, kEverywhere, "Calls before initialize are refused with -32002.",
       refusing_before_initialize},
      {"opening-refused", kLetsNobodyIn, kLines, "initialize is answered by an error.",
       answer(is_initialize, refused(-32603, "Unsupported protocol version")), "mcp"},
      {"http-opening-refused", kLetsNobodyIn, kHttp, "initialize is answered by status 403.",
       on_http_request(refusing_initialize), "mcp"},
      {"warms-up", kLegal, kEverywhere, "Calls of the first half second are refused with -32000.",
       warming_up},
      {"asks-first", kLegal, kStreams,
       "The server asks the client something first, and answers nothing before it is answered.",
       asking_first},
      {"used-ids-refused", kLegal, kEverywhere, "An id that was used before is refused.",
       refusing_used_ids},
      {"http-limited-by-429", kLegal, kHttp,
       "More than a hundred requests a second are answered 429.", limited(429)},
      {"http-limited-by-503", kLegal, kHttp,
       "More than a hundred requests a second are answered 503.", limited(503)},
      {"http-always-429", kLetsNobodyIn, kHttp, "Every request is answered 429.",
       limiting_rate(429, 0)},
      {"http-always-503", kLetsNobodyIn, kHttp, "Every request is answered 503.",
       limiting_rate(503, 0)},
      {"http-long-id-413", kLegal, kHttp, "A call with an id of 64 KiB is answered 413.",
       on_http_request(refusing_long_ids)},
      {"http-get-answered-by-response", kLegal, kHttp,
       "A GET without body is answered by a Response.", on_http_request(answering_get)},
  };
  return all;
}

}  // namespace jrpcheck::reference
