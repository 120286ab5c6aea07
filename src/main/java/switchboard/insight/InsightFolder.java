package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.files.FileMutex;
import switchboard.files.PrivateFiles;
import switchboard.files.TeamFolders;

/**
 * The search log on the disk: a folder for each team, with JSON lines. Commands use it while a gateway writes: a lock keeps
 * them apart. Readable by its owner only. Thread-safe; blocks.
 */
public final class InsightFolder extends InsightStore {
    private static final String HASH_KEY = "hash.key";
    private static final String FORGOTTEN = "forgotten";

    private final Path folder;
    private final FileMutex mutex;
    private final Set<TeamLine> written = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable QueryHashes hashes;

    /** The log in the data folder {@code data}. Nothing is created before there is a line. */
    public InsightFolder(Path data) {
        this.folder = data.resolve("insight");
        this.mutex = new FileMutex(folder.resolve("lock"));
    }

    @Override
    synchronized QueryHashes hashes() throws IOException {
        QueryHashes known = hashes;
        if (known == null) {
            PrivateFiles.folders(folder);
            known = mutex.run(() -> QueryHashes.in(folder.resolve(HASH_KEY)));
            hashes = known;
        }
        return known;
    }

    @Override
    boolean takes(TeamLine line) {
        return line.line().length > 0;
    }

    @Override
    synchronized Appended append(List<TeamLine> all, InsightSettings settings, Instant now) throws IOException {
        if (all.isEmpty()) {
            return new Appended(0, List.of());
        }
        Map<String, List<TeamLine>> lines =
                all.stream().collect(Collectors.groupingBy(TeamLine::team, LinkedHashMap::new, Collectors.toList()));
        QueryHashes hash = hashes();
        Appended appended = mutex.run(() -> {
            List<ForgetNotes.ForgetNote> notes = notes().read();
            int left = 0;
            IOException failure = null;
            for (Map.Entry<String, List<TeamLine>> team : lines.entrySet()) {
                List<TeamLine> known = notes.isEmpty() ? team.getValue() : remembered(team.getValue(), notes, hash);
                left += team.getValue().size() - known.size();
                try {
                    append(team.getKey(), known, settings, now, hash);
                } catch (IOException e) {
                    failure = e; // of this team; the others go on
                }
            }
            if (failure != null) {
                throw failure;
            }
            return new Appended(left, List.of());
        });
        written.clear();
        return appended;
    }

    /** Without what is to be forgotten. A line that has changed is another one. */
    private static List<TeamLine> remembered(
            List<TeamLine> lines, List<ForgetNotes.ForgetNote> notes, QueryHashes hash) {
        List<TeamLine> known = new ArrayList<>();
        for (TeamLine line : lines) {
            JsonNode json = line.json(hash);
            Optional<JsonNode> rest = ForgetNotes.rest(notes, line.since(), json, hash::of)
                    .map(left -> ForgetNotes.unlinked(notes, line.linked(), left, hash::of));
            if (rest.isPresent()) {
                known.add(rest.get().equals(json) ? line : line.with(rest.get()));
            }
        }
        return known;
    }

    private ForgetNotes notes() {
        return new ForgetNotes(folder.resolve(FORGOTTEN));
    }

    private void append(String team, List<TeamLine> lines, InsightSettings settings, Instant now, QueryHashes hash)
            throws IOException {
        List<TeamLine> open =
                lines.stream().filter(line -> !written.contains(line)).toList();
        if (!open.isEmpty()) {
            List<TeamLine> hashed = open.stream().map(line -> line.hashed(hash)).toList();
            of(TeamFolders.name(team))
                    .append(hashed, settings.of(team).orElse(InsightSettings.TeamInsight.UNNAMED), now);
            written.addAll(open);
        }
    }

    private TeamFiles of(String name) {
        return new TeamFiles(folder.resolve(name));
    }

    @Override
    void tidy(InsightSettings settings, Instant now) throws IOException {
        Map<String, InsightSettings.TeamInsight> named = new HashMap<>();
        settings.teams().forEach((team, insight) -> named.put(TeamFolders.name(team), insight));
        InsightSettings.TeamInsight others = settings.of("").orElse(InsightSettings.TeamInsight.UNNAMED);
        IOException failure = null;
        for (String team : folders()) {
            try {
                mutex.run(() -> {
                    of(team).tidy(named.getOrDefault(team, others), now);
                    return PrivateFiles.removeIfEmpty(folder.resolve(team));
                });
            } catch (IOException | UncheckedIOException e) {
                failure = new IOException(team, e); // of this team; the others go on
            }
        }
        if (exists()) {
            mutex.run(() -> {
                notes().tidy(now);
                return now;
            });
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Whether there is anything, or was. */
    boolean exists() {
        return Files.isDirectory(folder);
    }

    @Override
    public void read(@Nullable String team, @Nullable Instant from, Consumer<JsonNode> reader) throws IOException {
        for (String name : folders(team)) {
            for (Path file : mutex.run(() -> of(name).paths())) {
                // A reader may take its time, so it has no lock.
                mutex.run(() -> TeamFiles.lines(file)).forEach(reader);
            }
        }
    }

    @Override
    public long forget(Forgetting forgetting, Instant now) throws IOException {
        QueryHashes hash = hashes(); // the note is also for lines that wait to be the first ones
        mutex.run(() -> {
            notes().add(new ForgetNotes.ForgetNote(now, forgetting.hashed(hash::of)));
            return now;
        });
        long changed = 0;
        for (String name : folders(forgetting.team())) {
            List<Path> files = mutex.run(() -> {
                of(name).removeDrafts();
                return of(name).paths();
            });
            for (Path file : files) {
                changed += mutex.run(() -> TeamFiles.forget(file, forgetting));
            }
            mutex.run(() -> PrivateFiles.removeIfEmpty(folder.resolve(name))); // its name is that of the team
        }
        return changed;
    }

    private List<String> folders(@Nullable String team) throws IOException {
        return folders().stream()
                .filter(name -> team == null || name.equals(TeamFolders.name(team)))
                .toList();
    }

    private List<String> folders() throws IOException {
        if (!exists()) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .filter(TeamFolders::isOne)
                    .sorted()
                    .toList();
        }
    }
}
