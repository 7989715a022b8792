// Defects of an MCP server in what it says on its own account, or to what is not wanted any more.
#include <algorithm>
#include <deque>

#include "reference-impl/mutants/decorated_framing.hpp"
#include "reference-impl/mutants/mcp_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

constexpr const char* kTool = "tools/call";

std::string progress(const std::string& token, int value) {
  return own_notification(
      "notifications/progress",
      R"({"progressToken":)" + token + R"(,"progress":)" + std::to_string(value) + "}");
}

/// Progress of these values around the answer of a tool; -1 stands for the answer.
Behaviour progressing(std::vector<int> values) {
  return on_call(kTool, [values](const json& call, const auto& proper) -> Reply {
    const json token = at(call, "/params/_meta/progressToken");
    Reply reply = proper();
    if (!reply || token.is_null()) return reply;
    std::vector<std::string> all;
    all.reserve(values.size());
    for (const int value : values) {
      all.push_back(value < 0 ? *reply : progress(token.dump(), value));
    }
    return Reply::several(all);
  });
}

/// A call that waits for its turn while its cancellation comes is taken for one of a method that
/// nobody has: its answer is an error.
class CancelledCalls final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  std::optional<wire::Frame> next() override {
    while (auto frame = DecoratedFraming::next()) frames_.push_back(std::move(*frame));
    if (frames_.empty()) return std::nullopt;
    wire::Frame frame = std::move(frames_.front());
    frames_.pop_front();
    json call = json::parse(frame.payload, nullptr, false);
    if (call.is_object() && call.contains("id") && is_cancelled(call["id"])) {
      call["method"] = "cancelled";
      frame.payload = call.dump();
    }
    return frame;
  }

 private:
  bool is_cancelled(const json& id) const {
    return std::ranges::any_of(frames_, [&id](const wire::Frame& each) {
      const json said = json::parse(each.payload, nullptr, false);
      return said.is_object() && at(said, "/method") == "notifications/cancelled" &&
             at(said, "/params/requestId") == id;
    });
  }

  std::deque<wire::Frame> frames_;
};

const std::string kSampling =
    R"({"messages":[{"role":"user","content":{"type":"text","text":"hello"}}],"maxTokens":10})";
const std::string kForm =
    R"({"message":"Who?","requestedSchema":{"type":"object","properties":{"who":{"type":"string"}}}})";

}  // namespace

std::span<const McpMutant> mcp_talk_faults() {
  static const McpMutant all[] = {
      {{"mcp-samples-undeclared", breaks("mcp-sampling-declared", "mcp-init-caps-client"), kLines,
        "Sampling is asked of a client that has not declared it.",
        say_before(kTool, {own_request("sampling/createMessage", kSampling)})}},
      {{"mcp-elicits-undeclared", breaks("mcp-elicit-declared", "mcp-init-caps-client"), kLines,
        "A form is asked of a client that has not declared elicitation.",
        say_before(kTool, {own_request("elicitation/create", kForm)})}},
      {{"mcp-roots-undeclared", breaks("mcp-roots-declared", "mcp-init-caps-client"), kLines,
        "Roots are asked of a client that has not declared them.",
        say_before(kTool, {own_request("roots/list", "{}")})}},
      {{"mcp-roots-undeclared-in-march", breaks("mcp-roots-declared", "mcp-init-caps-client-1"),
        kLines, "Roots are asked of a client that has not declared them.",
        say_before(kTool, {own_request("roots/list", "{}")})},
       {kMarch}},
      {{"mcp-sampling-shapeless",
        breaks("mcp-sampling-shape").perhaps("mcp-sampling-declared", "mcp-init-caps-client"),
        kLines, "Sampling is asked for without maxTokens.",
        say_before(kTool, {own_request("sampling/createMessage", R"({"messages":[]})")})}},
      {{"mcp-form-shapeless",
        breaks("mcp-elicit-shape").perhaps("mcp-elicit-declared", "mcp-init-caps-client"), kLines,
        "A form has no message.",
        say_before(kTool,
                   {own_request("elicitation/create",
                                R"({"requestedSchema":{"type":"object","properties":{}}})")})}},
      {{"mcp-url-elicited-namelessly",
        breaks("mcp-elicit-url").perhaps("mcp-elicit-declared", "mcp-init-caps-client"), kLines,
        "A visit to a URL is asked for without an elicitationId.",
        say_before(kTool, {own_request(
                              "elicitation/create",
                              R"({"mode":"url","message":"In?","url":"https://example.com/"})")})}},
      {{"mcp-url-elicited-spaced",
        breaks("mcp-elicit-url").perhaps("mcp-elicit-declared", "mcp-init-caps-client"), kLines,
        "A visit is asked for to what is no URL.",
        say_before(kTool,
                   {own_request(
                       "elicitation/create",
                       R"({"mode":"url","message":"In?","url":"my page","elicitationId":"1"})")})}},
      {{"mcp-elicitation-complete-nameless", breaks("mcp-elicit-complete"), kLines,
        "The end of an elicitation is told, and not of which.",
        say_before(kTool, {own_notification("notifications/elicitation/complete", "{}")})}},
      {{"mcp-own-id-again", breaks("mcp-msg-own-id-unique"), kLines,
        "Two requests of the server's own have one id.",
        say_before(kTool, {own_request("ping", "{}", "\"once\""),
                           own_request("ping", "{}", "\"once\"")})}},
      {{"mcp-own-id-fraction", breaks("mcp-msg-own-id").perhaps("mcp-msg-own-id-unique"), kLines,
        "A request of the server's own has a fraction as its id.",
        say_before(kTool, {own_request("ping", "{}", "1.5")})}},
      {{"mcp-own-params-list", breaks("mcp-msg-params-object").perhaps("mcp-msg-schema"), kLines,
        "A notification of the server's own has a list as its params.",
        say_before(kTool, {own_notification("notifications/jrpcheck", "[]")})}},
      {{"mcp-asks-early",
        breaks("mcp-init-quiet").perhaps("mcp-roots-declared", "mcp-init-caps-client"), kLines,
        "Roots are asked for before the client is ready.",
        say_behind("initialize", {own_request("roots/list", "{}")})}},
      {{"mcp-logs-undeclared", breaks("mcp-log-declared"), kLines,
        "Log messages come from a server that has not declared logging.",
        nested(
            say_before(kTool, {own_notification("notifications/message",
                                                R"({"level":"info","data":"x"})")}),
            edit_result("initialize", [](json& each) { each["capabilities"].erase("logging"); }))}},
      {{"mcp-log-level-loud", breaks("mcp-log-shape"), kLines,
        "A log message has a level that does not exist.",
        say_before(kTool,
                   {own_notification("notifications/message", R"({"level":"loud","data":"x"})")})}},
      {{"mcp-log-without-data", breaks("mcp-log-shape"), kLines, "A log message has no data.",
        say_before(kTool, {own_notification("notifications/message", R"({"level":"info"})")})}},
      {{"mcp-progress-unasked", breaks("mcp-prog-known"), kLines,
        "Progress has a token that nobody gave.", say_before(kTool, {progress("\"nobody\"", 1)})}},
      {{"mcp-progress-falls", breaks("mcp-prog-increases"), kLines, "Progress falls.",
        progressing({5, 3, -1})}},
      {{"mcp-progress-late", breaks("mcp-prog-ends"), kLines, "Progress comes after the answer.",
        progressing({1, -1, 2})}},
      {{"mcp-changes-undeclared", breaks("mcp-list-changed-declared"), kLines,
        "Changes are told that were not declared.",
        say_before(kTool, {own_notification("notifications/tools/list_changed", "{}")})}},
      {{"mcp-cancelled-call-refused", breaks("mcp-cancel-silent"), kLines,
        "A call that is cancelled before its turn is answered with an error.",
        framed_by<CancelledCalls>()}},
      {{"mcp-cancels-ours", breaks("mcp-cancel-own"), kLines,
        "The server cancels what it has not asked.",
        say_before(kTool,
                   {own_notification("notifications/cancelled", R"({"requestId":"nobody"})")})}},
  };
  return all;
}

}  // namespace jrpcheck::reference
