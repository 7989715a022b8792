#include "schema/schema.hpp"

#include <set>

#include "json/pointer.hpp"
#include "schema/document.hpp"
#include "schema/evaluation.hpp"

namespace jrpcheck::schema {

struct Schema::Compiled {
  std::shared_ptr<const Document> document;
  const json::Value* schema;
};

Result<std::vector<Schema>> Schema::compile(const json::Value& document,
                                            const std::vector<std::string>& pointers) {
  const auto whole = std::make_shared<Document>();
  whole->root = document.clone();
  whole->draft = draft_of(whole->root);
  std::set<const json::Value*> checked;
  std::vector<Schema> schemas;
  for (const auto& pointer : pointers) {
    if (auto ok = check(*whole, pointer, checked); !ok) return ok.error();
    schemas.emplace_back().compiled_ =
        std::make_shared<Compiled>(Compiled{whole, json::at(whole->root, pointer)});
  }
  return schemas;
}

Result<Schema> Schema::compile(const json::Value& document) {
  auto compiled = compile(document, {""});
  if (!compiled) return compiled.error();
  return std::move(compiled->front());
}

std::optional<Violation> Schema::violation(const json::Value& value) const {
  return violation_of(*compiled_->document, *compiled_->schema, value);
}

}  // namespace jrpcheck::schema
