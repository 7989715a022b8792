// permessage-deflate (RFC 7692): messages of WebSocket that travel compressed; no I/O.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jrpcheck::wire {

constexpr std::string_view kDeflateName = "permessage-deflate";
constexpr int kLargestWindow = 15;  ///< bits

/// How messages of one direction are compressed (RFC 7692 §7.1).
struct DeflateParameters {
  bool keeps_context = true;  ///< from message to message
  int window_bits = kLargestWindow;

  bool operator==(const DeflateParameters&) const = default;
};

/// What client and server have agreed on.
struct DeflateAgreement {
  DeflateParameters from_server;
  DeflateParameters from_client;

  bool operator==(const DeflateAgreement&) const = default;
};

/// One element of Sec-WebSocket-Extensions (RFC 6455 §9.1).
struct Extension {
  std::string name;
  std::vector<std::pair<std::string, std::optional<std::string>>> parameters;

  std::string text() const;
};
std::vector<Extension> extensions_of(std::string_view field);

/// What a server's response agrees on; nothing where it does not choose permessage-deflate, or with
/// parameters that mean nothing.
std::optional<DeflateAgreement> deflate_agreed(std::string_view response);

/// The first of a client's offers that can be agreed to (RFC 7692 §7.1), and the element that says
/// so.
struct DeflateAcceptance {
  DeflateAgreement agreement;
  std::string response;
};
std::optional<DeflateAcceptance> accept_deflate(std::string_view offers);

/// Why a server may not answer those offers with that choice; empty: it may.
std::string why_not_agreeable(const std::vector<Extension>& offers, const Extension& chosen);

/// Compresses the messages of one direction.
class Deflater {
 public:
  explicit Deflater(const DeflateParameters& parameters);
  Deflater(Deflater&&) noexcept;
  Deflater& operator=(Deflater&&) noexcept;
  ~Deflater();

  /// The payload of a frame. The last of a message goes without the empty block at its end
  /// (RFC 7692 §7.2.1).
  std::string deflate(std::string_view payload, bool ends_message);

 private:
  struct State;
  DeflateParameters parameters_;
  std::unique_ptr<State> state_;  // with the first payload: most connections compress nothing
};

/// Reads them.
class Inflater {
 public:
  enum class Outcome { fine, broken, too_long };

  explicit Inflater(const DeflateParameters& parameters);
  Inflater(Inflater&&) noexcept;
  Inflater& operator=(Inflater&&) noexcept;
  ~Inflater();

  /// Appends what the payload of a frame says; `text` grows to no more than `limit`. After anything
  /// but `fine` the rest of the message is not to be read, and no message after it that may refer
  /// to it.
  Outcome inflate(std::string_view payload, bool ends_message, std::size_t limit,
                  std::string& text);

 private:
  struct State;
  DeflateParameters parameters_;
  std::unique_ptr<State> state_;  // with the first payload: most connections bring none
};

}  // namespace jrpcheck::wire
