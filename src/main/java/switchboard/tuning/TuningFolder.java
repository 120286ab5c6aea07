package switchboard.tuning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.files.FileMutex;
import switchboard.files.TeamFolders;

/**
 * Proposals and decisions about them in the data folder: a folder for each team, with a file for each proposal, one for all
 * decisions, and one for all trials. No text of a query is in them. Readable by their owner only; commands exclude each other. Thread-safe; blocks.
 */
public final class TuningFolder {
    private static final String DECISIONS = "decisions.json";
    private static final String TRIALS = "trials.json";
    private static final int ID_CHARS = 8;

    private final Path folder;
    private final ProposalFiles proposals;
    private final FileMutex mutex;
    private final FollowingFiles files;

    /** Why something is not done, for the person who wants it. */
    public static final class RefusedTuningException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedTuningException(String message) {
            super(message);
        }
    }

    /** What is in the data folder {@code data}. Nothing is created before there is a proposal. */
    public TuningFolder(Path data) {
        this(data, TuningShare.NONE);
    }

    /** The same of a gateway that shares it with others: the files follow what these have. */
    public TuningFolder(Path data, TuningShare share) {
        this.folder = data.resolve("insight").resolve("tuning");
        this.proposals = new ProposalFiles(folder);
        this.mutex = new FileMutex(folder.resolve("lock"));
        this.files = new FollowingFiles(folder, share);
    }

    /**
     * Brings the files up to date with those of other gateways.
     *
     * @throws UnsharedTuningException if that can't be done now
     */
    public void pull() throws IOException {
        files.pull();
    }

    /** Changes something while nobody else does, by what all gateways have. */
    private <T> T change(FileMutex.FileWork<T> work) throws IOException {
        return mutex.run(() -> {
            files.pullAll();
            return work.run();
        });
    }

    /**
     * The proposals for a team.
     *
     * @param whole the oldest one first
     * @param damaged the ids of those whose files can't be used
     */
    public record TeamProposals(List<TuningProposal> whole, List<String> damaged) {}

    /**
     * Keeps what was found as a proposal.
     *
     * @param reads what it was made from
     * @param configured the configuration with which it was compared
     */
    public TuningProposal propose(
            String team,
            WeightSearch.FoundWeights found,
            TuningProposal.JudgedReads reads,
            ConfiguredWeights configured,
            Instant now)
            throws IOException {
        TuningProposal proposal = new TuningProposal(
                newId(), team, now, found.before(), found.after(), configured, TuningProposal.figures(found, reads));
        files.write(team, ProposalFiles.name(proposal), proposal.json());
        return proposal;
    }

    /** The proposals for {@code team}, the oldest one first. Those whose files are damaged are left out. */
    public List<TuningProposal> proposals(String team) throws IOException {
        return allProposals(team).whole();
    }

    /** The same with those that are damaged. */
    public TeamProposals allProposals(String team) throws IOException {
        return proposals.of(team);
    }

    /** The teams for which there is or was a proposal. */
    public List<String> teams() throws IOException {
        return ProposalFiles.entries(folder).stream()
                .filter(Files::isDirectory)
                .flatMap(team -> TeamFolders.team(team.getFileName().toString()).stream())
                .sorted()
                .toList();
    }

    /** The proposal with this id; empty if there is none, or its file is damaged. */
    public Optional<TuningProposal> proposed(String id) throws IOException {
        try {
            return Optional.of(ProposalFiles.proposal(proposals.find(id)));
        } catch (DamagedTuningException | RefusedTuningException _) {
            return Optional.empty(); // Approving it says so.
        }
    }

    /**
     * What is to be tried.
     *
     * @param proposal the id of the proposal; null for the newest one that can be used
     * @param share the part of the searches, above 0 to 1
     */
    public record TrialPlan(String team, @Nullable String proposal, double share, Duration time) {}

    /**
     * Begins to try a proposal. Nothing else changes.
     *
     * @param by who wants that
     * @throws RefusedTuningException if there is none, or one is tried already
     */
    public TuningTrial begin(TrialPlan plan, String by, Instant now) throws IOException {
        if (proposals(plan.team()).isEmpty()) {
            throw new RefusedTuningException("There is no proposal to try. Run tune first.");
        }
        return change(() -> {
            RankingWeights inUse = decisions(plan.team()).weights();
            TeamTrials trials = trials(plan.team());
            Optional<TuningTrial> running = trials.running(now, inUse);
            if (running.isPresent()) {
                throw new RefusedTuningException("Proposal " + running.get().proposal() + " is tried until "
                        + running.get().start().until() + ". tune undo ends that.");
            }
            TuningProposal proposal = proposals(plan.team()).reversed().stream()
                    .filter(one -> plan.proposal() == null || one.id().equals(plan.proposal()))
                    .filter(one -> one.before().equals(inUse))
                    .findFirst()
                    .orElseThrow(() -> new RefusedTuningException("There is no proposal"
                            + (plan.proposal() == null ? "" : " " + plan.proposal())
                            + " for this team that was compared with the weights in use now. tune list shows those that"
                            + " there are; tune makes another one."));
            TuningTrial trial = new TuningTrial(
                    newId(),
                    proposal.id(),
                    proposal.before(),
                    proposal.after(),
                    plan.share(),
                    new TuningTrial.TrialStart(now, now.plus(plan.time()), by),
                    null);
            write(trials.and(trial));
            return trial;
        });
    }

    /**
     * Ends the trial that runs for {@code team}, if it is one that was {@code seen}. Nothing else changes.
     *
     * @throws RefusedTuningException if none runs, or another one
     */
    public void end(String team, Predicate<TuningTrial> seen, String by, Instant now) throws IOException {
        change(() -> {
            TeamTuning tuning = decisions(team);
            if (trials(team).running(now, tuning.weights()).filter(seen).isEmpty()) {
                throw new RefusedTuningException(
                        "This trial is over already. Nothing was changed; look at what is tried now.");
            }
            return ended(tuning, by, now);
        });
    }

    /** Ends the trial that runs; false if there is none. */
    private boolean ended(TeamTuning tuning, String by, Instant now) throws IOException {
        TeamTrials trials = trials(tuning.team());
        if (trials.running(now, tuning.weights()).isEmpty()) {
            return false;
        }
        write(trials.ended(new TuningTrial.TrialEnd(now, by)));
        return true;
    }

    /**
     * What was tried for {@code team}.
     *
     * @throws RefusedTuningException if its file is damaged
     */
    public TeamTrials trials(String team) throws IOException {
        Path file = of(team).resolve(TRIALS);
        try {
            return trials(file).orElseGet(() -> new TeamTrials(team, List.of()));
        } catch (DamagedTuningException e) {
            throw new RefusedTuningException("The trials in " + file + " can't be read: " + e.getMessage()
                    + ". Restore the file, or remove it, as if nothing had been tried.");
        }
    }

    /** The trials in a file; empty if there is none. */
    public static Optional<TeamTrials> trials(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        TeamTrials trials = TeamTrials.of(ProposalFiles.parsed(file));
        ofItsTeam(file, trials.team());
        return Optional.of(trials);
    }

    /** The files with trials, one for each team that has had any. */
    public List<Path> tried() throws IOException {
        return ofTeams(TRIALS);
    }

    private void write(TeamTrials trials) throws IOException {
        files.write(trials.team(), TRIALS, trials.json());
    }

    private static String newId() {
        return UUID.randomUUID().toString().substring(0, ID_CHARS);
    }

    /**
     * Puts a proposal to use. A trial that runs for its team ends.
     *
     * @param by who wants that
     * @throws RefusedTuningException if there is none with that id, or it can't be used
     */
    public TuningProposal approve(String id, String by, Instant now) throws IOException {
        return approve(id, _ -> true, by, now);
    }

    /** The same if the proposal, as it is when it is put to use, is one that was {@code seen}. */
    public TuningProposal approve(String id, Predicate<TuningProposal> seen, String by, Instant now)
            throws IOException {
        Path file = proposals.find(id);
        return change(() -> {
            TuningProposal proposal;
            try {
                proposal = ProposalFiles.proposal(file);
            } catch (DamagedTuningException e) {
                throw new RefusedTuningException(
                        "Proposal " + id + " is damaged: " + e.getMessage() + ". Nothing was changed; run tune again.");
            }
            if (!of(proposal.team()).equals(file.getParent()) || !proposal.id().equals(id)) {
                throw new RefusedTuningException("Proposal " + id
                        + " is damaged: it is of another team, or has another id. Nothing was changed.");
            }
            if (!seen.test(proposal)) {
                throw new RefusedTuningException(
                        "Proposal " + id + " is another one by now. Nothing was changed; look at it first.");
            }
            TeamTuning tuning = decisions(proposal.team());
            if (!tuning.weights().equals(proposal.before())) {
                throw new RefusedTuningException(
                        "Proposal " + id
                                + " was compared with other weights than those in use now. Nothing was changed; run tune again.");
            }
            ended(tuning, by, now); // first: the trial must not go on if nothing else can be written
            write(tuning.and(new TeamTuning.TuningDecision(id, proposal.after(), now, by)));
            return proposal;
        });
    }

    /**
     * Ends the trial that runs. If there is none, goes back to the weights before the last approval.
     *
     * @throws RefusedTuningException if nothing is tried or approved
     */
    public TeamTuning undo(String team, String by, Instant now) throws IOException {
        refuseNothing(team, trials(team).running(now, decisions(team).weights()).isPresent());
        return change(() -> {
            TeamTuning current = decisions(team);
            if (ended(current, by, now)) {
                return current;
            }
            TeamTuning after = undone(current, _ -> true, by, now);
            write(after);
            return after;
        });
    }

    /** Goes back to the weights before the last approval if that is the one that was {@code seen}; a trial ends, too. */
    public TeamTuning undo(String team, Predicate<TeamTuning.TuningDecision> seen, String by, Instant now)
            throws IOException {
        refuseNothing(team, false);
        return change(() -> {
            TeamTuning current = decisions(team);
            TeamTuning after = undone(current, seen, by, now);
            ended(current, by, now);
            write(after);
            return after;
        });
    }

    /** Creates no folder for a team of which nothing is known. */
    private void refuseNothing(String team, boolean tries) throws IOException {
        if (!tries && decisions(team).inUse().isEmpty()) {
            throw new RefusedTuningException("There is nothing to undo: the searches rank as the configuration says.");
        }
    }

    private TeamTuning undone(TeamTuning current, Predicate<TeamTuning.TuningDecision> seen, String by, Instant now)
            throws IOException {
        TeamTuning.TuningDecision last = current.inUse().peek();
        if (last == null) {
            throw new RefusedTuningException("It is undone already.");
        }
        if (!seen.test(last)) {
            throw new RefusedTuningException(
                    "Another approval is in use by now. Nothing was changed; look at it first.");
        }
        return current.and(new TeamTuning.TuningDecision(last.proposal(), null, now, by));
    }

    /**
     * What was decided about {@code team}.
     *
     * @throws RefusedTuningException if its file is damaged
     */
    public TeamTuning decisions(String team) throws IOException {
        try {
            return decisions(of(team).resolve(DECISIONS)).orElseGet(() -> new TeamTuning(team, List.of()));
        } catch (DamagedTuningException e) {
            throw new RefusedTuningException("The decisions in " + of(team).resolve(DECISIONS) + " can't be read: "
                    + e.getMessage() + ". Restore the file, or remove it to rank as the configuration says.");
        }
    }

    /**
     * The decisions in a file; empty if there is none.
     *
     * @throws DamagedTuningException if they can't be read, or are of another team than that of the folder
     */
    public static Optional<TeamTuning> decisions(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        TeamTuning tuning = TeamTuning.of(ProposalFiles.parsed(file));
        ofItsTeam(file, tuning.team());
        return Optional.of(tuning);
    }

    /** A folder that was copied by hand is not that of another team. */
    private static void ofItsTeam(Path file, String team) throws DamagedTuningException {
        if (!file.resolveSibling(".").normalize().endsWith(TeamFolders.name(team))) {
            throw new DamagedTuningException("they are of another team");
        }
    }

    /** The files with decisions, one for each team that has any. */
    public List<Path> decided() throws IOException {
        return ofTeams(DECISIONS);
    }

    private List<Path> ofTeams(String name) throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path team : ProposalFiles.entries(folder)) {
            Path file = team.resolve(name);
            if (TeamFolders.isOne(team.getFileName().toString()) && Files.isRegularFile(file)) {
                all.add(file);
            }
        }
        return all;
    }

    private void write(TeamTuning tuning) throws IOException {
        files.write(tuning.team(), DECISIONS, tuning.json());
    }

    private Path of(String team) {
        return folder.resolve(TeamFolders.name(team));
    }
}
