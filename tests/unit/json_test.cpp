// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/parse_json.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar {
namespace {

using busbar::test::catch_error;

using nlohmann::json;

TEST(Json, ReportsErrorsInOurWords) {
  const auto problem = [](std::string_view text, auto use) {
    try {
      use(parse_json(text));
      return std::string("nothing");
    } catch (const json::exception& e) {
      return describe_json_error(e);
    }
  };
  const auto parse = [](const json&) {};
  EXPECT_EQ(problem("{\"a\":1", parse), "column 7: unexpected end of input; expected '}'");
  EXPECT_EQ(problem("{\"a\":1,\n  b}", parse),
            "line 2, column 3: invalid literal; last read: '1,<U+000A>  b'; expected string literal");
  EXPECT_EQ(problem("1e999", parse), "the number '1e999' is too large");
  EXPECT_EQ(problem("{}", [](const json& j) { return j.at("image"); }), "no 'image'");
  EXPECT_EQ(problem("7", [](const json& j) { return j.at("image"); }), "a number where an object must be");
  EXPECT_EQ(problem("7", [](const json& j) { return j["image"]; }), "a number where an object must be");
  EXPECT_EQ(problem("7", [](const json& j) { return j.get<std::string>(); }), "a number where a string must be");
  EXPECT_EQ(problem("7.5", [](const json& j) { return j.get<int>(); }),
            "7.5 where a whole number from -2147483648 to 2147483647 must be");
}

TEST(Json, AcceptsWholeNumbersThatFit) {
  EXPECT_EQ(json::parse("-7").get<int>(), -7);
  EXPECT_EQ(json::parse("1e6").get<int>(), 1'000'000);
  EXPECT_EQ(json::parse("-2147483648.0").get<int>(), std::numeric_limits<int>::min());
  EXPECT_EQ(json::parse("18446744073709551615").get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(json::parse("[1, 2]").get<std::vector<int>>(), (std::vector<int>{1, 2}));
  EXPECT_TRUE(json::parse("true").get<bool>());
}

TEST(Json, RefusesNumbersThatDoNotFit) {
  for (const char* text : {"7.8e84", "-1e300", "2147483648", "2147483648.0", "4294967297", "2.5", "true", "\"4\""})
    EXPECT_THROW((void)json::parse(text).get<int>(), json::type_error) << text;
  for (const char* text : {"-1", "-1.0", "18446744073709551616", "1.8446744073709552e19"})
    EXPECT_THROW((void)json::parse(text).get<std::uint64_t>(), json::type_error) << text;
  EXPECT_THROW((void)json::parse("9.3e18").get<std::int64_t>(), json::type_error);
  EXPECT_THROW((void)json::parse("[1, 2e99]").get<std::vector<int>>(), json::type_error);
  const std::string error = catch_error<json::type_error>([] { (void)json::parse("7.5").get<int>(); });
  EXPECT_NE(error.find("a whole number from -2147483648 to 2147483647, but is 7.5"), std::string::npos) << error;
}

}  // namespace
}  // namespace busbar
