// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Forward declarations of the parts of a record.
namespace busbar {

struct Alternation;
struct Arithmetic;
struct Arrival;
struct BufferPlace;
struct CaseCounts;
struct CaseKey;
struct CaseRecord;
struct Check;
struct ClockCheck;
struct ClockChecks;
struct ClockFacts;
struct ColdStart;
struct Contention;
struct EndRecord;
struct GatedTimes;
struct Gpu;
struct GpuLinks;
struct GpuTelemetry;
struct GroupTime;
struct Host;
struct Interval;
struct KindTime;
struct LateRank;
struct LaunchRecord;
struct LaunchSpread;
struct LayerCost;
struct LeftOutCalls;
struct LibraryChoice;
struct Memory;
struct Method;
struct Mode;
struct Modes;
struct Mpi;
struct NetworkInterface;
struct Noise;
struct LaunchPace;
struct OverEarlier;
struct Overhead;
struct Overlap;
struct PacedTime;
struct Pipeline;
struct PipelineOperation;
struct RankClock;
struct RankPlace;
struct RankSummary;
struct RdmaPort;
struct ReasonShare;
struct Replay;
struct ReplayedCalls;
struct Round;
struct Run;
struct RunRecord;
struct Scaling;
struct Settling;
struct Simulation;
struct SlowRank;
struct Spread;
struct StepSplit;
struct StopAt;
struct Summary;
struct Timer;
struct Tool;
struct Training;
struct TrainingJob;
struct TrainingKey;
struct TypePeak;
struct Usage;
struct WrongElement;

}  // namespace busbar
