// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Declarations of the parts of a record, for files that name them and do not use their members.
namespace busbar {

struct RankPlace;
struct Mpi;
struct StopAt;
struct Method;
struct RunRecord;
struct LateRank;
struct CaseRecord;
struct EndRecord;
struct OverEarlier;
struct LaunchRecord;
struct Run;

}  // namespace busbar
