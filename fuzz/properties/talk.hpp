// Talk: the dealings of one test with the server, and the record of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "dialogue/exchange.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/player.hpp"
#include "judge/judgement.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::properties {

/// What was sent at one go, and what it brought back.
struct Asked {
  std::vector<std::string> messages;
  std::vector<std::size_t> cuts;  ///< the bytes left in pieces, cut at these offsets
  dialogue::Exchange exchange;
};

/// What is the same in every test.
struct Circumstances {
  const fuzz::Oracle& oracle;
  const wire::Binding& binding;
  Deadline end;  ///< of all tests
};

class Talk {
 public:
  /// `patient` plays what the quick player cannot; both must outlive the talk. What should stay the
  /// same is asked for `repeats` times.
  Talk(const Circumstances& circumstances, fuzz::Player& quick, fuzz::Player& patient, int repeats)
      : circumstances_(circumstances), quick_(quick), patient_(patient), repeats_(repeats) {}

  /// Whether the framing can carry this message as one.
  bool can_send(const std::string& message) const;
  const wire::Binding& binding() const { return circumstances_.binding; }
  const fuzz::Traits& traits() const { return circumstances_.oracle.traits(); }
  int repeats() const { return repeats_; }

  dialogue::Exchange ask(const std::string& message);
  dialogue::Exchange ask_in_pieces(const std::string& message, std::vector<std::size_t> cuts);
  /// Several calls in one write.
  dialogue::Exchange ask_together(const std::vector<std::string>& calls);
  /// Asks, and has the oracle judge what comes back.
  judge::Judgement judge(const std::string& message);

  const std::vector<Asked>& record() const { return record_; }
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
  fuzz::Observed play(fuzz::Player& player, const corpus::Step& step);
  void note_death(const fuzz::Observed& observed);

  const Circumstances& circumstances_;
  fuzz::Player& quick_;
  fuzz::Player& patient_;
  int repeats_;
  std::vector<Asked> record_;
  std::optional<judge::Finding> death_;
  std::string lost_;
  bool cut_off_ = false;
  microseconds waited_in_vain_{0};
  std::string standard_error_;
};

}  // namespace jrpcheck::properties
