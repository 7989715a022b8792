#include "fuzz/shape.hpp"

#include <algorithm>
#include <set>

namespace jrpcheck::fuzz {
namespace {

using json::Kind;
using json::Value;

std::string magnitude(std::size_t size) {
  std::size_t order = 0;
  for (; size > 1; size /= 4) ++order;
  return std::to_string(order);
}

std::string shape_of_response(const Value& response) {
  if (!response.is(Kind::object)) return std::string(json::name_of(response.kind()));
  std::string shape = "{";
  for (const auto& name : response.names()) shape += name.substr(0, 16) + ",";
  if (const Value* id = response.find("id"))
    shape += "id:" + std::string(json::name_of(id->kind()));
  if (const Value* result = response.find("result")) {
    shape += "result:" + std::string(json::name_of(result->kind())) + magnitude(result->size());
  }
  const Value* error = response.find("error");
  const Value* code = error != nullptr ? error->find("code") : nullptr;
  if (code != nullptr) shape += "code:" + json::write(*code).substr(0, 16);
  const Value* data = error != nullptr ? error->find("data") : nullptr;
  if (data != nullptr) shape += "data:" + std::string(json::name_of(data->kind()));
  return shape + "}";
}

std::string shape_of_reply(const dialogue::Reply& reply) {
  const std::string status = std::to_string(reply.http_status);
  const Value* value = reply.value();
  if (value == nullptr) return status + "text" + magnitude(reply.text().size());
  if (!value->is(Kind::array)) return status + shape_of_response(*value);
  std::set<std::string> elements;
  for (const auto& each : value->children()) elements.insert(shape_of_response(each));
  std::string shape = status + "[" + magnitude(value->size());
  for (const auto& each : elements) shape += each;
  return shape + "]";
}

}  // namespace

std::string shape_of_exchange(const dialogue::Exchange& exchange) {
  std::string shape = std::string(dialogue::name_of(exchange.ending)) + "/" +
                      std::to_string(exchange.http_status) + "/" + magnitude(exchange.noise.size());
  for (const auto& reply : exchange.replies) shape += "/" + shape_of_reply(reply);
  return shape;
}

std::uint32_t hash_of(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619U;
  }
  return hash;
}

}  // namespace jrpcheck::fuzz
