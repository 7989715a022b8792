#include "fuzz/shape.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace jrpcheck::fuzz {
namespace {

using json::Kind;
using json::Value;

// Texts are added to one string, which is built for each exchange.
void add_magnitude(std::size_t size, std::string& shape) {
  std::size_t order = 0;
  for (; size > 1; size /= 4) ++order;
  shape += std::to_string(order);
}

void add_response(const Value& response, std::string& shape) {
  if (!response.is(Kind::object)) {
    shape += json::name_of(response.kind());
    return;
  }
  shape += '{';
  for (const auto& name : response.names()) shape.append(name, 0, 16).append(1, ',');
  if (const Value* id = response.find("id")) shape.append("id:").append(json::name_of(id->kind()));
  if (const Value* result = response.find("result")) {
    shape.append("result:").append(json::name_of(result->kind()));
    add_magnitude(result->size(), shape);
  }
  const Value* error = response.find("error");
  const Value* code = error != nullptr ? error->find("code") : nullptr;
  if (code != nullptr) shape.append("code:").append(json::write(*code), 0, 16);
  const Value* data = error != nullptr ? error->find("data") : nullptr;
  if (data != nullptr) shape.append("data:").append(json::name_of(data->kind()));
  shape += '}';
}

void add_batch(const Value& batch, std::string& shape) {
  std::set<std::string> elements;
  for (const auto& each : batch.children()) {
    std::string element;
    add_response(each, element);
    elements.insert(std::move(element));
  }
  shape += '[';
  add_magnitude(batch.size(), shape);
  for (const auto& each : elements) shape += each;
  shape += ']';
}

void add_reply(const dialogue::Reply& reply, std::string& shape) {
  shape += std::to_string(reply.http_status);
  const Value* value = reply.value();
  if (value == nullptr) {
    shape += "text";
    add_magnitude(reply.text().size(), shape);
  } else if (value->is(Kind::array)) {
    add_batch(*value, shape);
  } else {
    add_response(*value, shape);
  }
}

}  // namespace

std::string shape_of_exchange(const dialogue::Exchange& exchange) {
  constexpr std::size_t kUsualLength = 128;
  std::string shape;
  shape.reserve(kUsualLength);
  shape.append(dialogue::name_of(exchange.ending)).append(1, '/');
  shape.append(std::to_string(exchange.http_status)).append(1, '/');
  add_magnitude(exchange.noise.size(), shape);
  for (const auto& reply : exchange.replies) {
    shape += '/';
    add_reply(reply, shape);
  }
  return shape;
}

std::uint32_t hash_of(std::string_view text, std::uint32_t hash) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619U;
  }
  return hash;
}

}  // namespace jrpcheck::fuzz
