// SPDX-License-Identifier: Apache-2.0
// Command lines: targets, errors, --help and messages.
#include "core/command_line/command_line.hpp"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/terminal_text.hpp"
#include "core/base/words.hpp"
#include "tests/unit/catch_error.hpp"

namespace {

using busbar::test::catch_error;

using namespace busbar;
using testing::HasSubstr;

struct Targets {
  std::string from = "8", format = "text";
  std::vector<std::string> sizes, labels, names;
  int launches = 3;
  bool quick = false;
};

CommandLine a_program(Targets& t) {
  CommandLine line{.name = "prog",
                   .about = "Measure.",
                   .notes = "One paragraph.",
                   .exit_codes = "0 measured; 2 wrong use.",
                   .examples = {"prog a", "prog b", "prog c", "prog d"},
                   .launched_by = "mpirun -np N "};
  line.add("NAME", &t.names, "what to measure", {.list = true, .standard = "all"});
  line.begin_group("Sweep of sizes");
  line.add("-b,--minbytes", &t.from, "smallest size", {.name = "SIZE", .common = true});
  line.add("--sizes", &t.sizes, "exactly these", {.name = "SIZE", .list = true});
  line.begin_group("Output");
  line.add("--format", &t.format, "output format", {.name = "FORMAT", .choices = {"text", "json"}, .strict = true});
  line.add("--label", &t.labels, "add a label", {.name = "KEY=VALUE", .single = true});
  line.add("--launches", &t.launches, "how many", {.name = "N", .low = 1, .high = 9, .excludes = "--quick"});
  line.add("--quick", &t.quick, "first look");
  return line;
}

std::string catch_parse_error(const std::vector<std::string>& words) {
  Targets t;
  CommandLine line = a_program(t);
  return catch_error([&] { (void)parse_command_line(line, words); });
}

std::string help(const std::vector<std::string>& words) {
  Targets t;
  CommandLine line = a_program(t);
  const auto information = parse_command_line(line, words);
  return information ? information->text : "";
}

TEST(CommandLine, SetsItsTargets) {
  Targets t;
  CommandLine line = a_program(t);
  EXPECT_FALSE(
      parse_command_line(line, {"-b", "16", "x", "y", "--sizes", "8,1K", "z", "--label", "a=b", "--label=c=d"}));
  EXPECT_EQ(t.from, "16");
  EXPECT_EQ(t.names, (std::vector<std::string>{"x", "y", "z"})) << "an option with a list takes one word";
  EXPECT_EQ(t.sizes, (std::vector<std::string>{"8", "1K"}));
  EXPECT_EQ(t.labels, (std::vector<std::string>{"a=b", "c=d"}));
  EXPECT_EQ(line.count("--label"), 2U);
  EXPECT_EQ(t.launches, 3);
}

TEST(CommandLine, NamesTheErrorAndAcceptedValues) {
  EXPECT_EQ(catch_parse_error({"--sizez", "8"}), "unknown option '--sizez'; did you mean '--sizes'? (see prog --help)");
  EXPECT_EQ(catch_parse_error({"--zzzzzz"}), "unknown option '--zzzzzz' (see prog --help)");
  EXPECT_EQ(catch_parse_error({"--format", "jsn"}),
            "--format: unknown 'jsn'; known: text, json; did you mean 'json'? (see prog --help)");
  EXPECT_EQ(catch_parse_error({"--launches", "many"}),
            "--launches: 'many' is not a whole number from 1 to 9 (see prog --help)");
  EXPECT_EQ(catch_parse_error({"--launches", "10"}),
            "--launches: '10' is not a whole number from 1 to 9 (see prog --help)");
  EXPECT_EQ(catch_parse_error({"--launches", "2", "--quick"}),
            "--launches and --quick: give one of them (see prog --help)");
  EXPECT_THAT(catch_parse_error({"--minbytes"}), HasSubstr("needs a value"));
  EXPECT_THAT(catch_parse_error({"-b", "1", "-b", "2"}), HasSubstr("takes one value, and only once"));
}

TEST(CommandLine, ShowsCommonOptionsOnOneScreenAndAllOnDemand) {
  const std::string common = help({"--help"});
  EXPECT_THAT(common, HasSubstr("Usage: mpirun -np N prog [OPTIONS] [NAME...]\nMeasure.\n"));
  EXPECT_THAT(common, HasSubstr("-b, --minbytes SIZE  smallest size [8]"));
  EXPECT_THAT(common, HasSubstr("prog c\n"));
  EXPECT_THAT(common, testing::Not(HasSubstr("prog d")));
  EXPECT_THAT(common, testing::Not(HasSubstr("--format")));
  EXPECT_THAT(common, HasSubstr("prog --help sweep|output; prog --help-all"));
  const std::string all = help({"--help-all"});
  for (const char* part : {"--sizes SIZE,...", "--format {text,json}", "[text]", "[3]", "prog d",
                           "Sweep of sizes:", "\nOne paragraph.\n", "\nExit codes: 0 measured; 2 wrong use.\n"})
    EXPECT_THAT(all, HasSubstr(part));
  EXPECT_THAT(help({"-b", "99", "--help", "output"}), HasSubstr("--launches N"));
  EXPECT_THAT(catch_parse_error({"--help", "outputs"}), HasSubstr("unknown topic 'outputs'; known: sweep, output"));
  std::istringstream lines(common + all);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(CommandLine, SuggestsTheNearestSubcommand) {
  std::string file;
  CommandLine line{.name = "prog", .about = "Read."};
  line.add_subcommand("show", "print a table").add("FILE", &file, "record", {.required = true});
  line.add_subcommand("suite", "many").add_subcommand("run", "all of it");
  const auto catch_command_error = [&](const std::vector<std::string>& words) {
    return catch_error([&] { (void)parse_command_line(line, words); });
  };
  EXPECT_EQ(catch_command_error({"shwo"}),
            "unknown command 'shwo'; known: show, suite; did you mean 'show'? (see prog --help)");
  EXPECT_EQ(catch_command_error({}), "needs a command: show, suite (see prog --help)");
  EXPECT_EQ(catch_command_error({"suite"}), "needs a command: run (see prog suite --help)");
  EXPECT_EQ(catch_command_error({"show"}), "FILE is required (see prog show --help)");
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"show", "--help"}, {"help", "show"}, {"--help", "show"}})
    EXPECT_THAT(parse_command_line(line, words)->text, HasSubstr("Usage: prog show [OPTIONS] FILE"));
  EXPECT_THAT(parse_command_line(line, {"--help"})->text, HasSubstr("  show   print a table\n"));
}

TEST(Words, SuggestTheNearestKnownWord) {
  const std::vector<std::string> known{"allreduce", "allgather", "reduce"};
  EXPECT_EQ(closest_word("allreduec", known), "allreduce");
  EXPECT_EQ(closest_word("reduc", known), "reduce");
  EXPECT_EQ(closest_word("barrier", known), std::nullopt);
  EXPECT_EQ(closest_word(std::string(1000, 'a'), known), std::nullopt);
}

TEST(TerminalText, EscapesControlCharacters) {
  EXPECT_EQ(printable("Zürich 東 \U0001F680"), "Zürich 東 \U0001F680");
  EXPECT_EQ(printable("a\x1b[31m\r\n\tb\x7f"), "a\\x1b[31m\\x0d\\x0a b\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m")
      << "C1";
  EXPECT_EQ(printable("x\u202Ey\u2066\u200B\uFEFF"), "x\\u202ey\\u2066\\u200b\\ufeff");
  EXPECT_EQ(printable("\xff\xc0\xaf\xed\xa0\x80\xe2\x82"), "\\xff\\xc0\\xaf\\xed\\xa0\\x80\\xe2\\x82") << "no UTF-8";
  EXPECT_EQ(printable_lines("a\nb\x1b"), "a\nb\\x1b");
}

TEST(TerminalText, ShortensAMessageInItsMiddle) {
  const std::string line = message_line(std::string(600, 'a') + "\n" + std::string(600, 'z'), 100);
  EXPECT_EQ(line.size(), 100U);
  EXPECT_TRUE(line.starts_with("aaaa") && line.ends_with("zzzz")) << line;
  EXPECT_THAT(line, HasSubstr(" ... "));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  std::string many;
  for (int i = 0; i < 400; ++i) many += "東";
  EXPECT_EQ(printable(message_line(many, 101)), message_line(many, 101)) << "no letter is cut";
}

}  // namespace
