#include "client/dialogue_connection.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::client {
namespace dialogue_connection_test {

const std::string kCall = R"({"jsonrpc":"2.0","id":0,"method":"ping"})";

// A client that keeps its body back until it is waved on, and leaves once it is answered.
class WaitingClient : public transport::ByteStream {
 public:
  transport::Transfer transfer(std::string_view out, std::string& in, Deadline) override {
    transport::Transfer done;
    done.written = out.size();
    heard += out;
    const bool is_waved_on = heard.find("100 Continue\r\n\r\n") != std::string::npos;
    if (!std::exchange(has_sent_head_, true)) {
      in = "POST /mcp HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: " +
           std::to_string(kCall.size()) + "\r\n\r\n";
    } else if (is_waved_on && !std::exchange(has_sent_body_, true)) {
      in = kCall;
    } else {
      done.ended = has_sent_body_ || ++waits_ > 3;
    }
    done.received = !in.empty();
    return done;
  }

  void close_write() override {}

  std::string heard;

 private:
  bool has_sent_head_ = false;
  bool has_sent_body_ = false;
  int waits_ = 0;
};

TEST(DialogueConnection, WhoeverWaitsToBeWavedOnIs) {
  const auto& corpus = corpus::corpus_for_testing("mcp");
  const auto all = corpus::dialogues_of("mcp", corpus::embedded_files(), corpus.ledger);
  ASSERT_TRUE(all);
  DialogueScript script(*all, all->dialogues.front(), judge::client_law_of(corpus));
  TrialState state;
  WaitingClient client;
  serve_dialogue(*door_named("http"), wire::default_stream_binding(), script, state, client, 1,
                 milliseconds(50));
  EXPECT_TRUE(client.heard.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 ")) << client.heard;
  EXPECT_EQ(client.heard.find("100 Continue", 20), std::string::npos) << client.heard;
}

}  // namespace dialogue_connection_test
}  // namespace jrpcheck::client
