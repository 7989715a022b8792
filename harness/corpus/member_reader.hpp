// Reads the members of a JSON object and complains with file, line and member.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "json/parse.hpp"
#include "json/value.hpp"

namespace jrpcheck::corpus {

/// The first thing that is wrong with a file. Later complaints are usually its consequences.
class Complaint {
 public:
  Complaint(std::string file, std::string_view text) : file_(std::move(file)), places_(text) {}

  /// Says what the complaints are about from here on, such as "case 'batch/empty'".
  void about(std::string subject) { subject_ = std::move(subject); }

  /// The file as one JSON value; complains where it is none.
  std::optional<json::Value> parse(std::string_view text);

  void raise(const json::Value& at, const std::string& what);
  void raise_at(std::size_t offset, const std::string& what);

  bool raised() const { return first_.has_value(); }
  const Error& error() const { return *first_; }
  /// The same, and what is raised after it is the first again.
  std::optional<Error> take() { return std::exchange(first_, std::nullopt); }

  json::Position place_of(const json::Value& value) { return places_.at(value.begin()); }

  /// Whether the file may ask for so many bytes more: some few words may stand for any number.
  bool has_room_for(std::size_t bytes) {
    if (bytes > room_) return false;
    room_ -= bytes;
    return true;
  }

 private:
  static constexpr std::size_t kMostBuilt = 128U << 20;

  std::string file_;
  json::Locator places_;
  std::size_t room_ = kMostBuilt;
  std::string subject_;
  std::optional<Error> first_;
};

/// One JSON object whose members are fetched by name. A member of the wrong type, one that is
/// missing, one that is there twice and one that nobody knows are complained about.
class MemberReader {
 public:
  MemberReader(const json::Value& object, Complaint& complaint,
               std::initializer_list<std::string_view> known_members);

  /// Passes over members that nobody knows.
  MemberReader(const json::Value& object, Complaint& complaint);

  /// Null when it is not there, or not of that kind (which is complained about).
  const json::Value* find(std::string_view name, json::Kind kind) const;
  const json::Value* find_any(std::string_view name) const { return object_.find(name); }
  /// Like `find`, and complains when it is not there.
  const json::Value* require(std::string_view name, json::Kind kind) const;

  std::string text(std::string_view name) const;
  std::string required_text(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  std::optional<std::size_t> size(std::string_view name) const;

  void complain(const std::string& what) const { complaint_.raise(object_, what); }
  bool has_room_for(std::size_t bytes) const { return complaint_.has_room_for(bytes); }
  const json::Value& object() const { return object_; }

 private:
  const json::Value& object_;
  Complaint& complaint_;
};

/// Where in an object a name stands that stands there again; nothing where each stands once.
std::optional<std::size_t> first_repeated(const json::Value& object);

/// A number token as a whole number, or nothing.
std::optional<long long> to_integer(const json::Value& number);

}  // namespace jrpcheck::corpus
