#include "judge/limited_user.hpp"

#include <algorithm>
#include <optional>

#include "json/pointer.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

constexpr int kForbidden = 403;
constexpr int kFirstRefusal = 400;

// Nothing where it is no call; the empty name is a name.
std::optional<std::string> method_called_by(const json::Value& call) {
  const json::Value* method = call.is(Kind::object) ? call.find("method") : nullptr;
  if (method == nullptr || !method->is(Kind::string)) return std::nullopt;
  return json::text_of(method);
}

// Whether anything in it is a call, or none, by what is asked of its method.
template <typename Asked>
bool has_call(const json::Value& message, Asked asked) {
  if (!message.is(Kind::array)) return asked(method_called_by(message));
  return std::ranges::any_of(message.children(),
                             [&](const auto& each) { return asked(method_called_by(each)); });
}

// The call by which a run sees that the server serves is one that this user may make.
bool calls_another(const json::Value& message, const std::string& control_method) {
  return has_call(message, [&](const std::optional<std::string>& method) {
    return method && *method != control_method;
  });
}

// Before anything of a batch is carried out, each of its methods is looked for in the list.
bool is_batch_refused_as_a_whole(const json::Value& message, const dialogue::Exchange& exchange) {
  if (!message.is(Kind::array) || exchange.http_status < kFirstRefusal) return false;
  const bool has_one_error =
      exchange.replies.size() == 1 && exchange.replies.front().find("error") != nullptr;
  return has_one_error &&
         has_call(message, [](const std::optional<std::string>& method) { return !method; });
}

}  // namespace

bool is_forbidden(const dialogue::Exchange& exchange) {
  return exchange.http_status == kForbidden && exchange.replies.empty();
}

std::string why_kept_from_user(std::span<const dialogue::Message> sent,
                               const dialogue::Exchange& exchange, const corpus::Profile& profile,
                               bool is_known_to_be) {
  if (profile.http.limits_users.empty()) return {};
  const bool is_kept = std::ranges::any_of(sent, [&](const auto& message) {
    if (message.value() == nullptr) return false;
    return (is_forbidden(exchange) && calls_another(*message.value(), profile.control_method)) ||
           (is_known_to_be && is_batch_refused_as_a_whole(*message.value(), exchange));
  });
  return is_kept ? "limited by " + profile.http.limits_users : std::string();
}

}  // namespace jrpcheck::judge
