package switchboard.tuning;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import switchboard.call.Json;
import switchboard.files.TeamFolders;

/**
 * The files of proposals, one each in the folders of their teams. Blocks.
 *
 * @param folder with a folder for each team
 */
record ProposalFiles(Path folder) {
    private static final String PROPOSAL = "proposal-";
    private static final String SUFFIX = ".json";

    /** The name of its file. */
    static String name(TuningProposal proposal) {
        return PROPOSAL + proposal.id() + SUFFIX;
    }

    /** The proposals for a team, and which files are damaged. */
    TuningFolder.TeamProposals of(String team) throws IOException {
        List<TuningProposal> whole = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (Path file : files(folder.resolve(TeamFolders.name(team)))) {
            String name = file.getFileName().toString();
            String id = name.substring(PROPOSAL.length(), name.length() - SUFFIX.length());
            try {
                TuningProposal proposal = proposal(file);
                if (proposal.team().equals(team) && proposal.id().equals(id)) {
                    whole.add(proposal);
                } else {
                    damaged.add(id);
                }
            } catch (IOException _) {
                damaged.add(id); // approving it says why
            }
        }
        whole.sort(Comparator.comparing(TuningProposal::created).thenComparing(TuningProposal::id));
        return new TuningFolder.TeamProposals(whole, damaged);
    }

    /**
     * The file of a proposal.
     *
     * @throws TuningFolder.RefusedTuningException if there is none
     */
    Path find(String id) throws IOException {
        for (Path team : entries(folder)) {
            for (Path file : files(team)) {
                if (file.getFileName().toString().equals(PROPOSAL + id + SUFFIX)) {
                    return file;
                }
            }
        }
        throw new TuningFolder.RefusedTuningException(
                "There is no proposal " + id + ". tune list shows those that there are.");
    }

    /** The proposal in a file. */
    static TuningProposal proposal(Path file) throws IOException {
        return TuningProposal.of(parsed(file));
    }

    private static List<Path> files(Path team) throws IOException {
        return entries(team).stream()
                .filter(file -> file.getFileName().toString().startsWith(PROPOSAL)
                        && file.getFileName().toString().endsWith(SUFFIX))
                .toList();
    }

    static JsonNode parsed(Path file) throws IOException {
        try {
            return Json.parse(Files.readAllBytes(file));
        } catch (JsonProcessingException _) {
            throw new DamagedTuningException("it is no JSON");
        }
    }

    static List<Path> entries(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(place)) {
            return all.sorted().toList();
        }
    }
}
