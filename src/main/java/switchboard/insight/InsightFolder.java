package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.files.FileMutex;
import switchboard.files.PrivateFiles;
import switchboard.files.TeamFolders;

/**
 * The search log on the disk: a folder for each team, with JSON lines. Commands use it while a gateway writes: a lock keeps
 * them apart. Readable by its owner only. Thread-safe; blocks.
 */
public final class InsightFolder {
    private static final String HASH_KEY = "hash.key";
    private static final String FORGOTTEN = "forgotten";

    private final Path folder;
    private final FileMutex mutex;
    private final Set<TeamLine> written = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable QueryHashes hashes;

    /**
     * What became of lines.
     *
     * @param forgotten how many were not written, because what they tell of was to be forgotten
     */
    record Appended(int forgotten) {}

    /** The log in the data folder {@code data}. Nothing is created before there is a line. */
    public InsightFolder(Path data) {
        this.folder = data.resolve("insight");
        this.mutex = new FileMutex(folder.resolve("lock"));
    }

    /** Hashes of queries. */
    synchronized QueryHashes hashes() throws IOException {
        QueryHashes known = hashes;
        if (known == null) {
            PrivateFiles.folders(folder);
            known = QueryHashes.in(folder.resolve(HASH_KEY));
            hashes = known;
        }
        return known;
    }

    /**
     * Appends lines. After a failure the same lines can be given again, with others: none is written twice.
     *
     * @param lines by team, in their order
     */
    synchronized Appended append(Map<String, List<TeamLine>> lines, InsightSettings settings, Instant now)
            throws IOException {
        if (lines.isEmpty()) {
            return new Appended(0);
        }
        PrivateFiles.folders(folder);
        Appended appended = mutex.run(() -> {
            Instant forgotten = forgotten();
            int left = 0;
            for (Map.Entry<String, List<TeamLine>> team : lines.entrySet()) {
                List<TeamLine> known = team.getValue().stream()
                        .filter(line -> line.since().isAfter(forgotten))
                        .toList();
                left += team.getValue().size() - known.size();
                append(team.getKey(), known, settings, now);
            }
            return new Appended(left);
        });
        written.clear();
        return appended;
    }

    private void append(String team, List<TeamLine> lines, InsightSettings settings, Instant now) throws IOException {
        List<TeamLine> open =
                lines.stream().filter(line -> !written.contains(line)).toList();
        if (!open.isEmpty()) {
            of(TeamFolders.name(team)).append(open, settings.of(team).orElse(InsightSettings.TeamInsight.UNNAMED), now);
            written.addAll(open);
        }
    }

    private TeamFiles of(String name) {
        return new TeamFiles(folder.resolve(name));
    }

    /** What happened until then may have been forgotten. */
    private Instant forgotten() throws IOException {
        Path mark = folder.resolve(FORGOTTEN);
        return Files.exists(mark)
                ? Instant.ofEpochMilli(Long.parseLong(
                        Files.readString(mark, StandardCharsets.UTF_8).strip()))
                : Instant.MIN;
    }

    /** Removes what is too old, and the oldest of what is too much. */
    void tidy(InsightSettings settings, Instant now) throws IOException {
        Map<String, InsightSettings.TeamInsight> named = new HashMap<>();
        settings.teams().forEach((team, insight) -> named.put(TeamFolders.name(team), insight));
        InsightSettings.TeamInsight others = settings.of("").orElse(InsightSettings.TeamInsight.UNNAMED);
        for (String team : folders()) {
            mutex.run(() -> {
                of(team).tidy(named.getOrDefault(team, others), now);
                return team;
            });
        }
    }

    /** Gives each line of {@code team}, or of all if it is null, to {@code reader}, the oldest one first. */
    public void read(@Nullable String team, Consumer<JsonNode> reader) throws IOException {
        for (String name : folders(team)) {
            mutex.run(() -> {
                of(name).read(reader);
                return name;
            });
        }
    }

    /**
     * Forgets, also what a gateway has not yet written of the time until {@code now}.
     *
     * @return how many lines are gone or have changed
     */
    public long forget(Forgetting forgetting, Instant now) throws IOException {
        if (folders().isEmpty()) {
            return 0;
        }
        return mutex.run(() -> {
            PrivateFiles.replaceDurably(
                    folder.resolve(FORGOTTEN), Long.toString(now.toEpochMilli()).getBytes(StandardCharsets.UTF_8));
            long changed = 0;
            for (String name : folders(forgetting.team())) {
                changed += of(name).forget(forgetting);
            }
            return changed;
        });
    }

    private List<String> folders(@Nullable String team) throws IOException {
        return folders().stream()
                .filter(name -> team == null || name.equals(TeamFolders.name(team)))
                .toList();
    }

    private List<String> folders() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }
}
