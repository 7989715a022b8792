// Deep faults that need two messages: the first leaves something behind, the second meets it.
#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/deep.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kRemembered = 16;

struct Memory {
  std::mutex mutex;

  std::string text;
  std::deque<std::pair<std::string, std::string>> calls;  // id and method
};

bool is_unanswered(const ElementText& element) { return element.is_notification(); }

bool is_single_call(const Elements& elements, std::string_view message) {
  return is_single(elements, message) && alone(elements).is_call();
}

}  // namespace

std::span<const Mutant> deep_faults_in_conversations() {
  static const Mutant all[] = {
      {"deep-batch-after-broken-batch", breaks("bat-each").wherever_it_strikes(), kLines,
       "After a batch that was not finished the next one with two Notifications loses its last "
       "reply.",
       armed_by(
           [](const Elements&, std::string_view message) {
             return message.starts_with('[') && !is_json(message);
           },
           [](const Elements& elements, std::string_view message) {
             return is_array(message) &&
                    std::count_if(elements.begin(), elements.end(), is_unanswered) == 2;
           },
           without_last)},
      {"deep-error-left-behind", breaks("res-exclusive"), kLines,
       "The error of a Notification that failed is added to the reply to the next call by name "
       "with "
       "a String as id.",
       armed_by(
           [](const Elements& elements, std::string_view message) {
             return is_single(elements, message) && alone(elements).is_notification() &&
                    elements.front().method() == "fails";
           },
           [](const Elements& elements, std::string_view message) {
             return is_single_call(elements, message) && alone(elements).has_string_id() &&
                    alone(elements).named().has_value();
           },
           [](const Elements& elements, const Reply& proper) {
             return both_members(alone(elements), proper);
           })},
      {"deep-null-after-nested-batch", breaks("id-null-request"), kLines,
       "After a batch with an Array in it the next call by name with id null is not answered.",
       armed_by(
           [](const Elements& elements, std::string_view message) {
             return !elements.empty() && is_array(message) &&
                    std::any_of(elements.begin(), elements.end(),
                                [](const ElementText& each) { return is_array(each.text); });
           },
           [](const Elements& elements, std::string_view message) {
             return is_single_call(elements, message) && alone(elements).id() == "null" &&
                    alone(elements).named().has_value();
           },
           [](const Elements&, const Reply&) { return Reply(); })},
      {"deep-id-used-before", breaks("res-always"), kLines,
       "A call by name with the id, a String, of a call of another method shortly before is not "
       "answered.",
       [] {
         const auto memory = std::make_shared<Memory>();
         return Behaviour{
             .reply = [memory](std::string_view message, const ProperReply& proper) -> Reply {
               const Elements elements = elements_in(message);
               if (!is_single_call(elements, message)) return proper(message);
               const std::pair call(alone(elements).id(), elements.front().method());
               const std::lock_guard lock(memory->mutex);
               const bool by_name = alone(elements).has_string_id() && alone(elements).named();
               const bool used =
                   by_name &&
                   std::any_of(memory->calls.begin(), memory->calls.end(), [&](const auto& each) {
                     return each.first == call.first && each.second != call.second;
                   });
               memory->calls.push_back(call);
               if (memory->calls.size() > kRemembered) memory->calls.pop_front();
               return used ? Reply() : proper(message);
             }};
       }},
      {"deep-notification-again", breaks("ntf-silent").wherever_it_strikes(), kLines,
       "A Notification with params that is sent again at once is answered the second time.",
       [] {
         const auto memory = std::make_shared<Memory>();
         return Behaviour{
             .reply = [memory](std::string_view message, const ProperReply& proper) -> Reply {
               const Elements elements = elements_in(message);
               Reply reply = proper(message);
               if (!is_single(elements, message) || !alone(elements).is_notification() ||
                   !elements.front().has("params")) {
                 return reply;
               }
               const std::lock_guard lock(memory->mutex);
               const bool again = memory->text == message;
               memory->text = message;
               return again ? answered_all_the_same(alone(elements), reply) : reply;
             }};
       }},
  };
  return all;
}

}  // namespace jrpcheck::reference
