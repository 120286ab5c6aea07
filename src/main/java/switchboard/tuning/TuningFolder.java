package switchboard.tuning;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import switchboard.call.Json;
import switchboard.files.FileMutex;
import switchboard.files.PrivateFiles;
import switchboard.files.TeamFolders;

/**
 * Proposals and decisions about them in the data folder: a folder for each team, with a file for each proposal, and one for all
 * decisions. No text of a query is in them. Readable by their owner only; commands exclude each other. Thread-safe; blocks.
 */
public final class TuningFolder {
    private static final String DECISIONS = "decisions.json";
    private static final String PROPOSAL = "proposal-";
    private static final String SUFFIX = ".json";
    private static final int ID_CHARS = 8;

    private final Path folder;
    private final FileMutex mutex;

    /** Why something is not done, for the person who wants it. */
    public static final class RefusedTuningException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedTuningException(String message) {
            super(message);
        }
    }

    /** What is in the data folder {@code data}. Nothing is created before there is a proposal. */
    public TuningFolder(Path data) {
        this.folder = data.resolve("insight").resolve("tuning");
        this.mutex = new FileMutex(folder.resolve("lock"));
    }

    /** Keeps what was found as a proposal. */
    public TuningProposal propose(String team, WeightSearch.FoundWeights found, Instant now) throws IOException {
        String id = UUID.randomUUID().toString().substring(0, ID_CHARS);
        TuningProposal proposal =
                new TuningProposal(id, team, now, found.before(), found.after(), TuningProposal.figures(found));
        Path place = PrivateFiles.folders(of(team));
        PrivateFiles.replaceDurably(place.resolve(PROPOSAL + id + SUFFIX), Json.bytes(proposal.json()));
        return proposal;
    }

    /** The proposals for {@code team}, the oldest one first. Those whose files are damaged are left out. */
    public List<TuningProposal> proposals(String team) throws IOException {
        List<TuningProposal> all = new ArrayList<>();
        for (Path file : files(of(team), PROPOSAL)) {
            try {
                all.add(proposal(file));
            } catch (DamagedTuningException _) {
                // Approving it says so.
            }
        }
        all.sort(Comparator.comparing(TuningProposal::created).thenComparing(TuningProposal::id));
        return all;
    }

    /**
     * Puts a proposal to use.
     *
     * @param by who wants that
     * @throws RefusedTuningException if there is none with that id, or it can't be used
     */
    public TuningProposal approve(String id, String by, Instant now) throws IOException {
        Path file = find(id);
        return mutex.run(() -> {
            TuningProposal proposal;
            try {
                proposal = proposal(file);
            } catch (DamagedTuningException e) {
                throw new RefusedTuningException(
                        "Proposal " + id + " is damaged: " + e.getMessage() + ". Nothing was changed; run tune again.");
            }
            if (!of(proposal.team()).equals(file.getParent()) || !proposal.id().equals(id)) {
                throw new RefusedTuningException("Proposal " + id
                        + " is damaged: it is of another team, or has another id. Nothing was changed.");
            }
            TeamTuning tuning = decisions(proposal.team());
            if (!tuning.weights().equals(proposal.before())) {
                throw new RefusedTuningException(
                        "Proposal " + id
                                + " was compared with other weights than those in use now. Nothing was changed; run tune again.");
            }
            write(tuning.and(new TeamTuning.TuningDecision(id, proposal.after(), now, by)));
            return proposal;
        });
    }

    /**
     * Goes back to the weights before the last approval.
     *
     * @throws RefusedTuningException if nothing is approved
     */
    public TeamTuning undo(String team, String by, Instant now) throws IOException {
        TeamTuning before = decisions(team);
        if (before.inUse().isEmpty()) {
            throw new RefusedTuningException("There is nothing to undo: the searches rank as the configuration says.");
        }
        return mutex.run(() -> {
            TeamTuning current = decisions(team);
            TeamTuning.TuningDecision last = current.inUse().peek();
            if (last == null) {
                throw new RefusedTuningException("It is undone already.");
            }
            TeamTuning after = current.and(new TeamTuning.TuningDecision(last.proposal(), null, now, by));
            write(after);
            return after;
        });
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

    /** The decisions in a file; empty if there is none. */
    public static Optional<TeamTuning> decisions(Path file) throws IOException {
        return Files.exists(file) ? Optional.of(TeamTuning.of(parsed(file))) : Optional.empty();
    }

    /** The files with decisions, one for each team that has any. */
    public List<Path> decided() throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path team : files(folder, "")) {
            if (TeamFolders.isOne(team.getFileName().toString())) {
                all.addAll(files(team, DECISIONS));
            }
        }
        return all;
    }

    private void write(TeamTuning tuning) throws IOException {
        PrivateFiles.replaceDurably(of(tuning.team()).resolve(DECISIONS), Json.bytes(tuning.json()));
    }

    private Path of(String team) {
        return folder.resolve(TeamFolders.name(team));
    }

    private Path find(String id) throws IOException {
        for (Path team : files(folder, "")) {
            for (Path file : files(team, PROPOSAL)) {
                if (file.getFileName().toString().equals(PROPOSAL + id + SUFFIX)) {
                    return file;
                }
            }
        }
        throw new RefusedTuningException("There is no proposal " + id + ". tune list shows those that there are.");
    }

    private static TuningProposal proposal(Path file) throws IOException {
        return TuningProposal.of(parsed(file));
    }

    private static JsonNode parsed(Path file) throws IOException {
        try {
            return Json.parse(Files.readAllBytes(file));
        } catch (JsonProcessingException _) {
            throw new DamagedTuningException("it is no JSON");
        }
    }

    private static List<Path> files(Path place, String prefix) throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(place)) {
            return all.filter(path -> path.getFileName().toString().startsWith(prefix)
                            && !path.getFileName().toString().endsWith(".new"))
                    .sorted()
                    .toList();
        }
    }
}
