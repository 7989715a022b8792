#include "fuzz/properties/spelling.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "fuzz/expected_response.hpp"
#include "json/parse.hpp"

namespace jrpcheck::properties {
namespace {

using json::Kind;
using json::Value;

struct Place {
  std::size_t at = 0;
  std::size_t size = 0;
};

// Walks over a text that is JSON; strings are told from what stands between them.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  bool in_string() const { return in_string_; }
  std::size_t at() const { return at_; }
  bool done() const { return at_ >= text_.size(); }
  char here() const { return text_[at_]; }

  void step() {
    if (in_string_ && here() == '\\') {
      at_ += text_[at_ + 1] == 'u' ? 6 : 2;
      return;
    }
    if (here() == '"') in_string_ = !in_string_;
    ++at_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool in_string_ = false;
};

std::vector<std::size_t> gaps_in(std::string_view text) {
  std::vector<std::size_t> gaps = {0};
  for (Walk walk(text); !walk.done(); walk.step()) {
    if (walk.in_string() ||
        std::string_view("{}[],:").find(walk.here()) == std::string_view::npos) {
      continue;
    }
    gaps.push_back(walk.at());
    gaps.push_back(walk.at() + 1);
  }
  gaps.push_back(text.size());
  std::sort(gaps.begin(), gaps.end());
  gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
  return gaps;
}

std::size_t bytes_from(unsigned char lead) {
  return lead < 0x80U ? 1 : lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
}

// Characters that stand in Strings as they are.
std::vector<Place> characters_in(std::string_view text) {
  std::vector<Place> places;
  std::size_t skip_to = 0;
  for (Walk walk(text); !walk.done(); walk.step()) {
    if (!walk.in_string() || walk.at() < skip_to) continue;
    if (walk.here() == '"' || walk.here() == '\\') continue;
    const std::size_t size = bytes_from(static_cast<unsigned char>(walk.here()));
    places.push_back({walk.at(), size});
    skip_to = walk.at() + size;
  }
  return places;
}

std::uint32_t code_point_of(std::string_view bytes) {
  auto code = static_cast<std::uint32_t>(static_cast<unsigned char>(bytes.front()));
  if (bytes.size() == 1) return code;
  code &= 0x7FU >> bytes.size();
  for (std::size_t i = 1; i < bytes.size(); ++i) {
    code = (code << 6U) | (static_cast<unsigned char>(bytes[i]) & 0x3FU);
  }
  return code;
}

std::string escape(std::uint32_t unit, bool capitals) {
  const std::string_view digits = capitals ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string text = "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) text += digits[(unit >> shift) & 0xFU];
  return text;
}

std::string escaped(std::string_view bytes, bool capitals) {
  const std::uint32_t code = code_point_of(bytes);
  if (code < 0x10000U) return escape(code, capitals);
  const std::uint32_t rest = code - 0x10000U;
  return escape(0xD800U + (rest >> 10U), capitals) + escape(0xDC00U + (rest & 0x3FFU), capitals);
}

void swap_members(Value& object, const std::vector<std::size_t>& edits) {
  const std::size_t size = object.size();
  if (size < 2) return;
  const auto swap_by = [&](std::size_t edit) {
    const std::size_t one = edit % size;
    const std::size_t other = (one + 1 + (edit / size) % (size - 1)) % size;
    std::swap(object.children()[one], object.children()[other]);
    std::swap(object.names()[one], object.names()[other]);
  };
  const auto names = object.names();
  std::ranges::for_each(edits, swap_by);
  // Of two members each second swap undoes the first.
  if (!edits.empty() && object.names() == names) swap_by(edits.front());
}

Value* member_of(Value& object, std::string_view name) {
  for (std::size_t i = 0; i < object.size(); ++i) {
    if (object.names()[i] == name) return &object.children()[i];
  }
  return nullptr;
}

Value parsed(std::string_view text) {
  auto result = json::parse(text);
  return result ? *std::move(result.value) : Value::null();
}

}  // namespace

std::string with_white_space(std::string_view message, const std::vector<std::size_t>& edits,
                             bool line_ends) {
  const auto gaps = gaps_in(message);
  std::vector<std::string> kinds = {" ", "\t", "  \t "};
  if (line_ends) kinds.insert(kinds.end(), {"\n", "\r\n", "\r"});
  std::map<std::size_t, std::string> pieces;
  for (const std::size_t edit : edits) {
    pieces[gaps[edit % gaps.size()]] += kinds[(edit / gaps.size()) % kinds.size()];
  }
  std::string text;
  for (std::size_t at = 0; at <= message.size(); ++at) {
    if (const auto piece = pieces.find(at); piece != pieces.end()) text += piece->second;
    if (at < message.size()) text += message[at];
  }
  return text;
}

std::string with_escapes(std::string_view message, const std::vector<std::size_t>& edits) {
  const auto places = characters_in(message);
  if (places.empty()) return std::string(message);
  std::map<std::size_t, bool> chosen;  // place, and whether in capitals
  for (const std::size_t edit : edits) {
    chosen[edit % places.size()] = (edit / places.size()) % 2 == 1;
  }
  std::string text;
  std::size_t at = 0;
  for (const auto& [index, capitals] : chosen) {
    const Place place = places[index];
    text += message.substr(at, place.at - at);
    text += escaped(message.substr(place.at, place.size), capitals);
    at = place.at + place.size;
  }
  return text + std::string(message.substr(at));
}

std::string with_members_swapped(std::string_view message, const std::vector<std::size_t>& edits) {
  Value object = parsed(message);
  swap_members(object, edits);
  return json::write(object);
}

std::string with_params_swapped(std::string_view message, const std::vector<std::size_t>& edits) {
  Value object = parsed(message);
  Value* params = member_of(object, "params");
  if (params != nullptr && params->is(Kind::object)) swap_members(*params, edits);
  return json::write(object);
}

std::string with_id(std::string_view message, std::string_view id) {
  Value object = parsed(message);
  if (Value* member = member_of(object, "id")) *member = parsed(id);
  return json::write(object);
}

std::optional<std::string> with_usual_ids(std::string_view message) {
  Value value = parsed(message);
  // Those that share an id do so still: whoever loses them loses them for that.
  std::vector<Value> replaced;
  const auto replace_in = [&replaced](Value& object) {
    Value* id = object.is(Kind::object) ? member_of(object, "id") : nullptr;
    if (id == nullptr || fuzz::charge_of_silence(*id).empty()) return;
    const auto known =
        std::ranges::find_if(replaced, [&](const Value& each) { return json::equal(each, *id); });
    const auto number = known - replaced.begin() + 1;
    if (known == replaced.end()) replaced.push_back(id->clone());
    *id = Value::string("jrpcheck-id-" + std::to_string(number));
  };
  replace_in(value);
  if (value.is(Kind::array))
    std::for_each(value.children().begin(), value.children().end(), replace_in);
  return !replaced.empty() ? std::optional(json::write(value)) : std::nullopt;
}

std::string with_member(std::string_view message, std::string name, std::string_view value) {
  Value object = parsed(message);
  object.append(std::move(name), parsed(value));
  return json::write(object);
}

}  // namespace jrpcheck::properties
