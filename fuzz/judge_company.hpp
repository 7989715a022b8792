// What a message has brought among others that left in one write. A server may answer them in any
// order, so nothing is said of one message that the answers to the others could explain.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "dialogue/exchange.hpp"
#include "fuzz/company.hpp"
#include "fuzz/oracle.hpp"
#include "json/value.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::fuzz {

/// Who is asked for much at once may refuse some of it, and says so by a code of its own.
bool may_be_too_much(const json::Value& reply);

/// Which replies suit which messages of a company, each by its place: judged once, for as often as
/// the company is looked at for another of its messages.
class Suits {
 public:
  static constexpr std::size_t kNoReply = static_cast<std::size_t>(-1);

  bool look_up(std::size_t message, std::size_t reply, const std::function<bool()>& judge);

 private:
  std::map<std::pair<std::size_t, std::size_t>, bool> known_;
};

/// Judges the answer to `message`, and charges what is wrong with it to the requirement about
/// messages that arrive so: alone it would be right. `exchange` is what all of them have brought.
/// Nothing is told of what can be another's fault, and where it is not certain that all was read.
/// `suits` is of this company and what it has brought, and no other.
judge::Judgement judge_in_company(const Oracle& oracle, const std::string& message,
                                  const Company& company, const dialogue::Exchange& exchange,
                                  const dialogue::SurvivalCheck& survival, Suits& suits);

}  // namespace jrpcheck::fuzz
