#include "embed/handler_cases.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "wire/binding.hpp"

namespace jrpcheck::embed {

const corpus::Corpus& built_in_corpus(std::string_view profile) {
  static std::mutex mutex;
  static std::map<std::string, const corpus::Corpus, std::less<>> corpora;
  const std::lock_guard lock(mutex);
  if (const auto known = corpora.find(profile); known != corpora.end()) return known->second;
  auto corpus = corpus::assemble(corpus::embedded_files(), {});
  if (corpus) corpus = corpus::with_profile(*std::move(corpus), profile);
  if (!corpus) throw std::invalid_argument(corpus.error().message);
  return corpora.emplace(profile, *std::move(corpus)).first->second;
}

namespace {

std::ptrdiff_t classes_of_bindings(const corpus::Case& one) {
  const auto bindings = wire::bindings();
  return std::ranges::count_if(bindings, [&](const wire::Binding& each) {
    return !each.requirement_class.empty() && one.applies_to(each.name);
  });
}

}  // namespace

bool is_for_handlers(const corpus::Case& one) {
  // What applies to one framing, or to HTTP alone, is about that; so are bytes and pieces.
  // And of which doors it is told apart: what is about TLS or local sockets is about these.
  const bool is_of_door = one.id.starts_with("unix/") || one.id.starts_with("tls/");
  const bool everywhere = !is_of_door && (one.transports.empty() || classes_of_bindings(one) > 1);
  return everywhere && !one.needs_http_1_1 &&
         std::ranges::none_of(one.steps, [](const corpus::Step& step) {
           return step.raw || step.tls || step.end_of_input ||
                  step.then != corpus::Step::Then::read || step.write_every != 0 ||
                  !step.write_at.empty();
         });
}

}  // namespace jrpcheck::embed
