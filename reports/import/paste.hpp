// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace busbar {

/// A log as it was before someone pasted it into a mail, an issue or a chat: without the marks of a quotation ("> ", "|
/// " or four blanks before every line) and of code fences, and with the "#" of nccl-tests', OSU's and IMB's comment
/// lines that Markdown turned into headings. Keeps the number of lines. Empty if there is nothing to restore.
[[nodiscard]] std::optional<std::string> restore_paste(std::string_view text);

}  // namespace busbar
