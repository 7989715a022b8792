#include "base/last_words.hpp"

#include <gtest/gtest.h>

namespace jrpcheck {
namespace last_words_test {

TEST(LastWords, OfNodeAreTheErrorAndTheFrameOfTheServer) {
  EXPECT_EQ(last_words("listening\n/srv/server.js:4\n  subtract: (args) => {\n           ^\n\n"
                       "TypeError: Cannot read properties of undefined (reading 'minuend')\n"
                       "    at JSON.parse (<anonymous>)\n"
                       "    at run (/srv/node_modules/jayson/lib/utils.js:392:3)\n"
                       "    at subtract (/srv/server.js:4:95)\n"
                       "    at node:internal/process/task_queues:95:5\n\nNode.js v20.20.2\n"),
            "TypeError: Cannot read properties of undefined (reading 'minuend')"
            "\\nat subtract (/srv/server.js:4:95)");
}

TEST(LastWords, OfPythonAreTheErrorAndTheInnermostFrameOfTheServer) {
  EXPECT_EQ(last_words("Traceback (most recent call last):\n"
                       "  File \"/srv/server.py\", line 40, in <module>\n    main()\n"
                       "  File \"/srv/server.py\", line 31, in main\n    json.loads(line)\n"
                       "  File \"/usr/lib/python3.11/json/decoder.py\", line 337, in decode\n"
                       "    raise\nRecursionError: maximum recursion depth exceeded\n"),
            "RecursionError: maximum recursion depth exceeded"
            "\\nFile \"/srv/server.py\", line 31, in main");
}

TEST(LastWords, WhereAllFramesAreOfLibrariesNameTheOneThatWasBrought) {
  EXPECT_EQ(last_words("TypeError: no id\n"
                       "    at new Promise (<anonymous>)\n"
                       "    at serve (/srv/node_modules/router/index.js:12:3)\n"
                       "    at process.processTicks (node:internal/process/task_queues:95:5)\n"),
            "TypeError: no id\\nat serve (/srv/node_modules/router/index.js:12:3)");
}

TEST(LastWords, WithoutAFrameAreTheError) {
  EXPECT_EQ(last_words("ready\nthread 'main' panicked at src/main.rs:4:5:\n"),
            "thread 'main' panicked at src/main.rs:4:5:");
}

TEST(LastWords, WhereNoErrorIsNamedAreTheEnd) {
  EXPECT_EQ(last_words("ready\nbye\n"), "ready\\nbye\\n");
  EXPECT_EQ(last_words(""), "");
  EXPECT_EQ(last_words("\n\n"), "\\n\\n");
}

TEST(LastWords, OfAHostileProgramAreVisibleAndShort) {
  const std::string words = last_words("panic: \033[31mno" + std::string(100'000, 'x'));
  EXPECT_LT(words.size(), 400U);
  EXPECT_EQ(words.rfind("panic: \\x1b[31mno", 0), 0U);
}

}  // namespace last_words_test
}  // namespace jrpcheck
