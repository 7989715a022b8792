#include "judge/clients/pages.hpp"

#include "json/pointer.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostCursors = 10'000;
constexpr std::string_view kCursorOfParams = "/params/cursor";

}  // namespace

void ClientPages::hear(const Value& message) {
  const Value* cursor = json::at(message, kCursorOfParams);
  const bool is_of_list = json::text_of(message.find("method")).ends_with("/list");
  if (cursor == nullptr || !is_of_list || is_full_) return;
  charges_.exercise("mcp-c-page-opaque");
  if (cursor->is(Kind::string) && cursors_.contains(cursor->text())) return;
  charges_.charge("mcp-c-page-opaque", message, kCursorOfParams,
                  "The client asks for a page by a cursor that it was not given.",
                  "a cursor as it was given");
}

void ClientPages::tell(const Value& message) {
  const Value* next = json::at(message, "/result/nextCursor");
  if (next == nullptr || !next->is(Kind::string)) return;
  is_full_ = is_full_ || cursors_.size() >= kMostCursors;
  if (!is_full_) cursors_.insert(next->text());
}

}  // namespace jrpcheck::judge
