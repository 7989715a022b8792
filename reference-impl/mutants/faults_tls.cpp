// What only TLS shows.
#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::reference {

namespace {

Behaviour with_habits(const TlsHabits& habits) { return {.tls = habits}; }

std::string as_a_line(std::string_view record) { return std::string(record) + '\n'; }

}  // namespace

std::span<const Mutant> tls_faults() {
  static const Mutant all[] = {
      {"tls-old-versions-spoken", breaks("tls-versions"), kTls, "TLS 1.0 and 1.1 are spoken.",
       with_habits({.speaks_old_versions = true})},
      {"tls-renegotiates", breaks("tls-renegotiation"), kTls,
       "A client of TLS 1.2 gets another handshake whenever it asks.",
       with_habits({.renegotiates = true})},
      {"tls-ends-without-notice", breaks("tls-close-notify"), kTls,
       "Connections are closed without close_notify.", with_habits({.ends_without_notice = true})},
      {"tls-served-in-the-clear", breaks("tls-plain-refused").perhaps("tls-garbage-survives"), kTls,
       "Who does not speak TLS is served all the same.",
       with_habits({.serves_in_the_clear = true})},
      {"tls-close-notify-ends-all",
       breaks("tls-half-close").perhaps("tls-close-notify", "tcp-half-close", "res-always"), kTls,
       "A client's close_notify ends the connection, with the answers that are due.",
       with_habits({.drops_at_close_notify = true})},
      {"tls-one-record-is-a-message", breaks("tls-records").wherever_it_strikes(), kTls,
       "What comes in one record is taken for a whole message.",
       with_habits({.reading = as_a_line})},
      {"tls-any-protocol-chosen", breaks("tls-alpn"), kTls,
       "Whatever is offered by ALPN, h2 is chosen.", with_habits({.chooses_any_protocol = true})},
      {"tls-failed-handshake-fatal",
       breaks("tls-garbage-survives").perhaps("tls-plain-refused", "tls-versions", "rob-survives"),
       kTls, "A handshake that fails ends the process.",
       with_habits({.dies_of_a_failed_handshake = true})},
      {"tls-unknown-name-hangs", breaks("tls-sni"), kTls,
       "A handshake for an unknown name is never answered.",
       with_habits({.hangs_on_unknown_name = true})},
      {"tls-key-update-ends-connection", breaks("tls-key-update"), kTls,
       "A client that changes its keys is dropped.", with_habits({.ends_at_key_update = true})},
      {"tls-mute-behind-a-full-record", breaks("tls-large").perhaps("rob-survives"), kTls,
       "Behind the first record that a reply fills nothing more is sent.",
       with_habits({.is_mute_behind_a_record = true})},
  };
  return all;
}
std::span<const Mutant> tls_variants() {
  static const Mutant all[] = {
      {"tls-1.2-only", kLegal, kTls, "TLS 1.3 is not spoken.",
       with_habits({.speaks_no_1_3 = true})},
      {"tls-1.2-ends-with-its-client", kLegal, kTls,
       "TLS 1.3 is not spoken, and a client's close_notify ends both directions.",
       with_habits({.speaks_no_1_3 = true, .drops_at_close_notify = true})},
      {"tls-without-tickets", kLegal, kTls, "No session tickets are sent.",
       with_habits({.sends_no_tickets = true})},
      {"tls-certificate-asked-for", kLegal, kTls,
       "Clients are asked for a certificate, and served without.",
       with_habits({.asks_for_certificate = true})},
      {"tls-certificate-demanded", kLetsNobodyIn, kTls,
       "Clients without a certificate are refused.", with_habits({.demands_certificate = true})},
  };
  return all;
}

}  // namespace jrpcheck::reference
