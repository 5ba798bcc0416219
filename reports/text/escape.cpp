// SPDX-License-Identifier: Apache-2.0
#include "reports/text/escape.hpp"

#include "core/base/json.hpp"

namespace busbar::report {
namespace {

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == 0x7f; }

/// What stands for a character in HTML and Markdown; empty: the character itself.
std::string_view replacement_of(char c) {
  if (c == '&') return "&amp;";
  if (c == '<') return "&lt;";
  if (c == '>') return "&gt;";
  return is_control(c) ? "\uFFFD" : "";
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (const std::string_view other = replacement_of(c); !other.empty())
      out += other;
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string escape_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (const std::string_view other = replacement_of(c); !other.empty())
      out += other;
    else if (c == '\n' || c == '\t')
      out += ' ';
    else if (std::string_view("\\`*_[]|~#").find(c) != std::string_view::npos)
      (out += '\\') += c;
    else
      out += c;
  }
  replace_all(out, "\u2028", " ");
  replace_all(out, "\u2029", " ");
  return out;
}

std::string escape_csv(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string script_json(const nlohmann::json& j) {
  std::string text = j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  replace_all(text, "<", "\\u003c");  // these characters occur only inside strings
  replace_all(text, ">", "\\u003e");
  replace_all(text, "&", "\\u0026");
  replace_all(text, "\u2028", "\\u2028");
  replace_all(text, "\u2029", "\\u2029");
  return text;
}

std::string script_text(std::string_view javascript) {
  std::string text(javascript);
  replace_all(text, "\r\n", "\n");  // an HTML parser does the same before it computes the hash
  replace_all(text, "\r", "\n");
  replace_all(text, "</s", "<\\/s");  // JavaScript strings and regular expressions mean the same with the backslash
  replace_all(text, "</S", "<\\/S");
  replace_all(text, "<!--", "\\x3c!--");
  return text;
}

}  // namespace busbar::report
