// Methods files: the roles that are read are known ones, and read the same where they are written
// again.
#include "corpus/methods_file.hpp"

#include "base/contains.hpp"
#include "fuzz/targets/promise.hpp"
#include "json/value.hpp"

using namespace jrpcheck;

namespace {

std::string text_of(const corpus::RoleBindings& roles) {
  auto file = json::Value::object();
  for (const auto& [role, method] : roles) {
    file.append(role, json::Value::object()).append("method", json::Value::string(method));
  }
  return json::write(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto roles = corpus::read_methods("fuzzed.json", fuzz::text_of(bytes, size));
  if (!roles) {
    fuzz::promise(roles.error().message.find("fuzzed.json") != std::string::npos,
                  "an error names the file", roles.error().message);
    return 0;
  }
  const auto& known = corpus::known_roles();
  for (const auto& [role, method] : *roles) {
    fuzz::promise(contains(known, role), "only what is a role has a method", role);
  }
  const std::string written = text_of(*roles);
  const auto again = corpus::read_methods("written.json", written);
  fuzz::promise(again && *again == *roles, "roles that are written are read the same", written);
  return 0;
}
