package switchboard.app.command;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.config.ConfigLoader;
import switchboard.config.TeamConfig;
import switchboard.config.TeamKeyConfig;
import switchboard.config.TeamsYaml;
import switchboard.files.PrivateFiles;

/**
 * Edits the teams file for commands. A change is written as a whole or not at all, and changes nothing else in the
 * file.
 */
final class TeamsFile {
    /** The file was left unchanged. The message says why and what to do. */
    static final class TeamsFileException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TeamsFileException(String message, @Nullable Throwable cause) {
            super(message, cause);
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
        return teams().entrySet().stream()
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
                        .orElseThrow(() -> new TeamsFileException(file + " has changed meanwhile; try again", null));
    }

    /**
     * Adds a key to {@code team}.
     *
     * @param fields the lines that are written for it
     * @return whether the team is new
     */
    boolean add(String team, TeamKeyConfig key, List<String> fields) {
        String before = text();
        Map<String, TeamConfig> expected = new HashMap<>(parse(before));
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
    }

    /** Removes the key {@code keyId} of {@code team}. */
    void remove(String team, String keyId) {
        String before = text();
        Map<String, TeamConfig> expected = new HashMap<>(parse(before));
        expected.computeIfPresent(
                team,
                (name, config) -> config.withKeys(config.keys().stream()
                        .filter(key -> !key.id().equals(keyId))
                        .toList()));
        write(before, new TeamsYaml(before).withoutKey(keyId).text(), expected);
    }

    private void write(String before, String after, Map<String, TeamConfig> expected) {
        if (!parse(after).equals(expected)) {
            throw unusual();
        }
        try {
            Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            Path next = target.resolveSibling("." + target.getFileName() + ".new");
            Files.deleteIfExists(next);
            PrivateFiles.create(next, after.getBytes(StandardCharsets.UTF_8));
            if (Files.exists(target)) {
                keepPermissions(target, next);
            }
            try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            if (!text().equals(before)) {
                Files.delete(next);
                throw new TeamsFileException(file + " has changed meanwhile; try again", null);
            }
            Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new TeamsFileException("can't write " + file + ": " + e, e);
        }
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
                file + " is written in a way that this command does not change safely; change it by hand", null);
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
