// TestSession: the dealings of one test with the server, and the record of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "dialogue/exchange.hpp"
#include "fuzz/executor.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/to_run.hpp"
#include "judge/judgement.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::properties {

using fuzz::Asked;

/// What is the same in every test.
struct Circumstances {
  const fuzz::Oracle& oracle;
  const wire::Binding& binding;
  Deadline end;  ///< of all tests
};

class TestSession {
 public:
  /// `patient` executes what `quick` cannot; both must outlive the session. What should stay the
  /// same is asked for `repeats` times.
  TestSession(const Circumstances& circumstances, fuzz::Executor& quick, fuzz::Executor& patient,
              int repeats)
      : circumstances_(circumstances), quick_(quick), patient_(patient), repeats_(repeats) {}

  /// Whether the framing can carry this message as one.
  bool can_send(const std::string& message) const { return why_not_sent(message).empty(); }
  /// Empty where it may be sent.
  std::string why_not_sent(const std::string& message) const;
  const wire::Binding& binding() const { return circumstances_.binding; }
  const fuzz::Traits& traits() const { return circumstances_.oracle.traits(); }
  int repeats() const { return repeats_; }

  dialogue::Exchange ask(const std::string& message);
  dialogue::Exchange ask_in_pieces(const std::string& message, std::vector<std::size_t> cuts);
  /// As a run of the corpus asks: what comes later is put aside, and not lost.
  dialogue::Exchange ask_with_care(const std::string& message);
  /// The same after some time in which nothing is sent.
  dialogue::Exchange ask_after_listening(const std::string& message);
  /// A server that ends a moment after an answer is waited for, where that has not shown yet.
  void await_end();
  /// Several calls in one write.
  dialogue::Exchange ask_together(const std::vector<std::string>& calls);
  /// A call behind any message, in one write: no control call comes between. The call's answer is
  /// waited for.
  dialogue::Exchange ask_behind(const std::string& message, const std::string& call);
  /// Asks, and has the oracle judge what comes back.
  judge::Judgement judge_once(const std::string& message);
  /// The same. Who answers no call answers none whatever its
  /// id is: what shows that with a usual id too is charged as it is there.
  judge::Judgement judge(const std::string& message);

  const std::vector<Asked>& record() const { return record_; }
  /// What came for those that were asked with care, after their exchange.
  const std::vector<dialogue::Message>& late() const { return late_; }
  /// What is wrong with the form of the replies, whatever they were asked for.
  const std::vector<judge::Finding>& malformed() const { return malformed_; }
  /// An answer that came only when something more was sent, where there was one. Who is sent a call
  /// behind each message does not show that: it is no matter of what is being compared.
  const std::optional<judge::Finding>& held() const { return held_; }
  /// Where in the record something was due to a call, or to one of a batch, and did not come.
  const std::vector<std::size_t>& unanswered() const { return unanswered_; }
  /// The server's process has ended: a fact, whatever is being compared.
  const std::optional<judge::Finding>& death() const { return death_; }
  /// Not empty: there is no server any more, and why.
  const std::string& lost() const { return lost_; }
  /// The end of all tests came meanwhile: what the record holds may be whole, and the test is not.
  bool is_cut_off() const { return cut_off_; }
  /// How long was waited for what did not come, or had not come when the test was cut off.
  microseconds waited_in_vain() const { return waited_in_vain_; }
  /// What the server last wrote to standard error before it ended.
  const std::string& standard_error() const { return standard_error_; }

 private:
  judge::Judgement send(fuzz::Executor& executor, const fuzz::Expectation& expectation);
  fuzz::Observed execute(fuzz::Executor& executor, const corpus::Step& step);
  bool refuses_every_call(fuzz::Executor& executor) const;
  void note_silence(const fuzz::Expectation& expectation, const judge::Judgement& judgement,
                    const dialogue::Exchange& exchange);
  void note_death(const fuzz::Observed& observed);

  const Circumstances& circumstances_;
  fuzz::Executor& quick_;
  fuzz::Executor& patient_;
  int repeats_;
  std::vector<Asked> record_;
  std::vector<dialogue::Message> late_;
  std::vector<judge::Finding> malformed_;
  std::optional<judge::Finding> held_;
  std::vector<std::size_t> unanswered_;
  std::optional<judge::Finding> death_;
  std::string lost_;
  bool cut_off_ = false;
  microseconds waited_in_vain_{0};
  std::string standard_error_;
};

}  // namespace jrpcheck::properties
