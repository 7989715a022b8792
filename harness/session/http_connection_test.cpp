#include "session/http_connection.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transport/byte_stream.hpp"

namespace jrpcheck::session {
namespace http_connection_test {

using Writes = std::vector<std::string>;

const std::string kListens = "...";

/// Takes all at once, and never says anything.
class RecordingStream : public transport::ByteStream {
 public:
  explicit RecordingStream(Writes& seen) : seen_(seen) {}

  transport::Transfer transfer(std::string_view out, std::string&, Deadline deadline) override {
    transport::Transfer done;
    done.written = out.size();
    if (!out.empty()) {
      seen_.emplace_back(out);
      return done;
    }
    if (seen_.back() != kListens) seen_.push_back(kListens);
    transport::wait_until(deadline);
    done.timed_out = true;
    return done;
  }
  void close_write() override {}

 private:
  Writes& seen_;
};

const std::string kHead = "POST / HTTP/1.1\r\nContent-Length: 12\r\n\r\n";

Writes written(const corpus::Step& step, const std::string& body = R"({"id":12345})") {
  Writes seen;
  HttpConnection connection(std::make_unique<RecordingStream>(seen));
  connection.send(kHead + body, step, milliseconds(1), Deadline::in(std::chrono::seconds(20)));
  return seen;
}

// Of a head in pieces another case asks.
TEST(HttpPieces, OfOneSizeAreOfTheBodyAndTheFirstArriveApart) {
  corpus::Step step;
  step.write_every = 2;
  EXPECT_EQ(written(step), (Writes{kHead, kListens, "{\"", kListens, "id", kListens,
                                   "\":", kListens, "12", "34", "5}"}));
}

// Who reads each piece as text of its own damages a character there, wherever it stands.
TEST(HttpPieces, OfOneSizeArriveApartWhereACharacterIsCut) {
  corpus::Step step;
  step.write_every = 2;
  EXPECT_EQ(written(step, "0123456789a\u0431bc"),
            (Writes{kHead, kListens, "01", kListens, "23", kListens, "45", kListens, "6789a\xD0",
                    kListens,
                    "\xB1"
                    "b",
                    "c"}));
}

TEST(HttpPieces, BetweenOffsetsAllArriveApart) {
  corpus::Step step;
  step.write_at = {4, kHead.size() + 3};
  EXPECT_EQ(written(step),
            (Writes{"POST", kListens, kHead.substr(4) + "{\"i", kListens, "d\":12345}"}));
}

TEST(HttpPieces, AreOneWhereNothingIsCut) {
  EXPECT_EQ(written({}), (Writes{kHead + R"({"id":12345})"}));
}

/// Takes two bytes, and the rest too late.
class HesitantStream : public transport::ByteStream {
 public:
  explicit HesitantStream(std::string& taken) : taken_(taken) {}

  transport::Transfer transfer(std::string_view out, std::string&, Deadline) override {
    const bool is_first = taken_.empty();
    const auto some = is_first ? out.substr(0, 2) : out;
    taken_ += some;
    return {.written = some.size(), .timed_out = is_first};
  }
  void close_write() override {}

 private:
  std::string& taken_;
};

TEST(HttpPieces, AreNotSentBehindOneThatCouldNotBeWritten) {
  std::string taken;
  HttpConnection connection(std::make_unique<HesitantStream>(taken));
  corpus::Step step;
  step.write_at = {4};
  connection.send(kHead, step, microseconds(0), Deadline::in(std::chrono::seconds(20)));
  EXPECT_EQ(taken, "PO");
  EXPECT_FALSE(connection.has_sent_all());
}

}  // namespace http_connection_test
}  // namespace jrpcheck::session
