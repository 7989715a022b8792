// Messages of every kind that a mutant may be about.
#pragma once

#include <string>
#include <vector>

namespace jrpcheck::reference {

inline std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

/// A call of a method that does not exist, with this text as id.
inline std::string call_with_id(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"unknown","id":)" + id + "}";
}

/// A call with these members beside the version and id 1.
inline std::string call_with(const std::string& members) {
  return R"({"jsonrpc":"2.0",)" + members + R"(,"id":1})";
}

inline std::string notification_with(const std::string& members) {
  return R"({"jsonrpc":"2.0",)" + members + "}";
}

inline std::vector<std::string> id_probes() {
  std::vector<std::string> probes;
  for (const char* id : {"1",
                         "null",
                         "0",
                         "\"\"",
                         "true",
                         "[1]",
                         "4294967297",
                         "9007199254740993",
                         "\"a\xEF\xBF\xBE\"",
                         "1.5",
                         "1e3",
                         "-0",
                         "-1",
                         "-7",
                         "-9007199254740993",
                         "\"007\"",
                         "\"null\"",
                         "\"7\"",
                         "\"1.5\"",
                         R"("   ")",
                         R"("2024-02-29T12:30:00Z")",
                         R"("<b>&</b>")",
                         R"("a\u2028b")",
                         "\"a\xE2\x80\xA8"
                         "b\"",
                         R"("  a b  ")",
                         R"("UPPER")",
                         R"("a\u0000b")",
                         R"("e\u0301")",
                         R"("a\"b\\c\nd")",
                         R"("Ã©")",
                         R"("\ud83d\udd11")",
                         "123456789012345678901234567890",
                         "1e999"}) {
    probes.push_back(call_with_id(id));
  }
  probes.push_back(call_with_id("\"" + std::string(300, 'x') + "\""));
  return probes;
}

inline std::vector<std::string> request_probes() {
  return {
      R"({"jsonrpc":"2.1","method":"unknown","id":1})",
      R"({"jsonrpc":2.0,"method":"unknown","id":1})",
      R"({"jsonrpc":null,"method":"unknown","id":1})",
      R"({"jsonrpc":"1.0","method":"unknown","id":1})",
      R"({"jsonrpc":"2","method":"unknown","id":1})",
      R"({"jsonrpc":"","method":"unknown","id":1})",
      R"({"method":"unknown","id":1})",
      R"({"jsonrpc":"2.0","id":1})",
      R"({"jsonrpc":"2.0","result":1,"id":1})",
      R"({"id":1,"method":"unknown","jsonrpc":"2.0"})",
      R"({"id":1,"params":[42,23],"method":"subtract","jsonrpc":"2.0"})",
      R"({"jsonrpc":"2.0","method":"get_data","id":1,"id":2})",
      R"({"foo":"boo"})",
      R"({"0":{"jsonrpc":"2.0","method":"unknown","id":1}})",
      "1",
      call_with(R"("method":1)"),
      call_with(R"("method":null)"),
      call_with(R"("method":["x"])"),
      call_with(R"("method":["subtract"],"params":[42,23])"),
      call_with(R"("Method":"unknown")"),
      call_with(R"("method":"get_data","Method":"unknown")"),
      call_with(R"("method":"get_data","extra":1)"),
      call_with(R"("method":" get_data")"),
      call_with(R"("method":"GET_DATA")"),
      call_with(R"("method":"get_data.x")"),
      call_with(R"("method":"")"),
      call_with(R"("method":"rpc.x")"),
      call_with(R"("method":"__proto__")"),
      call_with(R"("method":"ключ")"),
      call_with(R"("method":"{{7*7}}")"),
      call_with(R"("method":"../../etc/passwd")"),
      call_with(R"("method":"%s%n")"),
      call_with(R"("method":"get_data")"),
      call_with(R"("method":"nothing")"),
      call_with(R"("method":"fails")"),
      call_with(R"("method":"echo","params":[9007199254740993])"),
      call_with(R"("method":"echo","params":["a\nb/c"])"),
      call_with(R"("method":"echo","params":[1,{}])"),
      call_with(R"("method":"echo","params":)" + repeated("[", 50) + repeated("]", 50)),
      call_with(R"("method":"sum","params":[1,2,4])"),
      call_with(R"("method":"sum","params":[1e1])"),
      call_with(R"("method":"unknown","params":[1234567890123456789012345678901234567890])"),
      call_with(R"("method":"subtract","params":[42,23])"),
      call_with(R"("method":"subtract","params":[23,23])"),
      call_with(R"("method":"subtract","params":{"subtrahend":23,"minuend":42})"),
      call_with(R"("method":"subtract","params":{"minuend":"one","subtrahend":"two"})"),
      call_with(R"("method":"subtract","params":{"Minuend":42,"subtrahend":23})"),
      call_with(R"("method":"subtract","params":{"\u006dinuend":42,"subtrahend":23})"),
      call_with(R"("method":"subtract","params":[])"),
      call_with(R"("method":"subtract","params":"42")"),
      call_with(R"("method":"get_data","params":null)"),
      call_with(R"("method":"get_data","params":0)"),
      call_with(R"("method":"unknown","params":{"__proto__":{"id":7}})"),
      call_with(R"("method":"unknown")"),
      call_with(R"("method":"initialize","params":{})"),
      call_with(R"("method":"rpc.discover")"),
      call_with(R"("method":"subtract","params":[7,5])"),
      call_with(R"("method":"subtract","params":null)"),
      call_with(R"("method":"echo","params":{"a":1})"),
      call_with(R"("method":"toString","params":[])"),
      call_with(R"("method":"subtract","params":[42,23,1])"),
      call_with(R"("method":"a:b")"),
      call_with(R"("method":"isPrototypeOf")"),
      call_with(R"("method":"__proto__","params":{})"),
      call_with(R"("method":"echo","params":[])"),
      call_with(R"("method":"subtract","params":[-42,23])"),
      call_with(R"("method":"subtract","params":[16777217,2])"),
      R"({"jsonrpc":{"v":"2.0"},"method":"unknown","id":1})",
      R"({"jsonrpc":2.0,"method":"subtract","params":[42,23],"id":1})",
      R"({"jsonrpc":null,"method":"subtract","params":[42,23],"id":1})",
      R"({"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":{"x":1}})",
      R"({"jsonrpc":"2.0","params":{"minuend":42,"subtrahend":23},"method":"subtract","id":1})",
      call_with(R"("method":"a\"b")"),
      R"({"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":"a&b"})",
      R"({"jsonrpc":"2.0"})",
      "  ",
  };
}

inline std::vector<std::string> notification_probes() {
  return {
      notification_with(R"("method":"update")"),
      notification_with(R"("method":"unknown")"),
      notification_with(R"("method":"subtract","params":[])"),
      notification_with(R"("method":"subtract")"),
      notification_with(R"("method":"fails")"),
      notification_with(R"("method":"a.b")"),
      notification_with(R"("method":"unknown","params":null)"),
      notification_with(R"("method":"ключ")"),
      notification_with(R"("method":"")"),
      notification_with(R"("extra":1,"method":"unknown")"),
      R"({"method":"unknown","jsonrpc":"2.0"})",
      notification_with(R"("method":"state-set","params":[7])"),
      call_with(R"("method":"state-get")"),
  };
}

inline std::vector<std::string> batch_probes() {
  const std::string one = call_with_id("1");
  const std::string two = call_with(R"("method":"sum","params":[2])");
  const std::string three = call_with_id("3");
  const std::string silent = notification_with(R"("method":"unknown")");
  return {
      "[" + call_with_id("-1") + "," + call_with_id("-7") + "]",
      "[]",
      "[ ]",
      "[1]",
      "[null]",
      R"([{"jsonrpc":"2.0","result":1,"id":1}])",
      "[" + one + "]",
      "[[" + one + "]]",
      "[" + one + "," + two + "," + three + "]",
      "[" + two + "," + call_with(R"("method":"sum","params":[3])") + "]",
      "[" + one + ",1," + three + "]",
      "[" + call_with(R"("method":"fails")") + "," + two + "]",
      "[" + call_with(R"("method":"subtract","params":[])") + "," + two + "]",
      "[" + one + "," + call_with_id("0") + "]",
      "[" + one + "," + silent + "]",
      "[" + one + "," + notification_with(R"("method":"fails")") + "]",
      "[" + silent + "]",
      "[" + silent + "," + silent + "," + silent + "]",
      "[" + notification_with(R"("method":"get_data")") + "]",
      "[" + call_with_id("4294967297") + "," + call_with_id("true") + "]",
      "[" + repeated(one + ",", 4) + one + "]",
      "[" + repeated(call_with(R"("method":"subtract","params":[42,23])") + ",", 2) +
          call_with(R"("method":"subtract","params":[23,42])") + "]",
      "[" + call_with(R"("method":"fails")") + "," + call_with(R"("method":"fails")") + "]",
      "[" + call_with(R"("method":"subtract","params":[])") + "," +
          call_with(R"("method":"subtract","params":[])") + "]",
      "[" + notification_with(R"("method":"fails")") + "]",
      "[" + notification_with(R"("method":"subtract","params":[])") + "]",
      "[" + call_with_id("null") + "]",
      "[" + call_with_id(R"("🔑")") + "]",
      R"([{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":4294967297}])",
      "[ " + one + "]",
      "[[[" + one + "]]]",
      "[" + call_with(R"("method":"unknown","params":"text")") + "]",
      "[" + one + R"(,{"jsonrpc":null,"method":"unknown","id":2}])",
      "[" + repeated(silent + ",", 100) + one + "]",
      "[" + repeated(one + ",", 20) + three + "]",
      "[" + one + ",",
  };
}

inline std::vector<std::string> text_probes() {
  return {
      "nonsense",
      "{\"jsonrpc\":\"2.0\",\"method\":\"unknown\",\"id\":1",
      "\xEF\xBB\xBF" + call_with_id("1"),
      " " + call_with_id("1"),
      R"({"jsonrpc":"2.0", "method":"unknown","id":1})",
      R"({"jsonrpc":"2.0","\u006dethod":"unknown","id":1})",
      call_with_id("1") + " garbage",
      call_with_id("1") + call_with_id("2"),
      R"({"jsonrpc":"2.0",/* 2.0 */"method":"unknown","id":1})",
      R"({"jsonrpc":"2.0","method":"unknown","id":1,})",
      R"({'jsonrpc':'2.0','method':'unknown','id':1})",
      R"({jsonrpc:"2.0","method":"unknown","id":1})",
      call_with("\"method\":\"unknown\",\"params\":[NaN]"),
      call_with("\"method\":\"unknown\",\"params\":[01]"),
      call_with("\"method\":\"unknown\",\"params\":[TRUE]"),
      call_with("\"method\":\"unknown\",\"params\":[nothing]"),
      call_with("\"method\":\"unknown\",\"params\":[\"\\x\"]"),
      call_with("\"method\":\"unknown\",\"params\":[\"a\tb\"]"),
      call_with("\"method\":\"unknown\",\"params\":[\"\\ud800\"]"),
      call_with("\"method\":\"unknown\",\"params\":[\"\xFF\"]"),
      call_with("\"method\":\xC2\xA0\"unknown\""),
      call_with("\"method\":\"unknown\xFF\""),
      call_with_id("\"\xFF\""),
  };
}

/// Messages that take their time.
inline std::vector<std::string> large_probes() {
  return {
      call_with(R"("method":"unknown","params":{")" + repeated("k", 20'001) + "\":1}"),
      call_with(R"("method":"unknown","params":{)" + repeated(R"("m":1,)", 500) + R"("m":1})"),
      call_with(R"("method":"unknown","params":[)" + repeated("1", 1'600) + "]"),
      repeated("[", 101) + repeated("]", 101),
      call_with("\"method\":\"echo\",\"params\":" + repeated("[", 20'000) + repeated("]", 20'000)),
      call_with("\"method\":\"unknown\",\"params\":[\"" + std::string(600'000, 'x') + "\"]"),
      call_with("\"method\":\"echo\",\"params\":[\"" + std::string(100'000, 'x') + "\"]"),
      call_with("\"method\":\"echo\",\"params\":[\"" + std::string(400'000, 'x') + "\"]"),
      "[" + repeated(call_with_id("1") + ",", 500) + call_with_id("1") + "]",
      notification_with("\"method\":\"unknown\",\"params\":[\"" + std::string(3'100, 'x') + "\"]"),
      call_with("\"method\",\"params\":[\"" + std::string(3'100, 'x') + "\"]"),
      call_with_id("\"" + std::string(4'096 - call_with_id("\"\"").size(), 'x') + "\""),
      call_with_id("\"" + std::string(1'024 - call_with_id("\"\"").size(), 'x') + "\""),
      call_with_id("\"" + std::string(2'048 - call_with_id("\"\"").size(), 'x') + "\""),
  };
}

inline std::vector<std::string> probe_messages() {
  std::vector<std::string> all;
  for (const auto& probes :
       {id_probes(), request_probes(), notification_probes(), batch_probes(), text_probes()}) {
    all.insert(all.end(), probes.begin(), probes.end());
  }
  return all;
}

}  // namespace jrpcheck::reference
