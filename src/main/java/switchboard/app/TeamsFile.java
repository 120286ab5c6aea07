package switchboard.app;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import switchboard.config.ConfigLoader;
import switchboard.config.TeamConfig;
import switchboard.config.TeamKeyConfig;
import switchboard.config.TeamsYaml;
import switchboard.files.PrivateFiles;

/**
 * Edits the teams file. A change is written as a whole or not at all, and changes nothing else in the file. Of several that edit
 * it at the same time each starts from what the one before has written. Blocks.
 */
final class TeamsFile {
    private static final Set<PosixFilePermission> WRITING =
            Set.of(PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** What a writer left that was killed is removed after this time; to write takes milliseconds. */
    private static final Duration ABANDONED = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final int MOST_TRIES = 100;

    /** Somebody else is changing the file, or just has. */
    private static final class ChangedMeanwhileException extends TeamsFileException {
        private static final long serialVersionUID = 1L;

        ChangedMeanwhileException(Path file) {
            super(file + " has changed meanwhile; try again", null);
        }
    }

    private final Path file;

    TeamsFile(Path file) {
        this.file = file;
    }

    /** The teams in the file; none if it does not exist. */
    Map<String, TeamConfig> teams() {
        return parse(text());
    }

    /** The team that has the key {@code keyId}. */
    Optional<String> teamOf(String keyId) {
        return teamOf(teams(), keyId);
    }

    private static Optional<String> teamOf(Map<String, TeamConfig> teams, String keyId) {
        return teams.entrySet().stream()
                .filter(team ->
                        team.getValue().keys().stream().anyMatch(key -> key.id().equals(keyId)))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The SHA-256 of the key {@code keyId} of {@code team}. */
    String digest(String team, String keyId) {
        TeamConfig config = teams().get(team);
        return (config == null ? List.<TeamKeyConfig>of() : config.keys())
                .stream()
                        .filter(key -> key.id().equals(keyId))
                        .map(TeamKeyConfig::sha256)
                        .findFirst()
                        .orElseThrow(() -> new ChangedMeanwhileException(file));
    }

    /** Why the file can't be changed here, as far as its permissions and those of its folder say; empty if it can. */
    Optional<String> readOnly() {
        try {
            Path target = target();
            if (Files.exists(target) && (!Files.isWritable(target) || writableByNobody(target))) {
                return Optional.of(file.getFileName() + " is read-only.");
            }
            // A change is a new file beside it, which then takes its name.
            return Files.isWritable(target.resolveSibling(""))
                    ? Optional.empty()
                    : Optional.of("The folder of " + file.getFileName() + " is read-only.");
        } catch (IOException e) {
            return Optional.of(file.getFileName() + " can't be read: " + e);
        }
    }

    /** Who runs as root may write it, but somebody has said that it is not to be written. */
    private static boolean writableByNobody(Path target) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(target, PosixFileAttributeView.class);
        return view != null && view.readAttributes().permissions().stream().noneMatch(WRITING::contains);
    }

    /**
     * Adds a key to {@code team}.
     *
     * @param fields the lines that are written for it
     * @return whether the team is new
     */
    boolean add(String team, TeamKeyConfig key, List<String> fields) {
        return again(() -> {
            String before = text();
            Map<String, TeamConfig> expected = new HashMap<>(parse(before));
            teamOf(expected, key.id()).ifPresent(owner -> {
                throw new TeamsFileException("id: there is a key \"" + key.id() + "\" already, of team " + owner, null);
            });
            TeamConfig old = expected.get(team);
            String after = new TeamsYaml(before).withKey(team, fields).text();
            TeamConfig changed = parse(after).get(team);
            if (changed == null || !changed.keys().contains(key)) {
                throw unusual();
            }
            TeamConfig base = old == null ? changed : old;
            List<TeamKeyConfig> keys = new ArrayList<>(old == null ? List.of() : old.keys());
            keys.addFirst(key);
            expected.put(team, base.withKeys(keys));
            write(before, after, expected);
            return old == null;
        });
    }

    /** Removes the key {@code keyId} of {@code team}. */
    void remove(String team, String keyId) {
        again(() -> {
            String before = text();
            Map<String, TeamConfig> expected = new HashMap<>(parse(before));
            expected.computeIfPresent(
                    team,
                    (name, config) -> config.withKeys(config.keys().stream()
                            .filter(key -> !key.id().equals(keyId))
                            .toList()));
            write(before, new TeamsYaml(before).withoutKey(keyId).text(), expected);
            return true;
        });
    }

    /** Makes a change that starts from the file as it is, anew as long as others change it. */
    private static boolean again(BooleanSupplier change) {
        for (int tries = 1; ; tries++) {
            try {
                return change.getAsBoolean();
            } catch (ChangedMeanwhileException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
                pause(e);
            }
        }
    }

    private static void pause(ChangedMeanwhileException why) {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw why;
        }
    }

    private void write(String before, String after, Map<String, TeamConfig> expected) {
        if (!parse(after).equals(expected)) {
            throw unusual();
        }
        try {
            Path target = target();
            Path next = target.resolveSibling("." + target.getFileName() + ".new");
            draft(next, after);
            try {
                replace(target, next, before);
            } catch (IOException | RuntimeException e) {
                Files.deleteIfExists(next);
                throw e;
            }
        } catch (IOException e) {
            throw new TeamsFileException("can't write " + file + ": " + e, e);
        }
    }

    /** Who has made the draft is the one who writes. */
    private void draft(Path next, String after) throws IOException {
        try {
            PrivateFiles.create(next, after.getBytes(StandardCharsets.UTF_8));
        } catch (FileAlreadyExistsException _) {
            if (abandoned(next)) {
                Files.deleteIfExists(next);
            }
            throw new ChangedMeanwhileException(file);
        }
    }

    private static boolean abandoned(Path next) throws IOException {
        try {
            return Files.getLastModifiedTime(next)
                    .toInstant()
                    .isBefore(Instant.now().minus(ABANDONED));
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private void replace(Path target, Path next, String before) throws IOException {
        if (Files.exists(target)) {
            keepPermissions(target, next);
        }
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        if (!text().equals(before)) {
            throw new ChangedMeanwhileException(file);
        }
        Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path target() throws IOException {
        return Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    }

    private static void keepPermissions(Path from, Path to) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(from, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view != null) {
            Files.setPosixFilePermissions(to, view.readAttributes().permissions());
        }
    }

    private TeamsFileException unusual() {
        return new TeamsFileException(
                file + " is written in a way that can't be changed safely here; change it by hand", null);
    }

    private String text() {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new TeamsFileException("can't read " + file + ": " + e, e);
        }
    }

    private Map<String, TeamConfig> parse(String text) {
        return new ConfigLoader(Map.of(), System.getenv())
                .parseTeams(text, String.valueOf(file.getFileName()))
                .teams();
    }
}
