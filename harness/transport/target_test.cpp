#include "transport/target.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/bytes.hpp"

namespace jrpcheck::transport {
namespace target_test {

Target parsed(const std::string& url) {
  auto target = parse_target(url);
  if (!target) throw std::runtime_error(target.error().message);
  return *std::move(target);
}

std::string error_of(const std::string& url) {
  const auto target = parse_target(url);
  return target ? "it is accepted" : target.error().message;
}

TEST(Target, HostPortAndPathAreTakenApart) {
  const auto target = parsed("http://localhost:8545/rpc/v1?key=1");
  EXPECT_EQ(target.address.host, "localhost");
  EXPECT_EQ(target.address.port, "8545");
  EXPECT_EQ(target.authority, "localhost:8545");
  EXPECT_EQ(target.path, "/rpc/v1?key=1");
  EXPECT_EQ(target.authorization, "");
  EXPECT_EQ(target.redacted, "http://localhost:8545/rpc/v1?key=1");
}

TEST(Target, PortIs80AndPathIsTheRootWhereNoneIsSaid) {
  const auto target = parsed("http://example.org");
  EXPECT_EQ(target.address.port, "80");
  EXPECT_EQ(target.path, "/");
  EXPECT_EQ(target.authority, "example.org");
  EXPECT_EQ(target.redacted, "http://example.org/");
}

TEST(Target, QueryWithoutPathBelongsToTheRoot) {
  EXPECT_EQ(parsed("http://example.org?token=a/b").path, "/?token=a/b");
}

TEST(Target, FragmentIsNotSent) {
  EXPECT_EQ(parsed("http://example.org/a#b?c").path, "/a");
  EXPECT_EQ(parsed("http://example.org#b").path, "/");
}

TEST(Target, SchemeIsReadWhateverItsCase) {
  EXPECT_EQ(parsed("HTTP://example.org/A").redacted, "http://example.org/A");
}

TEST(Target, AddressOfVersionSixStandsInBrackets) {
  const auto target = parsed("http://[::1]:8545/");
  EXPECT_EQ(target.address.host, "::1");
  EXPECT_EQ(target.address.port, "8545");
  EXPECT_EQ(target.authority, "[::1]:8545");
  EXPECT_EQ(parsed("http://[2001:db8::7]/x").address.text(), "[2001:db8::7]:80");
}

TEST(Target, CredentialsBecomeBasicAuthorization) {
  const auto target = parsed("http://user:secret@example.org:81/x");
  EXPECT_EQ(target.authorization, "Basic " + to_base64("user:secret"));
  EXPECT_EQ(target.authority, "example.org:81");
  EXPECT_EQ(target.redacted, "http://user:...@example.org:81/x");
}

TEST(Target, CredentialsArePercentDecoded) {
  EXPECT_EQ(parsed("http://me%40work:p%3Aq%2fr@h/").authorization,
            "Basic " + to_base64("me@work:p:q/r"));
  EXPECT_EQ(parsed("http://u:100%@h/").authorization, "Basic " + to_base64("u:100%"));
  EXPECT_EQ(parsed("http://u:%zz@h/").authorization, "Basic " + to_base64("u:%zz"));
}

TEST(Target, PasswordMayHoldAnAtSignAndAColon) {
  const auto target = parsed("http://user:a@b:c@h:1/");
  EXPECT_EQ(target.authorization, "Basic " + to_base64("user:a@b:c"));
  EXPECT_EQ(target.address.text(), "h:1");
  EXPECT_EQ(target.redacted, "http://user:...@h:1/");
}

TEST(Target, LoneUserNameIsSentWithAnEmptyPasswordAndIsNotShown) {
  const auto target = parsed("http://0123456789abcdef@h/");
  EXPECT_EQ(target.authorization, "Basic " + to_base64("0123456789abcdef:"));
  EXPECT_EQ(target.redacted, "http://...@h/");
}

TEST(Target, EmptyCredentialsAreNone) {
  const auto target = parsed("http://@h/");
  EXPECT_EQ(target.authorization, "");
  EXPECT_EQ(target.redacted, "http://h/");
}

RC_GTEST_PROP(TargetProperty, RedactedNeverHoldsThePassword, ()) {
  const auto letters = [] {
    return rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element(
        'A', 'B', 'C', '1', '2', ':', '@', '!', '$', '&', '%', '=', '\'', '(', '[', ']')));
  };
  const std::string password = "PW" + *letters();
  const bool has_user = *rc::gen::arbitrary<bool>();
  const std::string path = *rc::gen::element<std::string>("", "/", "/p?q=1", "?q", "#f");
  const auto target =
      parse_target("http://" + std::string(has_user ? "user:" : ":") + password + "@h:1" + path);
  RC_ASSERT(target);
  RC_ASSERT(target->redacted.find("PW") == std::string::npos);
  RC_ASSERT(target->authority == "h:1");
}

struct BadTarget {
  std::string url;
  std::string error;  // begins so
};

class BadTargetTest : public ::testing::TestWithParam<BadTarget> {};

TEST_P(BadTargetTest, IsRefusedWithAReason) {
  EXPECT_EQ(error_of(GetParam().url).substr(0, GetParam().error.size()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Target, BadTargetTest,
    ::testing::Values(
        BadTarget{"localhost:8545", "'localhost:8545' is no target: give a URL"},
        BadTarget{"", "'' is no target"},
        BadTarget{"ftp://user:secret@h/", "targets with the scheme ftp:// are not supported"},
        BadTarget{"ws://:8546/", "the URL names no host"},
        BadTarget{"tcp://h", "the URL names no port: write tcp://HOST:PORT"},
        BadTarget{"tcp://:9000", "the URL names no host"},
        BadTarget{"tcp://h:9000/rpc", "'/rpc' says nothing on a stream: write tcp://HOST:PORT"},
        BadTarget{"tcp://u:p@h:9000", "a stream takes no user name: write tcp://HOST:PORT"},
        BadTarget{"unix:", "the target names no socket: write unix:/PATH"},
        BadTarget{"http://", "the URL names no host"},
        BadTarget{"http:///path", "the URL names no host"},
        BadTarget{"http://:80/", "the URL names no host"},
        BadTarget{"http://[]/", "the URL names no host"},
        BadTarget{"http://user:secret@/", "the URL names no host"},
        BadTarget{"http://[::1/", "the address '[::1' lacks its closing bracket"},
        BadTarget{"http://[::1]8545/", "'8545' in the address '[::1]8545' is no port"},
        BadTarget{"http://::1/", "'::1' in the address '::1' is no port"},
        BadTarget{"http://h:/", "':' in the address 'h:' is no port"},
        BadTarget{"http://h:0/", "':0' in the address 'h:0' is no port"},
        BadTarget{"http://h:65536/", "':65536' in the address 'h:65536' is no port"},
        BadTarget{"http://h:-1/", "':-1' in the address"},
        BadTarget{"http://h:80x/", "':80x' in the address"},
        BadTarget{"http://h:99999999999999999999/", "':99999999999999999999' in the address"},
        BadTarget{"http://h/a b", "the URL holds a space or a control character"},
        BadTarget{"http://h/\r\nX: y", "the URL holds a space or a control character"},
        BadTarget{"http://h h/", "the URL holds a space or a control character"}));

TEST(Target, WhatIsNotServedIsRefusedWithWhatIs) {
  EXPECT_EQ(error_of("ftp://h/"),
            "targets with the scheme ftp:// are not supported by this version; http://, https://, "
            "ws://, wss://, tcp://, tls://, unix: and programs after -- are");
}

TEST(Target, WebSocketHasAPathAndAUsualPort) {
  const auto target = parsed("ws://h/jsonrpc?key=1");
  EXPECT_EQ(target.address.port, "80");
  EXPECT_EQ(target.path, "/jsonrpc?key=1");
  EXPECT_EQ(target.scheme->binding, "websocket");
  EXPECT_EQ(parsed("wss://h/").address.port, "443");
  EXPECT_TRUE(parsed("wss://h/").scheme->over_tls);
  EXPECT_NE(parsed("ws://u:p@h/").authorization, "");
}

TEST(Target, StreamIsReachedByHostAndPortAlone) {
  const auto target = parsed("tcp://[::1]:9000");
  EXPECT_EQ(target.address.host, "::1");
  EXPECT_EQ(target.place().address, "[::1]:9000");
  EXPECT_EQ(target.place().socket_file, "");
  EXPECT_EQ(target.redacted, "tcp://[::1]:9000");
  EXPECT_EQ(target.scheme->binding, "");
  EXPECT_EQ(parsed("tcp://h:9000/").redacted, "tcp://h:9000");
}

TEST(Target, SchemesOfTlsKnowThatTheyAre) {
  EXPECT_TRUE(parsed("https://h/").scheme->over_tls);
  EXPECT_EQ(parsed("https://h/").address.port, "443");
  EXPECT_TRUE(parsed("tls://h:1").scheme->over_tls);
  EXPECT_FALSE(parsed("http://h/").scheme->over_tls);
}

TEST(Target, UnixSocketIsNamedByItsPath) {
  const auto target = parsed("unix:/run/a b.sock");
  EXPECT_EQ(target.path, "/run/a b.sock");
  EXPECT_EQ(target.place().address, "/run/a b.sock");
  EXPECT_EQ(target.place().socket_file, "/run/a b.sock");
  EXPECT_EQ(target.redacted, "unix:/run/a b.sock");
  EXPECT_EQ(parsed("unix:///run/x").path, "/run/x");
  EXPECT_EQ(parsed("unix:x.sock").path, "x.sock");
}

TEST(Target, TellsWhichBindingIsSpokenThere) {
  EXPECT_EQ(parsed("http://h/").scheme->binding, "http");
  EXPECT_EQ(parsed("http://h/").place().address, "h:80");
}

TEST(Target, HasAUrlByAnotherBinding) {
  const auto over_tls = parsed("https://u:p@h:1/a?b");
  EXPECT_EQ(over_tls.by(wire::known_binding("websocket")).url(), "wss://h:1/a?b");
  const auto in_the_clear = parsed("ws://h/a");
  EXPECT_EQ(in_the_clear.by(wire::known_binding("http")).url(), "http://h/a");
  EXPECT_EQ(in_the_clear.url(), "ws://h/a");
}

TEST(Target, RelayToItIsReachedInTheClear) {
  const auto relay_to = [](const std::string& url) {
    return parsed(url).url_of_relay({"127.0.0.1", "9"});
  };
  EXPECT_EQ(relay_to("https://h/rpc"), "http://127.0.0.1:9/rpc");
  EXPECT_EQ(relay_to("ws://h/rpc"), "ws://127.0.0.1:9/rpc");
  EXPECT_EQ(relay_to("wss://h"), "ws://127.0.0.1:9/");
  EXPECT_EQ(relay_to("tls://h:1"), "tcp://127.0.0.1:9");
  EXPECT_EQ(relay_to("unix:/run/x"), "tcp://127.0.0.1:9");
}

TEST(Target, ErrorsDoNotShowThePassword) {
  EXPECT_EQ(error_of("wss://user:secret@h/").find("secret"), std::string::npos);
  EXPECT_EQ(error_of("http://user:secret@h:0/").find("secret"), std::string::npos);
  EXPECT_EQ(error_of("http://user:secret@h/ /").find("secret"), std::string::npos);
  EXPECT_EQ(error_of("htp:/user:secret@h/?to=http://h/").find("secret"), std::string::npos);
  for (const char* cut : {"/", "?", "#"}) {
    const std::string error = error_of("http://user:secret" + std::string(cut) + "more@h:1/");
    EXPECT_EQ(error.find("secret"), std::string::npos) << error;
    EXPECT_NE(error.find("%2F"), std::string::npos) << error;
  }
}

}  // namespace target_test
}  // namespace jrpcheck::transport
