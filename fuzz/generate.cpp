#include "fuzz/generate.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "fuzz/mutate.hpp"
#include "fuzz/mutate_structure.hpp"
#include "json/parse.hpp"

namespace jrpcheck::fuzz {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kGeneratedDepth = 3;
constexpr std::size_t kManyParams = 40;

struct Member {
  std::string name;
  Value value;
};

Value object_of(std::vector<Member> members, Random& random) {
  // The order of members means nothing (RFC 8259 §4), and is the usual one most of the time.
  if (random.one_in(4)) {
    for (std::size_t i = members.size(); i > 1; --i) {
      std::swap(members[i - 1], members[random.below(i)]);
    }
  }
  Value object = Value::object();
  for (auto& each : members) object.append(std::move(each.name), std::move(each.value));
  return object;
}

std::vector<Member> request_members(Random& random, const Vocabulary& vocabulary) {
  std::vector<Member> members;
  members.push_back({"jsonrpc", Value::string("2.0")});
  const std::string method = any_method(random, vocabulary);
  members.push_back({"method", Value::string(method)});
  if (!random.one_in(3)) {
    members.push_back({"params", generate_params_for(method, random, vocabulary)});
  }
  if (!random.one_in(4)) members.push_back({"id", any_id(random)});
  return members;
}

Member* member_named(std::vector<Member>& members, std::string_view name) {
  const auto found =
      std::ranges::find_if(members, [name](const Member& each) { return each.name == name; });
  return found == members.end() ? nullptr : &*found;
}

void remove_member(std::vector<Member>& members, std::string_view name) {
  std::erase_if(members, [name](const Member& each) { return each.name == name; });
}

void set_member(std::vector<Member>& members, const std::string& name, Value value) {
  if (Member* found = member_named(members, name)) {
    found->value = std::move(value);
  } else {
    members.push_back({name, std::move(value)});
  }
}

Value wrong_version(Random& random) {
  static const std::vector<std::string> versions = {"2.1", "2", "1.0", "", "2.0 ", "3.0"};
  if (random.one_in(3)) return Value::number("2.0");
  if (random.one_in(4)) return Value::null();
  return Value::string(random.pick(versions));
}

void duplicate_member(std::vector<Member>& members, Random& random, const Vocabulary& vocabulary) {
  const Member& twin = members[random.below(members.size())];
  Value value = random.one_in(2) ? twin.value.clone() : any_value(random, 1, vocabulary);
  members.push_back({twin.name, std::move(value)});
}

void spoil(std::vector<Member>& members, Random& random, const Vocabulary& vocabulary) {
  switch (random.below(9)) {
    case 0:
      return set_member(members, "jsonrpc", wrong_version(random));
    case 1:
      return remove_member(members, "jsonrpc");
    case 2:
      return remove_member(members, "method");
    case 3:
      return set_member(members, "method", any_value(random, 1, vocabulary));
    case 4:
      return set_member(members, "params", any_value(random, 0, vocabulary));
    case 5:
      return set_member(members, "id", wrong_id(random));
    case 6:
      return duplicate_member(members, random, vocabulary);
    case 7:
      members.push_back({any_name(random, vocabulary), any_value(random, 1, vocabulary)});
      return;
    default:
      members[random.below(members.size())].name = any_name(random, vocabulary);
  }
}

// Breaks a JSON text: cut short, a character too many, one in the place of another.
std::string broken(std::string text, Random& random) {
  static const std::vector<std::string> pieces = {
      ",", "}", "]", "{", "[", "\"", ":", "'", "NaN", "//", "\\", "\xFF", "\xEF\xBB\xBF", "x"};
  const std::size_t at = random.below(text.size() + 1);
  switch (random.below(4)) {
    case 0:
      return text.substr(0, at);
    case 1:
      return text.insert(at, random.pick(pieces));
    case 2:
      return at < text.size() ? text.erase(at, 1) : text;
    default:
      return at < text.size() ? text.replace(at, 1, random.pick(pieces)) : text;
  }
}

// Where white space may stand: around structural characters outside strings (RFC 8259 §2).
void add_space(std::string& out, Random& random) {
  static const std::vector<std::string> spaces = {" ", "  ", "\t", " \t ", "\n", "\r\n", "\n\n"};
  if (random.one_in(3)) out += random.pick(spaces);
}

void add_escaped(std::string& out, char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kHex[byte >> 4U];
  out += kHex[byte & 0xFU];
}

}  // namespace

Value generate_params(Random& random, const Vocabulary& vocabulary) {
  Value params = random.one_in(2) ? Value::array() : Value::object();
  // Many of them are rare, and flat.
  const bool are_many = random.one_in(16);
  for (std::size_t left = random.below(are_many ? kManyParams : 4); left > 0; --left) {
    Value value = any_value(random, are_many ? 0 : kGeneratedDepth, vocabulary);
    if (params.is(Kind::array)) {
      params.append(std::move(value));
      continue;
    }
    std::string name = any_name(random, vocabulary);
    const bool again = params.find(name) != nullptr;
    if (!again || random.one_in(4)) params.append(std::move(name), std::move(value));
  }
  return params;
}

Value generate_params_for(const std::string& method, Random& random, const Vocabulary& vocabulary) {
  std::vector<const Sample*> known;
  for (const auto& each : vocabulary.samples) {
    if (each.method == method) known.push_back(&each);
  }
  if (known.empty() || random.one_in(2)) return generate_params(random, vocabulary);
  auto parsed = json::parse(random.pick(known)->params);
  Value params = std::move(*parsed.value);
  for (std::size_t left = random.below(3); left > 0; --left) {
    mutate_tree(params, random, vocabulary);
  }
  if (!params.is(Kind::array) && !params.is(Kind::object)) {
    return generate_params(random, vocabulary);
  }
  return params;
}

Value wrong_id(Random& random) {
  switch (random.below(4)) {
    case 0:
      return Value::boolean(random.one_in(2));
    case 1:
      return Value::array();
    case 2:
      return Value::object();
    default: {
      Value list = Value::array();
      list.append(any_id(random));
      return list;
    }
  }
}

Value generate_request(Random& random, const Vocabulary& vocabulary) {
  return object_of(request_members(random, vocabulary), random);
}

Value generate_invalid(Random& random, const Vocabulary& vocabulary) {
  if (random.one_in(6)) return any_value(random, 1, vocabulary);
  auto members = request_members(random, vocabulary);
  spoil(members, random, vocabulary);
  return object_of(std::move(members), random);
}

Value generate_batch(Random& random, const Vocabulary& vocabulary) {
  Value batch = Value::array();
  // Long ones are rare: what they show, shorter ones mostly show as well.
  const std::size_t size = random.one_in(12)   ? 5 + random.below(16)
                           : random.one_in(60) ? random.below(60)
                                               : random.below(5);
  for (std::size_t i = 0; i < size; ++i) {
    if (random.one_in(16)) {
      batch.append(random.one_in(3) ? Value::array() : generate_batch(random, vocabulary));
    } else if (random.one_in(6)) {
      batch.append(generate_invalid(random, vocabulary));
    } else if (i > 0 && random.one_in(4)) {
      // The same again, id and all, or but for one thing.
      Value twin = batch.children()[random.below(i)].clone();
      if (!random.one_in(4)) mutate_structure(twin, random, vocabulary);
      batch.append(std::move(twin));
    } else {
      batch.append(generate_request(random, vocabulary));
    }
  }
  return batch;
}

std::string generate_message(Random& random, const Vocabulary& vocabulary) {
  const std::size_t kind = random.below(16);
  Value value = kind < 6    ? generate_request(random, vocabulary)
                : kind < 10 ? generate_invalid(random, vocabulary)
                            : generate_batch(random, vocabulary);
  std::string text = json::write(value);
  if (random.one_in(12)) return broken(std::move(text), random);
  return random.one_in(6) ? respell(text, random) : text;
}

std::string respell(std::string_view text, Random& random) {
  std::string out;
  add_space(out, random);
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      const bool plain = c >= ' ' && c < 0x7F && c != '"' && c != '\\';
      if (plain && random.one_in(8)) {
        add_escaped(out, c);
        continue;
      }
      out += c;
      if (c == '\\' && at + 1 < text.size()) {
        const std::size_t size = text[at + 1] == 'u' ? 5 : 1;
        out += text.substr(at + 1, size);
        at += size;
      }
      if (c == '"') in_string = false;
      continue;
    }
    const bool structural = std::string_view("{}[],:").find(c) != std::string_view::npos;
    if (structural) add_space(out, random);
    out += c;
    if (structural) add_space(out, random);
    in_string = c == '"';
  }
  return out;
}

}  // namespace jrpcheck::fuzz
