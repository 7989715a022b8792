#include "reference-impl/stdio_server.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <thread>

#include "reference-impl/descriptor.hpp"
#include "reference-impl/methods.hpp"

namespace jrpcheck::reference {
namespace stdio_server_test {

using wire::MakeFraming;

constexpr std::string_view kCall = R"({"jsonrpc":"2.0","method":"subtract","params":[3,2],"id":1})";
constexpr std::string_view kReply = R"({"jsonrpc":"2.0","result":1,"id":1})";

std::string line(std::string_view text) { return std::string(text) + "\n"; }

std::string with_length(std::string_view text) {
  return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + std::string(text);
}

/// A server at one end of a socket pair, and a test at the other.
class StreamServer {
 public:
  explicit StreamServer(MakeFraming framing, int flags = 0) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) std::abort();
    near_ = Descriptor(ends[0]);
    far_ = Descriptor(ends[1]);
    ::fcntl(far_.number(), F_SETFL, flags);
    thread_ = std::jthread([this, framing] {
      ended_well_ =
          serve_stream(make_reference_dispatcher(), framing, far_.number(), far_.number());
      far_ = Descriptor();
    });
  }

  void write(std::string_view bytes) { EXPECT_TRUE(write_all(near_.number(), bytes)); }
  void end_input() { ::shutdown(near_.number(), SHUT_WR); }
  void go_away() { near_ = Descriptor(); }

  std::string read(std::size_t size) {
    std::string bytes;
    while (bytes.size() < size) {
      const std::size_t count = read_some(near_.number(), buffer_);
      if (count == 0) break;
      bytes.append(buffer_.data(), count);
    }
    return bytes;
  }

  /// All that comes until the server closes its end.
  std::string read_to_end() { return read(std::string::npos); }

  bool ended_well() {
    thread_.join();
    return ended_well_;
  }

 private:
  Descriptor near_;
  Descriptor far_;
  bool ended_well_ = false;
  std::array<char, 4096> buffer_;
  std::jthread thread_;
};

std::string replies_to(MakeFraming framing, std::string_view input) {
  StreamServer server(framing);
  server.write(input);
  server.end_input();
  return server.read_to_end();
}

TEST(StdioServer, AnswersLinesWithLines) {
  EXPECT_EQ(replies_to(wire::make_lines, line(kCall) + line(kCall)), line(kReply) + line(kReply));
}

TEST(StdioServer, AnswersContentLengthWithContentLength) {
  EXPECT_EQ(replies_to(wire::make_content_length, with_length(kCall) + with_length(kCall)),
            with_length(kReply) + with_length(kReply));
}

TEST(StdioServer, AnswersConcatenatedValues) {
  EXPECT_EQ(replies_to(wire::make_concatenated, std::string(kCall) + std::string(kCall)),
            line(kReply) + line(kReply));
}

TEST(StdioServer, IsSilentAfterANotificationAndGoesOn) {
  EXPECT_EQ(
      replies_to(wire::make_lines, line(R"({"jsonrpc":"2.0","method":"update"})") + line(kCall)),
      line(kReply));
}

TEST(StdioServer, AnswersWhileTheInputIsStillOpen) {
  StreamServer server(wire::make_lines);
  server.write(kCall);
  server.write("\n");
  EXPECT_EQ(server.read(line(kReply).size()), line(kReply));
  server.end_input();
  EXPECT_TRUE(server.ended_well());
}

TEST(StdioServer, AnswersWhatIsNotJsonAndGoesOn) {
  const std::string replies = replies_to(wire::make_lines, "nonsense\n" + line(kCall));
  EXPECT_TRUE(replies.starts_with(R"({"jsonrpc":"2.0","error":{"code":-32700,)")) << replies;
  EXPECT_TRUE(replies.ends_with(line(kReply))) << replies;
}

TEST(StdioServer, AnswersAViolationOfTheFramingAsAParseErrorAndGoesOn) {
  const std::string replies =
      replies_to(wire::make_content_length, "Content-Length: no\r\n\r\n" + with_length(kCall));
  EXPECT_NE(replies.find(R"("error":{"code":-32700,)"), std::string::npos) << replies;
  EXPECT_TRUE(replies.ends_with(with_length(kReply))) << replies;
}

TEST(StdioServer, ReadsAndWritesNonBlockingDescriptors) {
  StreamServer server(wire::make_lines, O_NONBLOCK);
  const std::string text(1U << 20, 'x');
  const std::string params = "[\"" + text + "\"]";
  server.write(line(R"({"jsonrpc":"2.0","method":"echo","params":)" + params + R"(,"id":1})"));
  const std::string reply = line(R"({"jsonrpc":"2.0","result":)" + params + R"(,"id":1})");
  EXPECT_EQ(server.read(reply.size()), reply);
  server.end_input();
  EXPECT_TRUE(server.ended_well());
}

TEST(StdioServer, EndsWhenNobodyReadsItsReplies) {
  std::signal(SIGPIPE, SIG_IGN);
  StreamServer server(wire::make_lines);
  server.write(line(R"({"jsonrpc":"2.0","method":"slow","params":[50],"id":1})"));
  server.go_away();
  EXPECT_FALSE(server.ended_well());
}

}  // namespace stdio_server_test
}  // namespace jrpcheck::reference
