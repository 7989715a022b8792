#include "session/incoming.hpp"

#include <algorithm>

#include "json/number.hpp"
#include "json/parse.hpp"

namespace jrpcheck::session {
namespace {

using json::Kind;

bool has_any(const json::Value& object, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return object.find(name) != nullptr; });
}

// A control id is a Number; a server that turns it into a String has still answered, and is charged
// for the change elsewhere.
bool is_control_id(const json::Value* id, long long control) {
  if (id == nullptr) return false;
  const std::string wanted = std::to_string(control);
  if (id->is(Kind::string)) return id->text() == wanted;
  return id->is(Kind::number) && json::numbers_equal(id->text(), wanted);
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

}  // namespace

std::optional<std::string> id_key(const json::Value& id) {
  if (id.is(Kind::string)) return "s" + id.text();
  if (!id.is(Kind::number)) return std::nullopt;
  return "n" + json::canonical_number(id.text());
}

std::vector<std::string> id_keys_of(std::string_view message) {
  std::vector<std::string> keys;
  const auto parsed = json::parse(message);
  if (!parsed) return keys;
  const auto add = [&keys](const json::Value& request) {
    const json::Value* id = request.is(Kind::object) ? request.find("id") : nullptr;
    if (id == nullptr) return;
    if (auto key = id_key(*id)) keys.push_back(*std::move(key));
  };
  if (parsed.value->is(Kind::array)) {
    for (const auto& each : parsed.value->children()) add(each);
  } else {
    add(*parsed.value);
  }
  return keys;
}

void IncomingSorter::begin_step(std::vector<std::string> keys) {
  earlier_.insert(current_.begin(), current_.end());
  current_ = std::set<std::string>(std::make_move_iterator(keys.begin()),
                                   std::make_move_iterator(keys.end()));
}

IncomingKind IncomingSorter::sort(std::string_view message) const {
  const auto parsed = json::parse(message);
  if (!parsed) {
    // Broken JSON that begins like a message is an answer gone wrong; other text is a log line.
    const bool like_a_message = !message.empty() && message.front() == '{';
    return framed_by_header_ || like_a_message ? IncomingKind::reply : IncomingKind::noise;
  }
  return parsed.value->is(Kind::object) ? sort_object(*parsed.value) : IncomingKind::reply;
}

IncomingKind IncomingSorter::sort_object(const json::Value& object) const {
  const json::Value* id = object.find("id");
  const bool is_response = has_any(object, {"result", "error"});
  if (!is_response && object.find("method") != nullptr) return IncomingKind::unasked;
  for (const long long control : control_ids_) {
    if (is_control_id(id, control)) return IncomingKind::control;
  }
  if (!is_response && !has_any(object, {"id", "jsonrpc"}) && !framed_by_header_) {
    return IncomingKind::noise;  // a log line that happens to be JSON
  }
  const auto key = id != nullptr ? id_key(*id) : std::nullopt;
  if (key && current_.count(*key) == 0 && earlier_.count(*key) != 0) return IncomingKind::late;
  return IncomingKind::reply;
}

bool IncomingSorter::answers(std::string_view message, long long id) {
  const auto parsed = json::parse(message);
  return parsed && parsed.value->is(Kind::object) && is_control_id(parsed.value->find("id"), id);
}

bool is_well_formed(std::string_view message) {
  const auto parsed = json::parse(message);
  if (!parsed) return false;
  if (!parsed.value->is(Kind::array)) return is_request(*parsed.value);
  const auto& elements = parsed.value->children();
  return !elements.empty() && std::all_of(elements.begin(), elements.end(), is_request);
}

}  // namespace jrpcheck::session
