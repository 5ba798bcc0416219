// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"

/// JSON of the structs of a record. Each has a table of its keys in core/record/fields/, which all users of the format
/// share.
namespace busbar {

/// The keys of a struct (core/record/field.hpp).
struct Part;
struct Field;
class JsonText;

// run.cpp
const Part& part_of(const LaunchRecord*);
const Part& part_of(const RunRecord*);
const Part& part_of(const Tool*);
const Part& part_of(const RankPlace*);
const Part& part_of(const Mpi*);
const Part& part_of(const Simulation*);
const Part& part_of(const Noise*);
const Part& part_of(const Timer*);
// method.cpp
const Part& part_of(const Method*);
const Part& part_of(const StopAt*);
const Part& part_of(const BufferPlace*);
const Part& part_of(const LaunchSpread*);
// host.cpp
const Part& part_of(const Host*);
const Part& part_of(const NetworkInterface*);
const Part& part_of(const RdmaPort*);
const Part& part_of(const Gpu*);
const Part& part_of(const GpuLinks*);
// clock.cpp
const Part& part_of(const ClockFacts*);
const Part& part_of(const RankClock*);
const Part& part_of(const ClockChecks*);
const Part& part_of(const ClockCheck*);
// case.cpp
const Part& part_of(const Check*);
const Part& part_of(const WrongElement*);
const Part& part_of(const CaseRecord*);
const Part& part_of(const CaseKey*);
const Part& part_of(const LibraryChoice*);
const Part& part_of(const Overhead*);
const Part& part_of(const Overlap*);
const Part& part_of(const GatedTimes*);
const Part& part_of(const GroupTime*);
const Part& part_of(const KindTime*);
// times.cpp
const Part& part_of(const Summary*);
const Part& part_of(const RankSummary*);
const Part& part_of(const Interval*);
const Part& part_of(const Round*);
const Part& part_of(const PacedTime*);
const Part& part_of(const Mode*);
const Part& part_of(const Modes*);
// disturbances.cpp
const Part& part_of(const Arrival*);
const Part& part_of(const LateRank*);
const Part& part_of(const Usage*);
const Part& part_of(const Contention*);
// telemetry.cpp
const Part& part_of(const GpuTelemetry*);
const Part& part_of(const Spread*);
const Part& part_of(const ReasonShare*);
// training.cpp
const Part& part_of(const Training*);
const Part& part_of(const TrainingKey*);
const Part& part_of(const StepSplit*);
const Part& part_of(const Scaling*);
const Part& part_of(const SlowRank*);
const Part& part_of(const TrainingJob*);
const Part& part_of(const Memory*);
const Part& part_of(const Arithmetic*);
const Part& part_of(const LayerCost*);
const Part& part_of(const TypePeak*);
const Part& part_of(const Pipeline*);
const Part& part_of(const PipelineOperation*);
// replay.cpp
const Part& part_of(const Replay*);
const Part& part_of(const ReplayedCalls*);
const Part& part_of(const LeftOutCalls*);
// end.cpp
const Part& part_of(const CaseCounts*);
const Part& part_of(const EndRecord*);
const Part& part_of(const LaunchPace*);
const Part& part_of(const OverEarlier*);
const Part& part_of(const ColdStart*);
const Part& part_of(const Alternation*);
const Part& part_of(const Settling*);

/// A struct with a table. In JSON it is an object with all its keys.
template <class T>
concept HasPart = requires(const T* none) {
  { part_of(none) } -> std::same_as<const Part&>;
};

/// Writes an object of the struct that `part` describes: `value` becomes an object with all keys of `part`.
void write_part(nlohmann::json& value, const Part& part, const void* owner);
/// The fields of a part in the order of their keys, as in a JSON object.
[[nodiscard]] std::vector<const Field*> fields_by_key(const Part&);
/// Writes that object as text; `fields` are those of the part by key.
void append_part(JsonText& text, const std::vector<const Field*>& fields, const void* owner);
/// Reads an object of that struct from JSON; `fields` are those of the part by key. Missing keys leave their members
/// unchanged. Throws nlohmann/json's exceptions for wrong types and missing required keys, and Error for invalid
/// values.
void read_part(const nlohmann::json& value, const Part& part, const std::vector<const Field*>& fields, void* owner);

template <HasPart T>
void to_json(nlohmann::json& value, const T& owner) {
  write_part(value, part_of(&owner), &owner);
}
template <HasPart T>
void from_json(const nlohmann::json& value, T& owner) {
  static const std::vector<const Field*> fields = fields_by_key(part_of(&owner));
  read_part(value, part_of(&owner), fields, &owner);
}

}  // namespace busbar
