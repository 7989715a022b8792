#include "session/opening.hpp"

#include <fstream>
#include <sstream>

#include "base/bytes.hpp"
#include "json/parse.hpp"

namespace jrpcheck::session {
namespace {

// An id that no case uses: some servers take each but once in a session.
Opening mcp_opening() {
  return {
      {R"({"jsonrpc":"2.0","id":3000001,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
       R"("capabilities":{},"clientInfo":{"name":"jrpcheck","version":"1"}}})",
       R"({"jsonrpc":"2.0","method":"notifications/initialized"})"}};
}

Opening lsp_opening() {
  return {{R"({"jsonrpc":"2.0","id":3000001,"method":"initialize","params":{"processId":null,)"
           R"("rootUri":null,"capabilities":{}}})",
           R"({"jsonrpc":"2.0","method":"initialized","params":{}})"}};
}

Error not_json(const std::string& file, const std::string& text, const json::ParseError& error) {
  const auto position = json::locate(text, error.offset);
  return Error{file + ":" + std::to_string(position.line) + ": not JSON: " + error.message +
               "; an opening is a JSON Array of messages"};
}

}  // namespace

Result<Opening> opening_named(const std::string& name) {
  if (name.empty()) return Opening{};
  if (name == "mcp") return mcp_opening();
  if (name == "lsp") return lsp_opening();
  std::ifstream in(name, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) {
    return Error{"--opening takes mcp, lsp or a file; the file '" + name + "' cannot be read"};
  }
  const auto parsed = json::parse(text.str());
  if (!parsed) return not_json(name, text.str(), parsed.error);
  if (!parsed.value->is(json::Kind::array) || parsed.value->size() == 0) {
    return Error{name + ": an opening is a JSON Array of at least one message"};
  }
  Opening opening;
  for (const auto& message : parsed.value->children()) {
    opening.messages.push_back(json::write(message));
  }
  return opening;
}

bool is_refused(std::string_view answer) {
  const auto parsed = json::parse(answer);
  const json::Value* error = parsed ? parsed.value->find("error") : nullptr;
  return error != nullptr && !error->is(json::Kind::null);
}

Error refused_opening(const std::string& message, const std::string& came_back) {
  constexpr std::size_t kShown = 120;
  return Error{"the opening message " + message.substr(0, kShown) +
               " was refused: " + to_visible(came_back, 400)};
}

}  // namespace jrpcheck::session
