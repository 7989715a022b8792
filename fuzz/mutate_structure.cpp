#include "fuzz/mutate_structure.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "fuzz/generate.hpp"
#include "fuzz/mutate.hpp"

namespace jrpcheck::fuzz {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kLongestBatch = 64;

Value* member(Value& object, std::string_view name) {
  for (std::size_t i = object.size(); i > 0; --i) {
    if (object.names()[i - 1] == name) return &object.children()[i - 1];
  }
  return nullptr;
}

void set(Value& object, std::string_view name, Value value) {
  if (Value* found = member(object, name)) {
    *found = std::move(value);
  } else {
    object.append(std::string(name), std::move(value));
  }
}

void erase_at(Value& parent, std::size_t at) {
  const auto offset = static_cast<std::ptrdiff_t>(at);
  parent.children().erase(parent.children().begin() + offset);
  if (parent.is(Kind::object)) parent.names().erase(parent.names().begin() + offset);
}

void erase(Value& object, std::string_view name) {
  for (std::size_t i = object.size(); i > 0; --i) {
    if (object.names()[i - 1] == name) erase_at(object, i - 1);
  }
}

void move_one(Value& parent, Random& random) {
  if (parent.size() < 2) return;
  const std::size_t one = random.below(parent.size());
  const std::size_t other = random.below(parent.size());
  std::swap(parent.children()[one], parent.children()[other]);
  if (parent.is(Kind::object)) std::swap(parent.names()[one], parent.names()[other]);
}

// 7 for "7", and "7" for 7: ids that a map by text would mix up.
Value retyped(const Value& id, Random& random) {
  if (id.is(Kind::number)) return Value::string(id.text());
  const bool digits =
      id.is(Kind::string) && !id.text().empty() && id.text().size() < 10 &&
      id.text().front() != '0' &&
      std::all_of(id.text().begin(), id.text().end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? Value::number(id.text()) : any_id(random);
}

void mutate_id(Value& request, Random& random) {
  const Value* id = member(request, "id");
  if (id != nullptr && random.one_in(4)) return erase(request, "id");
  if (id != nullptr && random.one_in(3)) return set(request, "id", retyped(*id, random));
  set(request, "id", any_id(random));
}

// By name what was by position, and the other way round (JSON-RPC 2.0 §4.2).
void turn_params(Value& params, Random& random, const Vocabulary& vocabulary) {
  const bool to_array = params.is(Kind::object);
  Value turned = to_array ? Value::array() : Value::object();
  for (auto& child : params.children()) {
    if (to_array) {
      turned.append(std::move(child));
    } else {
      turned.append(any_name(random, vocabulary), std::move(child));
    }
  }
  params = std::move(turned);
}

// A structure within itself is twice as deep.
void nest(Value& structure, Random& random, const Vocabulary& vocabulary) {
  Value inner = structure.clone();
  if (structure.size() > 0 && random.one_in(2)) {
    structure.children()[random.below(structure.size())] = std::move(inner);
  } else if (structure.is(Kind::array)) {
    structure.append(std::move(inner));
  } else {
    structure.append(any_name(random, vocabulary), std::move(inner));
  }
}

void mutate_params(Value& request, Random& random, const Vocabulary& vocabulary) {
  Value* params = member(request, "params");
  const bool structured =
      params != nullptr && (params->is(Kind::array) || params->is(Kind::object));
  if (!structured || random.one_in(4)) {
    const Value* method = member(request, "method");
    const bool named = method != nullptr && method->is(Kind::string);
    return set(request, "params",
               generate_params_for(named ? method->text() : "", random, vocabulary));
  }
  switch (random.below(8)) {
    case 0:
      return turn_params(*params, random, vocabulary);
    case 1:
      return nest(*params, random, vocabulary);
    case 2:
      return erase(request, "params");
    case 3:
      return move_one(*params, random);
    default:
      mutate_tree(*params, random, vocabulary);
  }
}

void add_member(Value& request, Random& random, const Vocabulary& vocabulary) {
  if (request.size() > 0 && random.one_in(2)) {
    std::string name = request.names()[random.below(request.size())];
    Value value = name == "id"       ? any_id(random)
                  : name == "method" ? Value::string(any_method(random, vocabulary))
                                     : any_value(random, 1, vocabulary);
    if (random.one_in(2)) name = misspelt(std::move(name), random);
    request.append(std::move(name), std::move(value));
    return;
  }
  request.append(any_name(random, vocabulary), any_value(random, 1, vocabulary));
}

// Its name is varied where it stays the same but for its spelling, with the params that it has.
void mutate_method(Value& request, Random& random, const Vocabulary& vocabulary) {
  const Value* method = member(request, "method");
  const bool is_varied = method != nullptr && method->is(Kind::string) && random.one_in(6);
  set(request, "method",
      Value::string(is_varied ? misspelt(method->text(), random) : any_method(random, vocabulary)));
}

// One of its own names, or one among its params.
void misspell_a_name(Value& request, Random& random) {
  Value* params = member(request, "params");
  const bool is_within = params != nullptr && params->is(Kind::object) && params->size() > 0;
  Value& object = is_within && random.one_in(2) ? *params : request;
  if (object.size() == 0) return;
  std::string& name = object.names()[random.below(object.size())];
  name = misspelt(std::move(name), random);
}

void mutate_request(Value& request, Random& random, const Vocabulary& vocabulary) {
  switch (random.below(17)) {
    case 0:
    case 1:
    case 2:
      return mutate_id(request, random);
    case 3:
    case 4:
    case 5:
      return mutate_method(request, random, vocabulary);
    case 6:
    case 7:
      return move_one(request, random);
    case 8:
      return add_member(request, random, vocabulary);
    case 9:
      return misspell_a_name(request, random);
    default:
      mutate_params(request, random, vocabulary);
  }
}

void insert_element(Value& batch, Value element, Random& random) {
  batch.append(std::move(element));
  if (random.one_in(2)) move_one(batch, random);
}

void mutate_batch(Value& batch, Random& random, const Vocabulary& vocabulary) {
  if (batch.size() == 0) {
    batch.append(generate_request(random, vocabulary));
    return;
  }
  Value& chosen = batch.children()[random.below(batch.size())];
  switch (batch.size() > kLongestBatch ? 0 : random.below(12)) {
    case 0:
      return erase_at(batch, random.below(batch.size()));
    case 1:
      return move_one(batch, random);
    case 2:
      return insert_element(batch, chosen.clone(), random);
    case 3:
    case 4: {
      Value twin = chosen.clone();
      mutate_structure(twin, random, vocabulary);
      return insert_element(batch, std::move(twin), random);
    }
    case 5:
    case 6:
      return insert_element(batch, generate_request(random, vocabulary), random);
    case 7:
      return insert_element(batch,
                            random.one_in(2) ? generate_invalid(random, vocabulary)
                                             : generate_batch(random, vocabulary),
                            random);
    default:
      mutate_structure(chosen, random, vocabulary);
  }
}

bool is_like_a_request(const Value& value) {
  return value.is(Kind::object) &&
         (value.find("method") != nullptr || value.find("jsonrpc") != nullptr);
}

Value blended_requests(Value blend, Value& other, Random& random) {
  constexpr std::array<std::string_view, 4> kMembers = {"jsonrpc", "method", "params", "id"};
  for (const auto name : kMembers) {
    Value* theirs = member(other, name);
    if (theirs != nullptr && random.one_in(2)) set(blend, name, std::move(*theirs));
  }
  return blend;
}

Value& one_of(Value& message, Random& random) {
  if (!message.is(Kind::array) || message.size() == 0) return message;
  return message.children()[random.below(message.size())];
}

void take_some(Value from, Value& batch, Random& random) {
  if (!from.is(Kind::array)) return insert_element(batch, std::move(from), random);
  for (auto& each : from.children()) {
    if (random.one_in(2) && batch.size() < kLongestBatch) batch.append(std::move(each));
  }
}

}  // namespace

void mutate_structure(Value& message, Random& random, const Vocabulary& vocabulary) {
  if (message.is(Kind::array)) return mutate_batch(message, random, vocabulary);
  if (is_like_a_request(message)) mutate_request(message, random, vocabulary);
}

Value blended(Value one, Value other, Random& random) {
  Value& a = one_of(one, random);
  Value& b = one_of(other, random);
  if (is_like_a_request(a) && is_like_a_request(b) && random.one_in(2)) {
    return blended_requests(std::move(a), b, random);
  }
  Value batch = Value::array();
  take_some(std::move(one), batch, random);
  take_some(std::move(other), batch, random);
  return batch;
}

}  // namespace jrpcheck::fuzz
