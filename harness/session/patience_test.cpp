#include "session/patience.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>

namespace jrpcheck::session {
namespace patience_test {

using std::chrono::seconds;

TEST(Patience, FirstAnswerOfARunAlsoWaitsForTheProgramToComeUp) {
  Patience patience(seconds(5));
  EXPECT_EQ(patience.for_answer(true), Patience::kStartUp);
  EXPECT_EQ(patience.for_answer(false), Patience::kStartUp);
  patience.note_first_answer();
  EXPECT_EQ(patience.for_answer(true), seconds(5));
  EXPECT_EQ(patience.for_answer(false), seconds(5));
}

TEST(Patience, LongTimeoutIsNotCutToTheStartUp) {
  const Patience patience(seconds(60), seconds(5));
  EXPECT_EQ(patience.for_answer(true), seconds(60));
  EXPECT_EQ(patience.for_start(), seconds(60));
}

TEST(Patience, StartUpIsPaidOnceByAServerThatNeverAnswers) {
  Patience patience(seconds(5));
  patience.note_missing_answer(true);
  EXPECT_FALSE(patience.is_starting());
  EXPECT_EQ(patience.for_answer(true), milliseconds(100));
  EXPECT_EQ(patience.for_answer(false), seconds(5));
  EXPECT_EQ(patience.for_control(), Patience::kForSlow);
  EXPECT_FALSE(patience.has_answered());
}

TEST(Patience, AProgramThatComesUpIsSentNothingMoreForLongerThanItTookBefore) {
  Patience patience(seconds(5));
  patience.learn_start_up(milliseconds(400));
  EXPECT_EQ(patience.between_messages(false), milliseconds(0)) << "it tells messages apart";
  patience.keep_messages_apart();
  EXPECT_LT(patience.between_messages(), milliseconds(400));
  EXPECT_GT(patience.between_messages(false), milliseconds(800));
}

TEST(Patience, FirstSignOfAServerEndsTheStartUp) {
  Patience patience(seconds(5));
  EXPECT_EQ(patience.for_control(), Patience::kStartUp);
  patience.note_first_sign();
  EXPECT_EQ(patience.for_answer(true), seconds(5));
  EXPECT_EQ(patience.for_control(), seconds(5));
}

TEST(Patience, ProgramThatIsStartedAnewIsGivenAMultipleOfWhatItNeededBefore) {
  Patience patience(seconds(1));
  patience.learn_start_up(milliseconds(300));
  patience.learn_start_up(milliseconds(200));
  EXPECT_EQ(patience.for_start(), seconds(3));
  patience.learn_start_up(seconds(7));
  EXPECT_EQ(patience.for_start(), Patience::kStartUp);
}

TEST(Patience, ProgramThatListensAtOnceIsGivenAllTheTimeThatWasAskedForUntilItsFirstAnswer) {
  Patience patience(seconds(5), seconds(40));
  patience.learn_start_up(milliseconds(2));
  EXPECT_EQ(patience.for_answer(true), seconds(5));
  patience.give_whole_start();
  EXPECT_EQ(patience.for_answer(true), seconds(40));
  patience.note_waited(seconds(10));
  EXPECT_EQ(patience.for_first_answer(), seconds(30));
  patience.note_first_answer();
  EXPECT_EQ(patience.for_first_answer(), seconds(5));
}

TEST(Patience, QuickProgramIsGivenTheWholeTimeoutToStartAnew) {
  Patience patience(seconds(1));
  patience.learn_start_up(milliseconds(2));
  EXPECT_EQ(patience.for_start(), seconds(1));
}

TEST(Patience, MissingAnswerCostsTheWholeTimeoutOnceAndAShorterBoundLater) {
  Patience patience(seconds(5));
  patience.note_first_answer();
  patience.note_missing_answer(false);
  EXPECT_EQ(patience.for_answer(false), milliseconds(100));
  EXPECT_EQ(patience.for_answer(true), seconds(5));
  patience.note_missing_answer(true);
  EXPECT_EQ(patience.for_answer(true), milliseconds(100));
  EXPECT_EQ(patience.for_control(), Patience::kForSlow);
  patience.note_missing_control();
  EXPECT_EQ(patience.for_control(), milliseconds(50));
}

TEST(Patience, WhoAnswersNoControlCallIsNotWaitedForAgainForAnotherKindOfMessage) {
  Patience patience(seconds(5));
  patience.note_first_answer();
  patience.note_missing_pong();
  EXPECT_EQ(patience.for_answer(true), seconds(5));
  patience.note_missing_control();
  EXPECT_EQ(patience.for_answer(false), milliseconds(100));
  EXPECT_EQ(patience.for_answer(true), milliseconds(100));
}

TEST(Patience, ShorterBoundGrowsWithTheRoundTrip) {
  Patience patience(seconds(5));
  patience.note_missing_answer(false);
  patience.note_missing_control();
  patience.learn_round_trip(milliseconds(30));
  EXPECT_EQ(patience.for_answer(false), milliseconds(600));
  EXPECT_EQ(patience.for_control(), milliseconds(600));
}

TEST(Patience, ShorterBoundGrowsWithTheSlowestAnswerSoThatABusyMachineIsNoVerdict) {
  Patience patience(seconds(5));
  patience.note_missing_answer(true);
  patience.note_missing_control();
  patience.note_answer(milliseconds(80), 100);
  patience.note_answer(milliseconds(2), 100);
  EXPECT_EQ(patience.for_answer(true), milliseconds(320));
  EXPECT_EQ(patience.for_control(), milliseconds(320));
}

TEST(Patience, TheSameSilenceIsWaitedForOnceAndForgottenWithTheFirstAnswer) {
  Patience patience(seconds(5));
  patience.note_silence();
  EXPECT_FALSE(patience.is_starting());
  EXPECT_EQ(patience.for_answer(true), milliseconds(100));
  EXPECT_EQ(patience.for_answer(false), milliseconds(100));
  EXPECT_EQ(patience.for_control(), milliseconds(50));
  patience.note_answer(milliseconds(80), 10);
  EXPECT_EQ(patience.for_answer(true), seconds(5));
  EXPECT_EQ(patience.for_control(), seconds(5));
}

TEST(Patience, LargeMessagesAreGivenTimeToBeReadAndTellNothingAboutOthers) {
  Patience patience(seconds(5));
  patience.note_missing_answer(true);
  patience.note_answer(seconds(2), 1U << 20);
  EXPECT_EQ(patience.for_answer(true), milliseconds(100));
  EXPECT_EQ(patience.for_answer(true, 200'000), milliseconds(500));
  patience.note_missing_control();
  EXPECT_EQ(patience.for_control(), milliseconds(50));
  EXPECT_EQ(patience.for_control(200'000), milliseconds(450));
}

TEST(Patience, OverHttpTheShorterBoundIsLongerBecauseNothingElseTellsThatAServerIsHeldUp) {
  Patience patience(seconds(5));
  patience.note_first_answer();
  EXPECT_EQ(patience.for_response(true, 100), seconds(5));
  patience.note_missing_answer(true);
  EXPECT_EQ(patience.for_response(true, 100), milliseconds(500));
  patience.learn_round_trip(milliseconds(30));
  EXPECT_EQ(patience.for_response(true, 100), milliseconds(600));
  Patience hasty(milliseconds(50));
  hasty.note_missing_answer(true);
  EXPECT_EQ(hasty.for_response(true, 100), milliseconds(50));
}

TEST(Patience, OnceAnAnswerWasMissedItIsAskedSoonerWhetherTheServerServes) {
  Patience patience(seconds(5));
  EXPECT_EQ(patience.before_control(), milliseconds(100));
  patience.note_missing_answer(false);
  EXPECT_EQ(patience.before_control(), milliseconds(25));
}

TEST(Patience, WaitsAndTailsAreCounted) {
  Patience patience(seconds(5));
  patience.note_wait_in_vain();
  patience.note_tail();
  patience.note_tail();
  EXPECT_EQ(patience.waits_in_vain(), 1U);
  EXPECT_EQ(patience.tails(), 2U);
}

TEST(Patience, ForgivenessBringsTheWholeTimeoutBack) {
  Patience patience(seconds(5));
  patience.note_first_answer();
  patience.note_missing_answer(false);
  patience.note_missing_answer(true);
  patience.forgive();
  EXPECT_EQ(patience.for_answer(false), seconds(5));
  EXPECT_EQ(patience.for_answer(true), seconds(5));
}

TEST(Patience, SilenceOfAServerThatHasAnsweredIsDoubtedUntilItHasHungSomeTimes) {
  Patience patience(seconds(5));
  EXPECT_FALSE(patience.doubts_silence());
  patience.note_first_answer();
  int hangs = 0;
  while (patience.doubts_silence()) {
    patience.note_missing_control();
    patience.note_hang();
    ASSERT_LT(++hangs, 10);
  }
  EXPECT_GT(hangs, 1);
  patience.forgive();
  EXPECT_FALSE(patience.doubts_silence());
}

TEST(Patience, SilenceThatIsWaitedForSideBySideIsNotDoubtedOnceMoreByEach) {
  Patience patience(seconds(5));
  patience.note_first_answer();
  int conversations = 0;
  for (; patience.doubts_silence(); ++conversations) patience.begin_doubt();
  EXPECT_EQ(conversations, 3);
  for (; conversations > 0; --conversations) {
    patience.note_hang();
    patience.end_doubt();
    EXPECT_FALSE(patience.doubts_silence());
  }
}

TEST(Patience, SilenceThatWasBrokenIsDoubtedAgain) {
  Patience patience(seconds(5));
  patience.note_first_answer();
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(patience.doubts_silence());
    patience.begin_doubt();
    patience.end_doubt();
  }
}

TEST(Patience, SilenceThatTheSameMessageDoesNotBringAboutAgainIsDoubtedLess) {
  Patience patience(seconds(5));
  patience.note_first_answer();
  int hangs = 0;
  for (; patience.doubts_silence(); ++hangs) {
    patience.note_hang();
    patience.note_causeless_hang();
  }
  EXPECT_EQ(hangs, 2);
}

TEST(Patience, AfterAReturnInVainNeitherIsDoubtedNorAStartWaitedForAsLongUntilAnAnswer) {
  Patience patience(seconds(5));
  patience.learn_start_up(milliseconds(20));
  patience.note_first_answer();
  EXPECT_EQ(patience.for_start(), seconds(5));
  patience.note_return_in_vain();
  EXPECT_FALSE(patience.doubts_silence());
  EXPECT_LT(patience.for_start(), seconds(1));
  EXPECT_GE(patience.for_start(), milliseconds(200)) << "ten times what it needed before";
  patience.note_first_answer();
  EXPECT_TRUE(patience.doubts_silence());
  EXPECT_EQ(patience.for_start(), seconds(5));
}

TEST(Patience, ControlCallAndTailAreAMatterOfRoundTrips) {
  Patience patience(seconds(5));
  EXPECT_EQ(patience.before_control(), milliseconds(100));
  EXPECT_EQ(patience.tail(), milliseconds(3));
  patience.learn_round_trip(milliseconds(40));
  EXPECT_EQ(patience.before_control(), milliseconds(400));
  EXPECT_EQ(patience.tail(), milliseconds(120));
}

TEST(Patience, TailIsLongerOnceAnAnswerWasOvertaken) {
  Patience patience(seconds(5));
  patience.note_overtaking();
  EXPECT_EQ(patience.tail(), milliseconds(50));
  patience.use_tail(milliseconds(300));
  EXPECT_EQ(patience.tail(), milliseconds(300));
  Patience hasty(milliseconds(20));
  hasty.note_overtaking();
  EXPECT_EQ(hasty.tail(), milliseconds(20));
}

TEST(Patience, TailIsLongerUntilSomeHaveShownThatNoAnswerIsOvertaken) {
  Patience patience(seconds(5));
  patience.suspect_overtaking();
  for (int tail = 0; tail < 10; ++tail) {
    EXPECT_EQ(patience.tail(), milliseconds(50));
    patience.note_tail();
  }
  EXPECT_EQ(patience.tail(), milliseconds(3));
  patience.note_overtaking();
  EXPECT_EQ(patience.tail(), milliseconds(50));
}

TEST(Patience, TailIsNoLongerWhereCallsAtOnceAreAnsweredInTheirOrder) {
  Patience patience(seconds(5));
  patience.suspect_overtaking();
  patience.note_order();
  EXPECT_EQ(patience.tail(), milliseconds(3));
  patience.note_overtaking();
  EXPECT_EQ(patience.tail(), milliseconds(50));
}

RC_GTEST_PROP(PatienceProperty, NothingIsWaitedForLongerThanTheTimeoutOnceTheServerAnswers, ()) {
  Patience patience(microseconds(*rc::gen::inRange<long long>(1, 60'000'000)));
  patience.note_first_answer();
  patience.learn_round_trip(microseconds(*rc::gen::inRange<long long>(0, 60'000'000)));
  patience.note_answer(microseconds(*rc::gen::inRange<long long>(0, 60'000'000)), 0);
  for (const bool well_formed : {true, false}) {
    if (*rc::gen::arbitrary<bool>()) patience.note_missing_answer(well_formed);
    const auto bytes = *rc::gen::inRange<std::size_t>(0, 1U << 30);
    RC_ASSERT(patience.for_answer(well_formed, bytes) <= patience.timeout());
    RC_ASSERT(patience.for_response(well_formed, bytes) <= patience.timeout());
  }
  if (*rc::gen::arbitrary<bool>()) patience.note_missing_control();
  RC_ASSERT(patience.for_control() <= patience.timeout());
  RC_ASSERT(patience.before_control() <= patience.timeout());
  RC_ASSERT(patience.tail() <= patience.timeout());
}

TEST(Patience, WhoWorksOnOneCallAtATimeIsGivenTimeForItOnce) {
  Patience patience(milliseconds(1000), milliseconds(100));
  patience.note_first_sign();
  EXPECT_EQ(patience.for_control_behind_work(), milliseconds(4000));
  patience.note_endless_work();
  EXPECT_EQ(patience.for_control_behind_work(), patience.for_control());
}

}  // namespace patience_test
}  // namespace jrpcheck::session
