#include "run/proof.hpp"

#include "base/bytes.hpp"
#include "corpus/member_reader.hpp"
#include "json/number.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "run/control_call.hpp"

namespace jrpcheck::run {
namespace {

using corpus::Dialect;
using json::Kind;

bool is_own(long long code) { return code != -32700 && (code < -32603 || code > -32600); }

// 1.0 names no codes: whatever is not null is an error of the method's or of the server's.
bool fails_as_due(const json::Value& response, Dialect dialect) {
  if (!is_error(response)) return false;
  if (dialect == Dialect::json_rpc_1_0) return true;
  const auto code = code_in(response);
  return code && is_own(*code);
}

}  // namespace

std::optional<long long> code_in(const json::Value& response) {
  const json::Value* code = json::at(response, "/error/code");
  return code != nullptr ? corpus::to_integer(*code) : std::nullopt;
}

bool is_error(const json::Value& response) {
  const json::Value* error = response.find("error");
  return error != nullptr && !error->is(Kind::null);
}

bool comes_true(const Proof& proof, const json::Value& response, Dialect dialect) {
  if (proof.kind == Proof::Kind::own_error) return fails_as_due(response, dialect);
  const json::Value* result = response.find("result");
  if (result == nullptr || is_error(response)) return false;
  if (proof.kind == Proof::Kind::any_result) return true;
  const auto expected = json::parse(proof.expected);
  return expected && json::equal(*expected.value, *result);
}

bool ignores_the_numbers(const Proof& proof, const json::Value& response) {
  const json::Value* result = response.find("result");
  if (result == nullptr || proof.kind != Proof::Kind::equals) return false;
  if (!result->is(Kind::number)) return true;
  const auto without_sign = [](std::string token) {
    return token.substr(token.find_first_not_of('-'));
  };
  return without_sign(json::canonical_number(result->text())) !=
         without_sign(json::canonical_number(proof.expected));
}

bool declines_params(const json::Value& response) {
  const auto code = is_error(response) ? code_in(response) : std::nullopt;
  return code && (is_own(*code) || *code == -32602 || *code == -32603);
}

bool fail_alike(const json::Value& own, std::string_view method, const json::Value& nobody) {
  const auto code = code_in(own);
  const auto nobodys_code = code_in(nobody);
  if (code && nobodys_code) return *code == *nobodys_code;
  std::string words = json::write(*nobody.find("error"));
  replace_all(words, kNobodysMethod, method);
  return words == json::write(*own.find("error"));
}

}  // namespace jrpcheck::run
