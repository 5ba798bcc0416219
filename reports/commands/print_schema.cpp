// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "core/files/output_file.hpp"
#include "reports/commands/command.hpp"
#include "reports/schema/schema_format.hpp"

namespace busbar {

extern const Command print_schema{
    .name = "schema",
    .about = "print the format of records, for programs and people",
    .heading = "Convert",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto format = std::make_shared<std::string>("json-schema");
      line.add("--format", format.get(), abouts_of<SchemaFormat>(),
               {.name = "FORMAT", .choices = list_names<SchemaFormat>()});
      line.examples = {"busbar schema > record.schema.json", "busbar schema --format python > busbar_record.py"};
      return [format] {
        write_standard_output(try_find<SchemaFormat>(*format)->write(schema::lines()));
        return Exit::ok;
      };
    },
};

}  // namespace busbar
