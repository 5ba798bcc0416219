// SPDX-License-Identifier: Apache-2.0
#include "core/record/fields/member_field.hpp"
#include "core/record/launch_record.hpp"
#include "core/record/run_record.hpp"

namespace busbar {
namespace {

/// A run with a simulation counts as simulated, whatever its origin says.
void trust_simulation(RunRecord& run) {
  if (run.simulation) run.origin = Origin::simulated;
}

constexpr Field run_record_fields[] = {
    constant("record", "run", "Type of this record: launch, run, case or end."),
    field<&RunRecord::schema>(
        "schema", "Version of the format. It increases if a key changes its meaning or a required key is added.")
        .exactly(schema_version)
        .must_be_there(),
    field<&RunRecord::id>("id", "Unique id of the run.")
        .not_empty()
        .must_be_there()
        .column(1, "run_id")
        .holds(Privacy::own_words),
    field<&RunRecord::resumes>("resumes",
                               "For a launch that resumed a record (--resume): id of the first run line of the file. "
                               "null: this is that line, or there is no other.")
        .not_empty()
        .later(),
    field<&RunRecord::origin>("origin", "Measured by busbar, simulated, or imported from another tool's output.")
        .column(2),
    field<&RunRecord::tool>("tool", "Program that produced the numbers.").must_be_there().holds(Privacy::own_words),
    field<&RunRecord::argv>("argv", "Command line of the tool, program first; empty if unknown."),
    field<&RunRecord::start_utc>("start_utc", "Start of the run, e.g. 2026-01-31T12:00:00Z.").like(utc_form),
    field<&RunRecord::labels>("labels", "The user's own labels, e.g. platform: vm. busbar does not interpret them.")
        .column(4)
        .holds(Privacy::labels),
    field<&RunRecord::ranks>(
        "ranks",
        "Number of ranks of the job; 0: unknown, for an imported launch that failed before it printed the number.")
        .must_be_there(),
    field<&RunRecord::nodes>("nodes", "Number of their hosts.").at_least(1),
    field<&RunRecord::method>("method", "How the numbers were measured.").must_be_there().holds(Privacy::own_words),
    field<&RunRecord::libraries>("libraries",
                                 "Versions of the libraries used, by name: nccl, cuda_runtime, cuda_driver, cudnn. "
                                 "Excludes MPI, which has its own key.")
        .later()
        .holds(Privacy::versions),
    field<&RunRecord::mpi>("mpi", "MPI library of the ranks; null without MPI, or if unknown.")
        .holds(Privacy::versions),
    field<&RunRecord::hosts>("hosts", "Facts of each host; empty if unknown."),
    field<&RunRecord::placement>("placement", "Placement of each rank, one row per rank, in order; empty if unknown."),
    field<&RunRecord::environment>("environment",
                                   "Environment variables of rank 0: settings of the communication libraries, and "
                                   "sizes of a Slurm job. No other variable is ever written.")
        .keys_like(variable_form)
        .no_longer_than(4096)
        .holds(Privacy::variables),
    field<&RunRecord::timer>("timer", "Clock of the samples; null if unknown.").later(),
    field<&RunRecord::clock>("clock", "Clock synchronisation of the ranks; null if unknown.").later(),
    field<&RunRecord::noise>("noise", "OS noise of each rank, one row per rank, in order; empty if not measured.")
        .later(),
    field<&RunRecord::source>("source", "Imported: source file."),
    derived<RunRecord, is_simulated>("simulated",
                                     "true if and only if origin is simulated: times come from a model of a network.")
        .later(),
    field<&RunRecord::simulation>("simulation", "Simulator and simulated machine; null if the run was not simulated.")
        .later(),
    field<&RunRecord::anonymised>("anonymised",
                                  "Names of hosts, addresses, UUIDs and GUIDs are aliases (docs/privacy.md).")
        .later(),
    field<&RunRecord::notes>("notes", "Warnings of the run or of the importer, for readers."),
};
constexpr Part run_record_part{"run", "The first record of a journal: what ran, where and how.", run_record_fields,
                               after_reading<trust_simulation>};

constexpr Field tool_fields[] = {
    field<&Tool::name>("name", "busbar-bench, or the tool that imported numbers come from: nccl-tests, ...")
        .not_empty()
        .must_be_there()
        .column(3, "tool"),
    field<&Tool::version>("version", "Its version."),
    field<&Tool::revision>("revision", "git revision of its sources, followed by \"-dirty\" if files differed."),
    field<&Tool::compiler>("compiler", "Name and version of its compiler."),
    field<&Tool::build_type>("build_type", "CMake build type. Compare numbers of Release builds only."),
};
constexpr Part tool_part{"tool", "The program that produced the numbers.", tool_fields};

constexpr Field rank_place_fields[] = {
    field<&RankPlace::rank>("rank", "Rank in the job.").must_be_there(),
    field<&RankPlace::host>("host", "Name of its host.").must_be_there(),
    field<&RankPlace::local_rank>("local_rank", "Rank within its host."),
    field<&RankPlace::cpus>("cpus", "CPUs that it may use, e.g. 0-3,8.").like(cpus_form),
    field<&RankPlace::bound>("bound", "false: it may use every CPU of its host."),
    field<&RankPlace::device>("device", "Name of its GPU."),
    field<&RankPlace::device_bus>("device_bus", "PCI address or index of that GPU, as the source reported it."),
    field<&RankPlace::device_uuid>("device_uuid",
                                   "UUID of that GPU, as printed by nvidia-smi -L; null without a GPU, or if unknown.")
        .not_empty()
        .later(),
};
constexpr Part rank_place_part{"place", "One rank of the job and its placement.", rank_place_fields};

constexpr Field mpi_fields[] = {
    field<&Mpi::library>("library", "Name and version, one line.").must_be_there(),
    field<&Mpi::standard>("standard", "Version of the MPI standard that it implements, e.g. 3.1."),
    field<&Mpi::thread_level>("thread_level", "Provided thread support.").one_of("single|funneled|serialized|multiple"),
    field<&Mpi::yields>("yields",
                        "Whether waiting ranks yield their CPU (mpi_yield_when_idle of Open MPI, "
                        "MPIR_CVAR_CH4_PROGRESS_THROTTLE of MPICH, I_MPI_WAIT_MODE of Intel MPI); null if unknown.")
        .later(),
    field<&Mpi::yield_asked_by>("yield_asked_by", "Who requested that, in words; null if unknown.").later(),
};
constexpr Part mpi_part{"mpi", "The MPI library of the ranks.", mpi_fields};

constexpr Field simulation_fields[] = {
    field<&Simulation::simulator>("simulator", "Name of the simulator: SimGrid SMPI.").not_empty().must_be_there(),
    field<&Simulation::version>("version", "Its version.").must_be_there(),
    field<&Simulation::platform_file>("platform_file", "File of the simulated cluster, as given on the command line."),
    field<&Simulation::platform_sha256>("platform_sha256", "SHA-256 of that file.").like(sha256_form),
    field<&Simulation::platform>("platform", "Properties in that file, by name: busbar.topology, busbar.nodes, ..."),
    field<&Simulation::settings>("settings", "Simulator settings that were set, by name: smpi/allreduce, ..."),
    field<&Simulation::data>("data",
                             "true: messages carried data, which was checked if method.check says so. false: only "
                             "their sizes and times were simulated."),
};
constexpr Part simulation_part{"simulation", "Simulator and simulated machine of a run.", simulation_fields};

constexpr Field noise_fields[] = {
    field<&Noise::measured_s>("measured_s", "Duration of the measurement, in seconds.").must_be_there(),
    field<&Noise::stolen_share>("stolen_share", "Fraction of that time that was lost, 0 to 1.")
        .at_most(1)
        .must_be_there(),
    field<&Noise::longest_s>("longest_s", "Longest interruption (detour), in seconds.").must_be_there(),
    field<&Noise::detours>("detours", "Number of interruptions.").must_be_there(),
    field<&Noise::speed_ratio>("speed_ratio",
                               "Ratio of fastest to slowest CPU speed over some milliseconds: 95th to 5th percentile.")
        .at_least(1)
        .must_be_there(),
};
constexpr Part noise_part{"noise",
                          "OS noise: time that the rest of the machine took from one rank's CPU while the rank needed "
                          "all of it. Measured on all ranks at once before the first case.",
                          noise_fields};

constexpr Field timer_fields[] = {
    field<&Timer::resolution_s>("resolution_s",
                                "Step of its values, in seconds; can be larger than their unit. 0: no step found.")
        .must_be_there(),
    field<&Timer::cost_s>("cost_s", "Time of one read, in seconds; median over blocks of reads.").must_be_there(),
};
constexpr Part timer_part{"timer", "Clock of the samples, as measured on rank 0.", timer_fields};

constexpr Field launch_record_fields[] = {
    constant("record", "launch", "Type of this record: launch, run, case or end."),
    field<&LaunchRecord::schema>("schema", "Version of this format.").exactly(schema_version).must_be_there(),
    field<&LaunchRecord::command>("command", "Number of the command among the alternating ones, from 1.")
        .at_least(1)
        .must_be_there(),
    field<&LaunchRecord::number>("number", "Number of the launch of this command, from 1.").at_least(1).must_be_there(),
    field<&LaunchRecord::argv>("argv", "Command as typed.").not_empty().must_be_there(),
    field<&LaunchRecord::ended>(
        "ended", "What ended the launch. itself: see its exit code. not started: there is no such program.")
        .must_be_there(),
    field<&LaunchRecord::exit_code>("exit_code",
                                    "Exit code of the launcher; 128 plus the signal's number if a signal killed it.")
        .of_any_sign()
        .must_be_there(),
    field<&LaunchRecord::wall_s>("wall_s", "From the start to the end of the launcher, in seconds.").must_be_there(),
};
constexpr Part launch_record_part{"launch",
                                  "One launch in a record of `busbar repeat`. It precedes the output of that launch: a "
                                  "journal like that of a single launch, or nothing.",
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
