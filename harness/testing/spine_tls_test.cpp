// Targets behind TLS: who is believed, and what is said of who is not. openssl(1) makes the
// certificates; where a server is to ask for one, socat(1) stands before the reference server.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <utility>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace spine_tls_test {

bool has(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

class TlsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has("socat") || !has("openssl")) GTEST_SKIP() << "socat and openssl are needed";
    tcp_port_ = std::to_string(free_port());
    server_ = std::make_unique<RunningProgram>(Words{reference_program(), "--tcp", tcp_port_});
    ASSERT_NE(server_->first_error_line(), "");
  }
  void TearDown() override {
    for (auto* each : {door_.get(), server_.get()}) {
      if (each != nullptr) each->send_signal(SIGTERM);
    }
  }

  // A key, and a certificate of its own that is valid for these names.
  void certify(const std::string& name, const std::string& names) const {
    const auto made = run_program(
        {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=" + name, "-addext", "subjectAltName=" + names,
         "-keyout", folder_.file(name + ".key"), "-out", folder_.file(name + ".crt")});
    ASSERT_EQ(made.exit_code, 0) << made.error;
  }
  std::string certificate(const std::string& name) const { return folder_.file(name + ".crt"); }

  // TLS before the reference server.
  void open_door(const std::string& name, const std::string& more = ",verify=0") {
    const auto port = std::to_string(free_port());
    door_ = std::make_unique<RunningProgram>(Words{
        "socat", "-d", "-d",
        "OPENSSL-LISTEN:" + port + ",bind=127.0.0.1,reuseaddr,fork,cert=" + certificate(name) +
            ",key=" + folder_.file(name + ".key") + more,
        "TCP:127.0.0.1:" + tcp_port_});
    ASSERT_NE(door_->first_error_line().find("listening"), std::string::npos);
    target_ = "tls://127.0.0.1:" + port;
  }
  // The reference server itself, with that certificate.
  void serve(const std::string& name, const std::string& transport = "--tcp",
             const std::string& scheme = "tls", const Words& more = {}) {
    const auto port = std::to_string(free_port());
    door_ = std::make_unique<RunningProgram>(Words{reference_program(), transport, port, "--tls",
                                                   certificate(name), folder_.file(name + ".key")} +
                                             more);
    ASSERT_NE(door_->first_error_line().find("listening on " + scheme), std::string::npos);
    target_ = scheme + "://127.0.0.1:" + port;
  }
  // A key, and what an authority is to sign for it: a certificate for this machine.
  std::string request(const std::string& name) const {
    const auto file = folder_.file(name + ".csr");
    const auto asked = run_program({"openssl", "req", "-new", "-newkey", "ec", "-pkeyopt",
                                    "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=" + name,
                                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                                    folder_.file(name + ".key"), "-out", file});
    EXPECT_EQ(asked.exit_code, 0) << asked.error;
    return file;
  }
  // Issued by an authority of that name.
  void issue(const std::string& name, const std::string& authority, const std::string& days) const {
    certify(authority, "DNS:" + authority + ".example");
    const auto made =
        run_program({"openssl", "x509", "-req", "-in", request(name), "-CA", certificate(authority),
                     "-CAkey", folder_.file(authority + ".key"), "-days", days, "-copy_extensions",
                     "copy", "-out", certificate(name)});
    ASSERT_EQ(made.exit_code, 0) << made.error;
  }
  // The same, to be valid on a day that is far away: only openssl-ca(1) says when that begins.
  void issue_for_later(const std::string& name, const std::string& authority) const {
    certify(authority, "DNS:" + authority + ".example");
    write_file(folder_.file("issued"), "");
    write_file(folder_.file("ca.conf"),
               "[ca]\ndefault_ca = usual\n[usual]\ndatabase = " + folder_.file("issued") +
                   "\nnew_certs_dir = " + folder_.path() +
                   "\nrand_serial = yes\ndefault_md = sha256\n"
                   "copy_extensions = copy\npolicy = any\n"
                   "[any]\ncommonName = supplied\n");
    const auto made =
        run_program({"openssl", "ca", "-batch", "-notext", "-config", folder_.file("ca.conf"),
                     "-cert", certificate(authority), "-keyfile", folder_.file(authority + ".key"),
                     "-in", request(name), "-out", certificate(name), "-startdate",
                     "20990101000000Z", "-enddate", "20990102000000Z"});
    ASSERT_EQ(made.exit_code, 0) << made.error;
  }
  std::string refusal(const Words& options) const {
    const auto result = run_program(Words{jrpcheck_program(), "run", "--framing", "lines"} +
                                    options + Words{target_});
    EXPECT_EQ(result.exit_code, 3) << result.output;
    return result.error;
  }

  TemporaryFolder folder_;
  std::string tcp_port_;
  std::string target_;
  std::unique_ptr<RunningProgram> server_;
  std::unique_ptr<RunningProgram> door_;
};

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(TlsTest, ReferenceConformsWhereItsCertificateIsTrusted) {
  certify("good", "DNS:localhost,IP:127.0.0.1");
  open_door("good");
  auto judgement = judge({"--cacert", certificate("good"), "--framing", "lines", target_});
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "conforms");
  EXPECT_EQ(judgement.target["transport"], "tls");
}

TEST_F(TlsTest, ClassTlsIsKeptByTheReferenceOnEveryDoor) {
  certify("good", "IP:127.0.0.1");
  struct Door {
    const char* option;
    const char* scheme;
  };
  for (const Door& door : {Door{"--tcp", "tls"}, Door{"--http", "https"}, Door{"--ws", "wss"}}) {
    serve("good", door.option, door.scheme);
    const auto judgement = judge({"--cacert", certificate("good"), "--select", "tls/*", target_});
    EXPECT_EQ(judgement.program.exit_code, 0) << door.scheme << judgement.program.output;
    EXPECT_EQ(judgement.verdict, "partial");
    door_->send_signal(SIGTERM);
  }
}

TEST_F(TlsTest, ExpiredCertificateIsNotBelieved) {
  issue("old", "authority", "-1");
  serve("old");
  const auto said = refusal({"--cacert", certificate("authority")});
  expect_in(said, "certificate has expired");
  expect_in(said, "--insecure takes it all the same");
}

TEST_F(TlsTest, CertificateThatIsNotValidYetIsNotBelieved) {
  issue_for_later("early", "authority");
  serve("early");
  const auto said = refusal({"--cacert", certificate("authority")});
  expect_in(said, "certificate is not yet valid");
  expect_in(said, "--insecure takes it all the same");
}

TEST_F(TlsTest, CertificateOfAnUnknownAuthorityIsNotBelieved) {
  issue("strange", "authority", "2");
  serve("strange");
  const auto said = refusal({});
  expect_in(said, "unable to get local issuer certificate");
  expect_in(said, "--cacert FILE");
  const auto few = Words{"--framing", "lines", "--select", "calibration/*", target_};
  EXPECT_EQ(judge(Words{"--cacert", certificate("authority")} + few).program.exit_code, 0);
}

TEST_F(TlsTest, SelfSignedCertificateIsNotBelievedUnlessThatIsAskedFor) {
  certify("good", "IP:127.0.0.1");
  open_door("good");
  const auto said = refusal({});
  expect_in(said, "self-signed certificate");
  expect_in(said, "--cacert FILE");
  const auto few = Words{"--insecure", "--framing", "lines", "--select", "calibration/*", target_};
  EXPECT_EQ(judge(few).program.exit_code, 0);
}

TEST_F(TlsTest, CertificateForAnotherNameIsNotBelievedUnlessThatNameIsGiven) {
  certify("other", "DNS:other.example");
  open_door("other");
  const Words trusted = {"--cacert", certificate("other")};
  const auto said = refusal(trusted);
  expect_in(said, "IP address mismatch");
  expect_in(said, "--servername NAME");
  const auto few = Words{"--servername", "other.example", "--framing", "lines",
                         "--select",     "calibration/*", target_};
  EXPECT_EQ(judge(trusted + few).program.exit_code, 0);
}

TEST_F(TlsTest, ServerThatWantsACertificateIsNamed) {
  certify("good", "IP:127.0.0.1");
  certify("client", "DNS:client.example");
  open_door("good", ",verify=1,cafile=" + certificate("client"));
  const Words trusted = {"--cacert", certificate("good")};
  const auto said = refusal(trusted);
  expect_in(said, "refuses a client without a certificate");
  expect_in(said, "--cert FILE and --key FILE");
  const auto few = Words{"--cert",    certificate("client"),
                         "--key",     folder_.file("client.key"),
                         "--framing", "lines",
                         "--select",  "calibration/number-id",
                         target_};
  const auto judgement = judge(trusted + few);
  EXPECT_EQ(judgement.program.exit_code, 0);
  ASSERT_EQ(judgement.cases.size(), 1U) << judgement.program.error;
  const std::string line = judgement.cases.front().reproduce;
  expect_in(line, " -cert ");
  expect_in(line, " -key ");
  expect_in(run_program({"/bin/sh", "-c", line}).output, "\"code\":-32601");
}

// Who asks for one and serves without is no server that demands it.
TEST_F(TlsTest, ClientWithoutACertificateIsAnsweredAsTheServerPleases) {
  certify("good", "IP:127.0.0.1");
  certify("client", "DNS:client.example");
  const auto file = folder_.file("cases.json");
  write_file(file, R"({"about": "A client without a certificate.", "cases": [{
    "id": "own/without", "title": "A client without a certificate is turned away",
    "requirements": ["tls-plain-refused"],
    "steps": [{
      "send": {"json": {"jsonrpc": "2.0", "method": "${unknown}", "id": "${id}"}},
      "tls": {"without-certificate": true},
      "accept": [{"closed": true}],
      "charge": {"reply": "tls-plain-refused"}}]}]})");
  for (const auto& [variant, verdict] : {std::pair("tls-certificate-demanded", "pass"),
                                         std::pair("tls-certificate-asked-for", "fail"),
                                         std::pair("tls-without-tickets", "not-applicable")}) {
    serve("good", "--tcp", "tls", {"--variant", variant});
    const auto judgement = judge({"--cases", file, "--cacert", certificate("good"), "--cert",
                                  certificate("client"), "--key", folder_.file("client.key"),
                                  "--framing", "lines", "--select", "own/without", target_});
    ASSERT_EQ(judgement.cases.size(), 1U) << judgement.program.error;
    EXPECT_EQ(judgement.cases.front().verdict, verdict) << variant;
    door_->send_signal(SIGTERM);
  }
}

// Before it there is no KeyUpdate (RFC 8446 §4.6.3).
TEST_F(TlsTest, ServerThatSpeaksNoTls13NeedTakeNoKeyUpdate) {
  certify("good", "IP:127.0.0.1");
  serve("good", "--tcp", "tls", {"--variant", "tls-1.2-only"});
  auto judgement = judge({"--cacert", certificate("good"), target_});
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.verdict, "conforms");
  EXPECT_EQ(judgement.requirements["not-applicable"].count("tls-key-update"), 1U);
}

// Before it a close_notify ends both directions (RFC 5246 §7.2.1).
TEST_F(TlsTest, ServerThatSpeaksNoTls13NeedAnswerNobodyWhoHasClosed) {
  certify("good", "IP:127.0.0.1");
  serve("good", "--tcp", "tls", {"--variant", "tls-1.2-ends-with-its-client"});
  auto judgement = judge({"--cacert", certificate("good"), target_});
  EXPECT_EQ(judgement.program.exit_code, 0) << judgement.program.error;
  EXPECT_EQ(judgement.requirements["not-applicable"].count("tls-half-close"), 1U);
  EXPECT_EQ(judgement.requirements["not-applicable"].count("tcp-half-close"), 1U);
}

TEST_F(TlsTest, PortWithoutTlsIsSaidToHaveNone) {
  const auto port = std::to_string(free_port());
  RunningProgram http({reference_program(), "--http", port});
  ASSERT_NE(http.first_error_line(), "");
  target_ = "https://127.0.0.1:" + port + "/";
  const auto result = run_program({jrpcheck_program(), "run", target_});
  http.send_signal(SIGTERM);
  EXPECT_EQ(result.exit_code, 3);
  expect_in(result.error, "what comes back is no TLS");
}

TEST_F(TlsTest, FileThatCannotBeUsedIsAWrongCommandLine) {
  const auto result = run_program(
      {jrpcheck_program(), "run", "--cacert", folder_.file("none"), "tls://127.0.0.1:1"});
  EXPECT_EQ(result.exit_code, 2);
  expect_in(result.error, "--cacert '" + folder_.file("none") + "' cannot be used");
}

}  // namespace spine_tls_test
}  // namespace jrpcheck::testing
