// Defects that show when a server has answered for a while.
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using Manner = Catastrophe::Manner;

constexpr int kMillisecondsPerSecond = 1000;

/// Counts the answers that a server has given.
class Answers {
 public:
  explicit Answers(int allowed) : allowed_(allowed) {}

  bool are_used_up() const { return given_ >= allowed_; }
  void add() { ++given_; }
  /// Whether this one is the last of so many.
  bool add_is_nth() { return ++given_ % allowed_ == 0; }

 private:
  const int allowed_;
  std::atomic<int> given_ = 0;
};

/// The proper server, until it has given so many answers; `ending` replies to what comes then.
Behaviour until(int number, const std::function<Reply()>& ending) {
  const auto answers = std::make_shared<Answers>(number);
  return {.reply = [=](std::string_view message, const ProperReply& proper) -> Reply {
    if (answers->are_used_up()) return ending();
    Reply reply = proper(message);
    if (reply) answers->add();
    return reply;
  }};
}

Mutation ends_after(int usual_number, Manner manner) {
  return {usual_number, [manner](int number) {
            return until(number, [manner]() -> Reply { throw Catastrophe{manner}; });
          }};
}

Behaviour closing_output_after(int number) {
  return until(number, []() -> Reply {
    ::close(STDOUT_FILENO);
    return std::nullopt;
  });
}

/// Every connection is closed in place of an answer.
Behaviour closing_connections_after(int number) {
  const auto answers = std::make_shared<Answers>(number);
  return on_http_request([answers](const wire::HttpMessage& request, const ProperAnswer& proper) {
    if (answers->are_used_up()) return HttpAnswer{"", /*keep_alive=*/false};
    answers->add();
    return proper(request);
  });
}

/// The process dies where it should give each `number`th answer.
Behaviour dying_at_every(int number) {
  const auto answers = std::make_shared<Answers>(number);
  return on_reply([answers](const std::string& reply) -> Reply {
    if (answers->add_is_nth()) throw Catastrophe{Manner::exit};
    return reply;
  });
}

/// Methods that it does not have are refused otherwise from then on.
Behaviour refusing_otherwise_after(int number) {
  const auto answers = std::make_shared<Answers>(number);
  return error_object(-32601, [answers](ObjectText& error) {
    if (answers->are_used_up()) error.set("code", "-32000");
    answers->add();
  });
}

/// So is each `number`th call of one.
Behaviour refusing_otherwise_at_every(int number) {
  const auto answers = std::make_shared<Answers>(number);
  return error_object(-32601, [answers](ObjectText& error) {
    if (answers->add_is_nth()) error.set("code", "-32603");
  });
}

/// Two calls that are answered at the same time are answered with each other's replies.
class Exchange {
 public:
  std::string swap(const std::string& mine) {
    constexpr std::chrono::milliseconds kWhileOthersArrive(3);
    std::unique_lock lock(mutex_);
    if (waiting_ != nullptr) {
      std::string theirs = *waiting_;
      *waiting_ = mine;
      waiting_ = nullptr;
      both_here_.notify_all();
      return theirs;
    }
    std::string slot = mine;
    waiting_ = &slot;
    both_here_.wait_for(lock, kWhileOthersArrive, [&] { return waiting_ != &slot; });
    if (waiting_ == &slot) waiting_ = nullptr;
    return slot;
  }

 private:
  std::mutex mutex_;
  std::condition_variable both_here_;
  std::string* waiting_ = nullptr;
};

Behaviour swapping_answers() {
  const auto exchange = std::make_shared<Exchange>();
  return on_reply([exchange](const std::string& reply) -> Reply { return exchange->swap(reply); });
}

void sleep_where_unknown(const std::string& reply, int seconds) {
  const auto response = object_of(reply);
  const bool is_unknown = response && code_of(*response) == "-32601";
  if (is_unknown) ::poll(nullptr, 0, seconds * kMillisecondsPerSecond);
}

/// Asleep for so many seconds before the error of an unknown method.
Behaviour sleeping_on_unknown_methods(int seconds) {
  return on_reply([seconds](const std::string& reply) -> Reply {
    sleep_where_unknown(reply, seconds);
    return reply;
  });
}

/// The same before the silence that is due to a Notification of one.
Behaviour sleeping_on_unknown_notifications_too(int seconds) {
  return on_element([seconds](const ElementText& element, const ProperReply& proper) -> Reply {
    Reply reply = proper(element.text);
    ObjectText call = element.object.value_or(ObjectText());
    const bool is_silent = element.is_notification() && !reply;
    if (is_silent) call.set("id", "null");
    const Reply shown = is_silent ? proper(call.text()) : reply;
    if (shown) sleep_where_unknown(*shown, seconds);
    return reply;
  });
}

}  // namespace

std::span<const Mutant> after_answers_faults() {
  static const Mutant all[] = {
      {"hangs-after-answers", breaks("rob-survives").wherever_it_strikes(), kEverywhere,
       "After its third answer the server hangs.", ends_after(3, Manner::hang)},
      {"exits-after-answers", breaks("rob-survives").wherever_it_strikes(), kEverywhere,
       "After its third answer the process exits at the next message.",
       ends_after(3, Manner::exit)},
      {"closes-after-answers", breaks("rob-survives").wherever_it_strikes(), kStreams,
       "After its third answer the server closes its output and reads on.",
       Mutation(3, closing_output_after)},
      {"http-closes-after-answers", breaks("rob-survives").wherever_it_strikes(), kHttp,
       "After its second answer the server closes each connection without a response.",
       Mutation(2, closing_connections_after)},
      {"http-hangs-after-ten-answers", breaks("rob-survives").wherever_it_strikes(), kHttp,
       "After its tenth answer the server hangs.", ends_after(10, Manner::hang)},
      {"http-exits-after-fifty-answers", breaks("rob-survives").wherever_it_strikes(), kHttp,
       "After its fiftieth answer the process exits at the next message.",
       ends_after(50, Manner::exit)},
      {"dies-every-hundred-answers", breaks("rob-survives").wherever_it_strikes(), kEverywhere,
       "The process dies in place of its hundredth answer.", Mutation(100, dying_at_every)},
      {"refuses-otherwise-after-answers", breaks("rob-survives").wherever_it_strikes(), kEverywhere,
       "After fifty errors -32601 the server answers -32000 in their place.",
       Mutation(50, refusing_otherwise_after)},
      {"refuses-otherwise-every-thirty-answers", breaks("err-code-method"), kEverywhere,
       "Each thirtieth error -32601 is -32603.", Mutation(30, refusing_otherwise_at_every)},
      {"answers-swapped", breaks("rob-concurrent").perhaps("rob-pipelined"), kHttp,
       "Calls in flight together on two connections get each other's answers.", swapping_answers},
      {"sleeps-on-unknown-methods", breaks("res-always").wherever_it_strikes(), kEverywhere,
       "An unknown method is answered after thirty seconds.",
       Mutation(30, sleeping_on_unknown_methods)},
      {"sleeps-on-unknown-notifications-too", breaks("res-always").wherever_it_strikes(),
       kEverywhere,
       "A call of an unknown method is answered after thirty seconds, and what comes behind a "
       "Notification of one as well.",
       Mutation(30, sleeping_on_unknown_notifications_too)},
  };
  return all;
}

}  // namespace jrpcheck::reference
