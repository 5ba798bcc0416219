// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"

/// What a run leaves behind, as plain data: one RunRecord, then a CaseRecord a case, then an EndRecord (core/record/);
/// of several launches of `busbar repeat`, each behind its LaunchRecord.
/// On disk one JSON object a line (core/journal.hpp); the schema is docs/record.schema.json, the words docs/records.md.
namespace busbar {

void to_json(nlohmann::json&, const RunRecord&);
void from_json(const nlohmann::json&, RunRecord&);
void to_json(nlohmann::json&, const CaseRecord&);
void from_json(const nlohmann::json&, CaseRecord&);
void to_json(nlohmann::json&, const EndRecord&);
void from_json(const nlohmann::json&, EndRecord&);
void to_json(nlohmann::json&, const LaunchRecord&);
void from_json(const nlohmann::json&, LaunchRecord&);

}  // namespace busbar
