#include "judge/left_out_id.hpp"

#include <algorithm>
#include <vector>

namespace jrpcheck::judge {

bool is_error_without_id(const json::Value& response) {
  return response.is(json::Kind::object) && response.find("error") != nullptr &&
         response.find("result") == nullptr && response.find("id") == nullptr;
}

const corpus::ErrorsWithoutId* how_id_is_left_out(const corpus::Profile& profile,
                                                  const dialogue::Exchange& exchange) {
  const auto& how = profile.errors_without_id;
  return how && exchange.http_status >= how->from_status ? &*how : nullptr;
}

bool takes_error_without_id(const corpus::Step& step) {
  const auto takes = [](const std::vector<corpus::ResponsePattern>& patterns) {
    return std::ranges::any_of(patterns, [](const corpus::ResponsePattern& each) {
      return each.id.or_none && !each.result;
    });
  };
  return std::ranges::any_of(step.accept, [&](const corpus::Outcome& outcome) {
    return takes(outcome.responses) || (outcome.array && takes(*outcome.array));
  });
}

}  // namespace jrpcheck::judge
