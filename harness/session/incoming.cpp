#include "session/incoming.hpp"

#include <algorithm>
#include <iterator>

#include "json/number.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::session {
namespace {

using dialogue::id_key;
using dialogue::id_keys_of;
using dialogue::sole_object;
using json::Kind;

bool has_any(const json::Value& object, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return object.find(name) != nullptr; });
}

// A control id is a Number; a server that turns it into a String has still answered, and is charged
// for the change elsewhere.
std::optional<std::string> control_key(const json::Value* id) {
  if (id == nullptr) return std::nullopt;
  const bool whole = id->is(Kind::string) && !id->text().empty() &&
                     id->text().find_first_not_of("0123456789") == std::string::npos;
  return whole ? "n" + json::canonical_number(id->text()) : id_key(*id);
}

std::string control_key(long long id) { return *id_key(json::Value::number(id)); }

// What an integer of 16 bits makes of an id that needs more, without a sign and with one.
std::vector<std::string> keys_in_16_bits(long long id) {
  constexpr long long kSize = 1LL << 16U;
  if (id < kSize) return {};
  const long long rest = id % kSize;
  std::vector<std::string> keys{control_key(rest)};
  if (rest >= kSize / 2) keys.push_back(control_key(rest - kSize));
  return keys;
}

// The ids that stand in text that is no JSON.
std::vector<std::string> id_keys_spelled_in(std::string_view text) {
  constexpr std::string_view kName = "\"id\"";
  constexpr std::string_view kSpace = " \t\r\n";
  constexpr std::string_view kOfNumbers = "+-.0123456789Ee";
  std::vector<std::string> keys;
  for (auto at = text.find(kName); at != text.npos; at = text.find(kName, at + kName.size())) {
    const auto colon = text.find_first_not_of(kSpace, at + kName.size());
    if (colon == text.npos || text[colon] != ':') continue;
    const auto begin = text.find_first_not_of(kSpace, colon + 1);
    if (begin == text.npos) break;
    const bool is_string = text[begin] == '"';
    const auto end =
        is_string ? text.find('"', begin + 1) : text.find_first_not_of(kOfNumbers, begin);
    const std::size_t size = end == text.npos ? end : end - begin + (is_string ? 1 : 0);
    const auto id = json::parse(text.substr(begin, size));
    if (!id.value) continue;
    if (auto key = id_key(*id.value)) keys.push_back(*std::move(key));
  }
  return keys;
}

// How answers begin and log lines do not, behind white space or a byte order mark. No comma stands
// before the first element of an Array (RFC 8259 §5), and where one does it is an Array all the
// same.
bool begins_like_an_answer(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  constexpr std::string_view kWhiteSpace = " \t\r\n";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  const auto skip = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
  };
  skip();
  if (!text.empty() && text.front() == '[') {  // a batch; but "[INFO] ready" is none
    text.remove_prefix(1);
    skip();
    while (!text.empty() && text.front() == ',') {
      text.remove_prefix(1);
      skip();
    }
  }
  return !text.empty() && text.front() == '{';
}

bool is_from_the_server(const json::Value& value) {
  return value.is(Kind::object) && value.find("method") != nullptr &&
         !has_any(value, {"result", "error"});
}

bool is_response(const json::Value& value) {
  return value.is(Kind::object) && value.find("jsonrpc") != nullptr &&
         has_any(value, {"result", "error"});
}

// The Responses to a batch, put into an Object in place of an Array.
bool holds_responses(const json::Value& object) {
  const auto& members = object.children();
  return std::any_of(members.begin(), members.end(), [](const json::Value& member) {
    if (!member.is(Kind::array)) return is_response(member);
    const auto& elements = member.children();
    return std::any_of(elements.begin(), elements.end(), is_response);
  });
}

// An error object (JSON-RPC 2.0 §5.1) without its Response.
bool is_error_alone(const json::Value& object) {
  const json::Value* code = object.find("code");
  const auto& names = object.names();
  return code != nullptr && code->is(Kind::number) && json::is_integer(code->text()) &&
         std::all_of(names.begin(), names.end(), [](const std::string& name) {
           return name == "code" || name == "message" || name == "data";
         });
}

bool calls_it_no_request(const dialogue::Message& message) {
  constexpr std::string_view kInvalidRequest = "-32600";
  const json::Value* error = message.find("error");
  const json::Value* code = error != nullptr ? error->find("code") : nullptr;
  return code != nullptr && code->text() == kInvalidRequest;
}

bool is_request(const json::Value& value) {
  if (!value.is(Kind::object)) return false;
  const json::Value* version = value.find("jsonrpc");
  const json::Value* method = value.find("method");
  const json::Value* params = value.find("params");
  const json::Value* id = value.find("id");
  const bool good_id =
      id == nullptr || id->is(Kind::null) || id->is(Kind::string) || id->is(Kind::number);
  const bool good_params = params == nullptr || params->is(Kind::array) || params->is(Kind::object);
  std::vector<std::string> names = value.names();
  std::sort(names.begin(), names.end());
  const bool unique = std::adjacent_find(names.begin(), names.end()) == names.end();
  return version != nullptr && version->is(Kind::string) && version->text() == "2.0" &&
         method != nullptr && method->is(Kind::string) && good_params && good_id && unique;
}

bool is_request_of_1_0(const json::Value& value) {
  if (!value.is(Kind::object)) return false;
  const json::Value* method = value.find("method");
  const json::Value* params = value.find("params");
  return method != nullptr && method->is(Kind::string) && params != nullptr &&
         params->is(Kind::array) && value.find("id") != nullptr && value.size() == 3;
}

bool is_sound(const json::Value& message, corpus::Dialect dialect) {
  if (dialect == corpus::Dialect::json_rpc_1_0) return is_request_of_1_0(message);
  if (!message.is(Kind::array)) return is_request(message);
  const auto& elements = message.children();
  return !elements.empty() && std::all_of(elements.begin(), elements.end(), is_request);
}

// A string that is nothing but ${null-for-each:POINTER} becomes an Array, with a null for each
// element that the Request has there.
std::string filled(std::string members, const json::Value& request) {
  constexpr std::string_view kBegin = "\"${null-for-each:";
  constexpr std::string_view kEnd = "}\"";
  const auto begin = members.find(kBegin);
  const auto end = begin == members.npos ? begin : members.find(kEnd, begin);
  if (end == members.npos) return members;
  const auto pointer = begin + kBegin.size();
  const json::Value* list =
      json::at(request, std::string_view(members).substr(pointer, end - pointer));
  std::string nulls;
  for (std::size_t i = 0; list != nullptr && list->is(Kind::array) && i < list->size(); ++i) {
    nulls += i == 0 ? "null" : ",null";
  }
  return members.replace(begin, end + kEnd.size() - begin, "[" + nulls + "]");
}

}  // namespace

std::optional<std::string> answer_to_request(const dialogue::Message& message,
                                             const std::map<std::string, std::string>& answers) {
  if (message.value() == nullptr || !is_from_the_server(*message.value())) return std::nullopt;
  const json::Value* id = message.find("id");
  if (id == nullptr || id->is(Kind::null)) return std::nullopt;
  // A Request of 1.0 has no jsonrpc member, and what answers it has both result and error.
  if (message.find("jsonrpc") == nullptr) {
    return R"({"result":null,"error":"unknown method","id":)" + json::write(*id) + "}";
  }
  const json::Value* method = message.find("method");
  const auto known = answers.find(method->is(Kind::string) ? method->text() : "");
  if (known != answers.end()) {
    return R"({"jsonrpc":"2.0",)" + filled(known->second, *message.value()) +
           ",\"id\":" + json::write(*id) + "}";
  }
  return R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":)" +
         json::write(*id) + "}";
}

void IncomingSorter::begin_step(std::vector<std::string> keys, std::string unread,
                                std::size_t messages) {
  // Who reads them all the same may answer later than what is sent next.
  for (auto& key : id_keys_spelled_in(unread_)) earlier_.insert(std::move(key));
  unread_ = std::move(unread);
  messages_ = messages;
  earlier_.insert(current_.begin(), current_.end());
  for (const auto& key : keys) answered_.erase(key);
  current_ = std::set<std::string>(std::make_move_iterator(keys.begin()),
                                   std::make_move_iterator(keys.end()));
}

void IncomingSorter::expect_late(std::vector<std::string> keys) {
  earlier_.insert(std::make_move_iterator(keys.begin()), std::make_move_iterator(keys.end()));
}

bool IncomingSorter::has_used(const std::vector<std::string>& keys) const {
  return std::any_of(keys.begin(), keys.end(), [this](const std::string& key) {
    return earlier_.count(key) != 0 || current_.count(key) != 0;
  });
}

// A case that runs again uses the same ids.
void IncomingSorter::expect_control(long long id) {
  controls_.insert(control_key(id));
  answered_controls_.erase(control_key(id));
  for (auto& key : keys_in_16_bits(id)) controls_in_16_bits_[std::move(key)] = control_key(id);
}

std::size_t IncomingSorter::controls_waiting(long long first, long long end) const {
  std::size_t waiting = 0;
  for (; first < end; ++first) {
    const std::string key = control_key(first);
    waiting += controls_.count(key) != 0 && answered_controls_.count(key) == 0 ? 1 : 0;
  }
  return waiting;
}

// Its only id, which may stand there twice, is that of a control call which waits.
bool IncomingSorter::spells_control(const std::string& text) const {
  const auto keys = id_keys_spelled_in(text);
  return !keys.empty() && std::ranges::count(keys, keys.front()) == std::ssize(keys) &&
         controls_.count(keys.front()) != 0 && answered_controls_.count(keys.front()) == 0;
}

bool IncomingSorter::spells_answer(std::string_view text, const std::string& key) {
  const auto keys = id_keys_spelled_in(text);
  const bool has_outcome =
      text.find("\"result\"") != text.npos || text.find("\"error\"") != text.npos;
  return has_outcome && !keys.empty() && std::ranges::count(keys, key) == std::ssize(keys);
}

// The key of a control call that waits, where the Response has what 16 bits hold of its id, and
// answers no call that has been sent with that.
std::optional<std::string> IncomingSorter::control_in_16_bits(const json::Value& object) const {
  const json::Value* id = object.find("id");
  const bool may_be_one =
      id != nullptr && id->is(Kind::number) && has_any(object, {"result", "error"});
  const auto key = may_be_one ? id_key(*id) : std::nullopt;
  const auto found = key ? controls_in_16_bits_.find(*key) : controls_in_16_bits_.end();
  if (found == controls_in_16_bits_.end() || answered_controls_.count(found->second) != 0) {
    return std::nullopt;
  }
  const bool is_of_a_call = current_.count(*key) != 0 ||
                            (earlier_.count(*key) != 0 && answered_.count(*key) == 0) ||
                            unread_.find(json::write(*id)) != unread_.npos;
  return is_of_a_call ? std::nullopt : std::optional(found->second);
}

IncomingKind IncomingSorter::sort(const dialogue::Message& message) const {
  const json::Value* value = message.outline();
  if (value == nullptr) {
    // Broken JSON that begins like a message is an answer gone wrong; other text is a log line.
    if (!delimited_ && !begins_like_an_answer(message.text())) return IncomingKind::noise;
    // A message with a length of its own is broken by that too, which is no control call's matter.
    const bool may_be_of_control = !delimited_ || id_keys_spelled_in(message.text()).size() > 1;
    return may_be_of_control && spells_control(message.text()) ? IncomingKind::control_broken
                                                               : IncomingKind::reply;
  }
  if (value->is(Kind::object)) return sort_object(*value);
  if (value->is(Kind::array)) return sort_array(*value);
  return delimited_ ? IncomingKind::reply : IncomingKind::value;
}

IncomingKind IncomingSorter::take(const dialogue::Message& message) {
  IncomingKind kind = sort(message);
  if (kind == IncomingKind::control_broken) {
    answered_controls_.insert(id_keys_spelled_in(message.text()).front());
  } else if (kind == IncomingKind::control_cut) {
    answered_controls_.insert(*control_in_16_bits(*message.outline()));
  } else if (kind == IncomingKind::control) {
    returns_ids_ = true;
    const auto key = control_key(sole_object(*message.outline())->find("id"));
    if (!answered_controls_.insert(*key).second) kind = IncomingKind::control_again;
  }
  if (kind != IncomingKind::reply) return kind;
  auto keys = id_keys_of(message);
  // Of several calls it cannot be known which it was, nor of other errors whether it was one.
  if (keys.empty() && messages_ == 1 && current_.size() == 1 && calls_it_no_request(message)) {
    answered_.insert(current_.begin(), current_.end());
  }
  for (auto& key : keys) {
    if (current_.count(key) != 0) returns_ids_ = true;
    answered_.insert(std::move(key));
  }
  return kind;
}

// An answer to ids of earlier cases alone.
bool IncomingSorter::is_late(const std::vector<std::string>& keys) const {
  const auto is_in = [](const std::set<std::string>& set) {
    return [&set](const std::string& key) { return set.count(key) != 0; };
  };
  return !keys.empty() && std::all_of(keys.begin(), keys.end(), is_in(earlier_)) &&
         std::none_of(keys.begin(), keys.end(), is_in(current_));
}

// Who never returns an id answers all that is sent so.
bool IncomingSorter::is_foreign(const json::Value& object, const std::string& key) const {
  const bool was_sent =
      current_.count(key) != 0 || unread_.find(json::write(*object.find("id"))) != unread_.npos;
  return returns_ids_ && !was_sent && has_any(object, {"result", "error"}) &&
         !object.find("id")->is(Kind::null);
}

// Structured logs have a level, and may have any other member by accident: "method" is also a word
// of HTTP.
bool IncomingSorter::is_log_line(const json::Value& object) const {
  if (delimited_ || object.find("jsonrpc") != nullptr) return false;
  if (has_any(object, {"level", "severity"})) return true;
  const bool is_answer = has_any(object, {"id", "result", "error"}) || holds_responses(object) ||
                         is_error_alone(object);
  if (is_answer || object.find("method") == nullptr) return !is_answer;
  const auto& names = object.names();
  return std::any_of(names.begin(), names.end(),
                     [](const std::string& name) { return name != "method" && name != "params"; });
}

IncomingKind IncomingSorter::sort_object(const json::Value& object) const {
  if (is_log_line(object)) return IncomingKind::noise;
  if (is_from_the_server(object)) return IncomingKind::unasked;
  const json::Value* id = object.find("id");
  const auto control = control_key(id);
  if (control && controls_.count(*control) != 0) return IncomingKind::control;
  if (control_in_16_bits(object)) return IncomingKind::control_cut;
  const auto key = id_key(id);
  if (!key) return IncomingKind::reply;
  if (is_late({*key})) return IncomingKind::late;
  return is_foreign(object, *key) ? IncomingKind::foreign : IncomingKind::reply;
}

IncomingKind IncomingSorter::sort_array(const json::Value& array) const {
  const auto* sole = sole_object(array);
  const auto control = control_key(sole != nullptr ? sole->find("id") : nullptr);
  if (control && controls_.count(*control) != 0) return IncomingKind::control;
  const auto& elements = array.children();
  const bool from_the_server =
      !elements.empty() && std::all_of(elements.begin(), elements.end(), is_from_the_server);
  if (from_the_server) return IncomingKind::unasked;
  return is_late(id_keys_of(array)) ? IncomingKind::late : IncomingKind::reply;
}

bool IncomingSorter::had_their_answer(const dialogue::Message& late) const {
  const auto keys = id_keys_of(late);
  return std::all_of(keys.begin(), keys.end(),
                     [this](const std::string& key) { return answered_.count(key) != 0; });
}

bool IncomingSorter::answers(const dialogue::Message& message, long long id) {
  const json::Value* value = message.outline();
  const json::Value* sole = value != nullptr ? sole_object(*value) : nullptr;
  return sole != nullptr && control_key(sole->find("id")) == control_key(id);
}

bool IncomingSorter::answers_in_16_bits(const dialogue::Message& message, long long id) {
  const json::Value* own = message.find("id");
  const auto keys = keys_in_16_bits(id);
  return own != nullptr && std::ranges::find(keys, control_key(own)) != keys.end();
}

Outgoing outgoing(const std::vector<dialogue::Message>& messages, corpus::Dialect dialect) {
  Outgoing all;
  all.messages = messages.size();
  for (const auto& message : messages) {
    all.well_formed = all.well_formed && is_well_formed(message, dialect);
    if (message.value() == nullptr) all.unread += message.text();
    auto keys = id_keys_of(message);
    std::move(keys.begin(), keys.end(), std::back_inserter(all.id_keys));
  }
  return all;
}

bool is_well_formed(const dialogue::Message& message, corpus::Dialect dialect) {
  return message.value() != nullptr && is_sound(*message.value(), dialect);
}

}  // namespace jrpcheck::session
