// Records: JSON objects whose members are named once, for writing and for reading.
//
// What a record holds is said by a function that takes either of the two classes and the variable:
//
//   void describe(auto& record, auto& shard) {
//     record.number("index", shard.index);
//     record.number("count", shard.count);
//   }
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"
#include "base/names.hpp"
#include "corpus/member_reader.hpp"
#include "json/value.hpp"
#include "json/writer.hpp"

namespace jrpcheck::corpus {

/// Writes variables as members, in the order of the calls.
class RecordWriter {
 public:
  /// Writes them into the Object that is open.
  explicit RecordWriter(json::Writer& out) : out_(out) {}

  void text(std::string_view name, std::string_view value);
  /// A text of one line, such as a name.
  void line(std::string_view name, std::string_view value) { text(name, value); }
  /// A text that is written and not read back.
  void constant(std::string_view name, std::string_view value) { text(name, value); }
  /// Left out where it is empty.
  void optional_text(std::string_view name, const std::string& value);
  /// A member "text", or "base64" where the bytes are not UTF-8.
  void bytes(const std::string& value);
  void texts(std::string_view name, const std::vector<std::string>& values);
  void number(std::string_view name, unsigned long long value);
  void optional_number(std::string_view name, const std::optional<std::size_t>& value);
  /// A number that files of older versions do not have.
  void newer_number(std::string_view name, unsigned long long value) { number(name, value); }
  void flag(std::string_view name, bool value);
  /// Left out where it is false.
  void optional_flag(std::string_view name, bool value) {
    if (value) flag(name, value);
  }
  /// In milliseconds.
  void duration(std::string_view name, microseconds value);
  template <typename Enum>
  void choice(std::string_view name, Enum value) {
    text(name, name_of(value));
  }
  template <typename Enum>
  void optional_choice(std::string_view name, const std::optional<Enum>& value) {
    if (value) choice(name, *value);
  }
  /// A choice that files of older versions do not have.
  template <typename Enum>
  void newer_choice(std::string_view name, Enum value) {
    choice(name, value);
  }

  template <typename T, typename Describe>
  void object(std::string_view name, const T& value, Describe describe) {
    out_.name(name);
    whole(value, describe);
  }
  template <typename T, typename Describe>
  void optional_object(std::string_view name, const std::optional<T>& value, Describe describe) {
    if (value) object(name, *value, describe);
  }
  template <typename T, typename Describe>
  void list(std::string_view name, const std::vector<T>& values, Describe describe) {
    out_.name(name);
    out_.open(json::Kind::array);
    for (const auto& each : values) whole(each, describe);
    out_.close();
  }
  /// Left out where it is empty.
  template <typename T, typename Describe>
  void optional_list(std::string_view name, const std::vector<T>& values, Describe describe) {
    if (!values.empty()) list(name, values, describe);
  }
  /// A list that files of older versions do not have.
  template <typename T, typename Describe>
  void newer_list(std::string_view name, const std::vector<T>& values, Describe describe) {
    list(name, values, describe);
  }

  /// Only what is read can be wrong.
  void about(const std::string&) {}
  void complain(std::string_view, const std::string&) {}

 private:
  template <typename T, typename Describe>
  void whole(const T& value, Describe describe) {
    out_.open(json::Kind::object);
    describe(*this, value);
    out_.close();
  }

  json::Writer& out_;
};

/// Reads the same members into variables. What is missing or wrong is complained about, and leaves
/// the variable as it was; members of later versions are passed over.
class RecordReader {
 public:
  RecordReader(const json::Value& object, Complaint& complaint)
      : members_(object, complaint), complaint_(complaint) {}

  void text(std::string_view name, std::string& value);
  /// What a stranger has put there that nobody would see, or that breaks the line, is made visible:
  /// such texts stand in every report as they are.
  void line(std::string_view name, std::string& value);
  void constant(std::string_view, std::string_view) {}
  void optional_text(std::string_view name, std::string& value);
  void bytes(std::string& value);
  void texts(std::string_view name, std::vector<std::string>& values);
  void number(std::string_view name, unsigned long long& value);
  void number(std::string_view name, std::size_t& value);
  void optional_number(std::string_view name, std::optional<std::size_t>& value);
  void newer_number(std::string_view name, std::size_t& value) {
    if (has(name)) number(name, value);
  }
  void flag(std::string_view name, bool& value);
  void optional_flag(std::string_view name, bool& value) {
    if (has(name)) flag(name, value);
  }
  void duration(std::string_view name, microseconds& value);
  template <typename Enum>
  void choice(std::string_view name, Enum& value) {
    const json::Value* member = members_.require(name, json::Kind::string);
    if (member == nullptr) return;
    const auto known = value_named<Enum>(member->text());
    if (known) {
      value = *known;
    } else {
      complain_unknown(*member, name);
    }
  }
  template <typename Enum>
  void optional_choice(std::string_view name, std::optional<Enum>& value) {
    if (has(name)) choice(name, value.emplace());
  }
  template <typename Enum>
  void newer_choice(std::string_view name, Enum& value) {
    if (has(name)) choice(name, value);
  }

  template <typename T, typename Describe>
  void object(std::string_view name, T& value, Describe describe) {
    const json::Value* member = members_.require(name, json::Kind::object);
    if (member == nullptr) return;
    RecordReader record(*member, complaint_);
    describe(record, value);
  }
  template <typename T, typename Describe>
  void optional_object(std::string_view name, std::optional<T>& value, Describe describe) {
    if (has(name)) object(name, value.emplace(), describe);
  }
  template <typename T, typename Describe>
  void list(std::string_view name, std::vector<T>& values, Describe describe) {
    const json::Value* member = members_.require(name, json::Kind::array);
    if (member == nullptr) return;
    for (const auto& each : member->children()) {
      RecordReader record(each, complaint_);
      describe(record, values.emplace_back());
    }
  }
  template <typename T, typename Describe>
  void newer_list(std::string_view name, std::vector<T>& values, Describe describe) {
    if (has(name)) list(name, values, describe);
  }
  template <typename T, typename Describe>
  void optional_list(std::string_view name, std::vector<T>& values, Describe describe) {
    newer_list(name, values, describe);
  }

  bool has(std::string_view name) const { return members_.find_any(name) != nullptr; }
  /// What the complaints are about from here on.
  void about(std::string subject) { complaint_.about(std::move(subject)); }
  void complain(std::string_view name, const std::string& what);

 private:
  void complain_unknown(const json::Value& member, std::string_view name);

  MemberReader members_;
  Complaint& complaint_;
};

}  // namespace jrpcheck::corpus
