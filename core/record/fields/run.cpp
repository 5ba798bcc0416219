// SPDX-License-Identifier: Apache-2.0
#include "core/record/field.hpp"
#include "core/record/launch_record.hpp"
#include "core/record/run_record.hpp"

namespace busbar {
namespace {

/// Whatever else it says: nothing simulated is ever taken for measured.
void trust_simulation(void* owner) {
  auto& run = *static_cast<RunRecord*>(owner);
  if (run.simulation) run.origin = Origin::simulated;
}

constexpr Field run_record_fields[] = {
    constant("record", "run", "Which of the four records this is."),
    field<&RunRecord::schema>(
        "schema", "Version of the format. It grows when a key changes its meaning or a required one is added.")
        .exactly(schema_version)
        .must_be_there(),
    field<&RunRecord::id>("id", "Unlike any other run's.")
        .not_empty()
        .must_be_there()
        .column(1, "run_id")
        .holds(Privacy::own_words),
    field<&RunRecord::resumes>("resumes",
                               "Of a launch that went on with a record (--resume): id of the first run line of the "
                               "file. null: this is that line, or there is no other.")
        .not_empty()
        .later(),
    field<&RunRecord::origin>("origin", "measured by busbar, simulated, or imported from another tool's output.")
        .column(2),
    field<&RunRecord::tool>("tool", "The program that took the numbers.").must_be_there().holds(Privacy::own_words),
    field<&RunRecord::argv>("argv", "Its command line, program first; empty where not known."),
    field<&RunRecord::start_utc>("start_utc", "When it started, e.g. 2026-01-31T12:00:00Z.").like(utc_form),
    field<&RunRecord::labels>("labels", "The user's own, e.g. platform: vm. busbar gives them no meaning.")
        .column(4)
        .holds(Privacy::labels),
    field<&RunRecord::ranks>("ranks",
                             "Ranks of the job; 0: not known, of an imported launch that failed before it said so.")
        .must_be_there(),
    field<&RunRecord::nodes>("nodes", "Hosts they ran on.").at_least(1),
    field<&RunRecord::method>("method", "How the numbers were taken.").must_be_there().holds(Privacy::own_words),
    field<&RunRecord::libraries>("libraries",
                                 "Versions of libraries that took part, by name: nccl, cuda_runtime, cuda_driver, "
                                 "cudnn. Without MPI, which has its own entry.")
        .later()
        .holds(Privacy::versions),
    field<&RunRecord::mpi>("mpi", "The MPI that the ranks ran on; null without MPI or where not known.")
        .holds(Privacy::versions),
    field<&RunRecord::hosts>("hosts", "Facts of each host; empty where not known."),
    field<&RunRecord::placement>("placement", "A row a rank, in order; empty where not known."),
    field<&RunRecord::environment>("environment",
                                   "Environment variables of rank 0 that are settings of the communication libraries, "
                                   "or sizes of a Slurm job. No other variable is ever written.")
        .keys_like(variable_form)
        .no_longer_than(4096)
        .holds(Privacy::variables),
    field<&RunRecord::timer>("timer", "The clock that samples were taken with; null where not known.").later(),
    field<&RunRecord::clock>("clock", "How the ranks came to one time; null where not known.").later(),
    field<&RunRecord::noise>("noise", "A row a rank, in order; empty where not measured.").later(),
    field<&RunRecord::source>("source", "Imported: the file it came from."),
    derived<RunRecord, is_simulated>(
        "simulated", "True if and only if origin is simulated: times are what a model of a network says.")
        .later(),
    field<&RunRecord::simulation>("simulation", "Who simulated the run, and on what; null where it was not simulated.")
        .later(),
    field<&RunRecord::anonymised>("anonymised",
                                  "Names of hosts, addresses, UUIDs and GUIDs are aliases (docs/privacy.md).")
        .later(),
    field<&RunRecord::notes>("notes", "Warnings of the run or of the importer, for people."),
};
constexpr Part run_record_part{"run", "The first record of a journal: what ran where, and how.", run_record_fields,
                               trust_simulation};

constexpr Field tool_fields[] = {
    field<&Tool::name>("name", "busbar-bench, or what the numbers were imported from: nccl-tests, ...")
        .not_empty()
        .must_be_there()
        .column(3, "tool"),
    field<&Tool::version>("version", "Its version."),
    field<&Tool::revision>("revision",
                           "git revision of the sources it was built from; \"-dirty\" behind it where files differed."),
    field<&Tool::compiler>("compiler", "Name and version of the compiler it was built by."),
    field<&Tool::build_type>("build_type", "CMake build type. Numbers of anything but Release are not for comparing."),
};
constexpr Part tool_part{"tool", "The program that took the numbers.", tool_fields};

constexpr Field rank_place_fields[] = {
    field<&RankPlace::rank>("rank", "Number of the rank in the job.").must_be_there(),
    field<&RankPlace::host>("host", "Name of its host.").must_be_there(),
    field<&RankPlace::local_rank>("local_rank", "Its number among the ranks of its host."),
    field<&RankPlace::cpus>("cpus", "CPUs it may run on, e.g. 0-3,8.").like(cpus_form),
    field<&RankPlace::bound>("bound", "false: it may run on every CPU of its host."),
    field<&RankPlace::device>("device", "Name of the GPU that it used."),
    field<&RankPlace::device_bus>("device_bus", "PCI address or index of that GPU, as the source gave it."),
    field<&RankPlace::device_uuid>(
        "device_uuid", "Of the GPU, as nvidia-smi -L prints it; null where there is none or it is not known.")
        .not_empty()
        .later(),
};
constexpr Part rank_place_part{"place", "One rank of the job and where it ran.", rank_place_fields};

constexpr Field mpi_fields[] = {
    field<&Mpi::library>("library", "Name and version, one line.").must_be_there(),
    field<&Mpi::standard>("standard", "Version of the MPI standard that it follows, e.g. 3.1."),
    field<&Mpi::thread_level>("thread_level", "Thread support that was given.")
        .one_of("single|funneled|serialized|multiple"),
    field<&Mpi::yields>(
        "yields",
        "Whether ranks that wait let others have their CPU (mpi_yield_when_idle of Open MPI, "
        "MPIR_CVAR_CH4_PROGRESS_THROTTLE of MPICH, I_MPI_WAIT_MODE of Intel MPI); null where not known.")
        .later(),
    field<&Mpi::yield_asked_by>("yield_asked_by", "Who wanted that, in words; null where not known.").later(),
};
constexpr Part mpi_part{"mpi", "The MPI that the ranks ran on.", mpi_fields};

constexpr Field simulation_fields[] = {
    field<&Simulation::simulator>("simulator", "Its name: SimGrid SMPI.").not_empty().must_be_there(),
    field<&Simulation::version>("version", "Its version.").must_be_there(),
    field<&Simulation::platform_file>("platform_file", "The simulated cluster's file, as named on the command line."),
    field<&Simulation::platform_sha256>("platform_sha256", "Of the bytes of that file.").like(sha256_form),
    field<&Simulation::platform>("platform",
                                 "What the file says of itself, by name: busbar.topology, busbar.nodes, ..."),
    field<&Simulation::settings>("settings", "Settings of the simulator that were set, by name: smpi/allreduce, ..."),
    field<&Simulation::data>(
        "data",
        "Messages carried data, which was checked if method.check says so; else only sizes and times were simulated."),
};
constexpr Part simulation_part{"simulation", "Who simulated a run, and on what.", simulation_fields};

constexpr Field noise_fields[] = {
    field<&Noise::measured_s>("measured_s", "How long was looked, in seconds.").must_be_there(),
    field<&Noise::stolen_share>("stolen_share", "Share of that time that was taken, 0 to 1.")
        .at_most(1)
        .must_be_there(),
    field<&Noise::longest_s>("longest_s", "The longest detour, in seconds.").must_be_there(),
    field<&Noise::detours>("detours", "How often something was taken.").must_be_there(),
    field<&Noise::speed_ratio>("speed_ratio",
                               "Fastest to slowest speed of the CPU over some milliseconds: 95th to 5th percentile.")
        .at_least(1)
        .must_be_there(),
};
constexpr Part noise_part{"noise",
                          "What the rest of the machine took from one rank's CPU while the rank wanted all of it, "
                          "before the first case; all ranks looked at the same time.",
                          noise_fields};

constexpr Field timer_fields[] = {
    field<&Timer::resolution_s>(
        "resolution_s", "The step of its values in seconds; can be larger than their unit. 0: no step was seen.")
        .must_be_there(),
    field<&Timer::cost_s>("cost_s", "One read of it, in seconds: the median over blocks of reads.").must_be_there(),
};
constexpr Part timer_part{"timer", "The clock that samples were taken with, as rank 0 found it.", timer_fields};

constexpr Field launch_record_fields[] = {
    constant("record", "launch", "Which of the four records this is."),
    field<&LaunchRecord::schema>("schema", "Version of this format.").exactly(schema_version).must_be_there(),
    field<&LaunchRecord::command>("command", "Which of the commands that alternate, from 1.")
        .at_least(1)
        .must_be_there(),
    field<&LaunchRecord::number>("number", "Of the launches of this command, from 1.").at_least(1).must_be_there(),
    field<&LaunchRecord::argv>("argv", "The command as it was typed.").not_empty().must_be_there(),
    field<&LaunchRecord::ended>(
        "ended", "What ended it. itself: its exit code tells how. not started: there is no such program.")
        .one_of("itself|time limit|interrupted|not started")
        .must_be_there(),
    field<&LaunchRecord::exit_code>("exit_code", "Of the launcher; 128 and the signal's number where one killed it.")
        .of_any_sign()
        .must_be_there(),
    field<&LaunchRecord::wall_s>("wall_s", "From the start of the launcher to its end, in seconds.").must_be_there(),
};
constexpr Part launch_record_part{"launch",
                                  "Of a record of `busbar repeat`: stands in front of what one launch left, which is a "
                                  "journal as that of a launch that stands alone, or nothing.",
                                  launch_record_fields};

}  // namespace

const Part& part_of(const LaunchRecord* /*type*/) { return launch_record_part; }
const Part& part_of(const RunRecord* /*type*/) { return run_record_part; }
const Part& part_of(const Tool* /*type*/) { return tool_part; }
const Part& part_of(const RankPlace* /*type*/) { return rank_place_part; }
const Part& part_of(const Mpi* /*type*/) { return mpi_part; }
const Part& part_of(const Simulation* /*type*/) { return simulation_part; }
const Part& part_of(const Noise* /*type*/) { return noise_part; }
const Part& part_of(const Timer* /*type*/) { return timer_part; }

}  // namespace busbar
