package switchboard.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Json;
import switchboard.files.LockFile;
import switchboard.files.PrivateFiles;
import switchboard.files.TeamFolders;

/**
 * The standing questions on the disk: a folder for each team, with a file for each question, which is replaced in one step.
 * Readable by its owner only. Blocks; one thread at a time.
 */
final class WatchFolder {
    private static final Logger LOG = LoggerFactory.getLogger(WatchFolder.class);
    private static final String END = ".json";
    private static final String DRAFT = END + ".new";

    private final Path folder;

    /** The questions in the data folder {@code data}. Nothing is created before there is one. */
    WatchFolder(Path data) {
        this.folder = data.resolve("watches");
    }

    /** Takes the folder for this process; empty if another one has it. */
    Optional<LockFile> take() throws IOException {
        PrivateFiles.folders(folder);
        return LockFile.take(folder.resolve("lock"));
    }

    /** Whether there are any, or were. */
    boolean exists() {
        return Files.isDirectory(folder);
    }

    /** All of them. A damaged file is logged, and kept under another name; one that can't be read now is only logged. */
    List<Watch> read() throws IOException {
        List<Watch> all = new ArrayList<>();
        if (exists()) {
            try (Stream<Path> files = Files.walk(folder, 2)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (file.toString().endsWith(END)) {
                        read(file).ifPresent(all::add);
                    } else if (file.toString().endsWith(DRAFT)) {
                        Files.deleteIfExists(file); // of a process that was killed while it wrote
                    }
                }
            }
        }
        return all;
    }

    private Optional<Watch> read(Path file) throws IOException {
        try {
            Watch watch = Json.mapper().readValue(Files.readAllBytes(file), Watch.class);
            if (!file.equals(path(watch))) {
                throw new IllegalArgumentException("it is not the file of its question");
            }
            return Optional.of(watch);
        } catch (AccessDeniedException e) {
            LOG.error("{} can't be read, and its question is not asked", file);
            return Optional.empty();
        } catch (JsonProcessingException | RuntimeException e) { // whatever a damaged file leads to
            Path aside = PrivateFiles.setAside(file);
            // The message may have a part of the question.
            String kind = e.getClass().getSimpleName();
            LOG.warn("{} can't be read and is now {}: {}", file, aside.getFileName(), kind);
            return Optional.empty();
        }
    }

    /** Writes one; when it returns, it survives a crash of the machine. */
    void write(Watch watch) throws IOException {
        PrivateFiles.folders(folderOf(watch));
        PrivateFiles.replaceDurably(path(watch), Json.bytes(Json.tree(watch)));
    }

    /** Removes one; when it returns, it does not come back after a crash of the machine. */
    void remove(Watch watch) throws IOException {
        if (Files.deleteIfExists(path(watch))) {
            gone(folderOf(watch));
        }
    }

    /** Something is gone from the folder of a team, whose name is that of the team: so it goes when it is empty. */
    private void gone(Path ofTeam) throws IOException {
        PrivateFiles.syncFolder(PrivateFiles.removeIfEmpty(ofTeam) ? folder : ofTeam);
    }

    /** Removes what was set aside of {@code team}, or of all if it is null: nobody knows whose it was. Returns how many files. */
    long forgetDamaged(@Nullable String team) throws IOException {
        long removed = 0;
        for (Path ofTeam : listed(folder)) {
            if (Files.isDirectory(ofTeam) && (team == null || ofTeam.equals(folderOf(team)))) {
                for (Path file : listed(ofTeam)) {
                    if (file.toString().endsWith(PrivateFiles.SET_ASIDE) && Files.deleteIfExists(file)) {
                        removed++;
                    }
                }
                gone(ofTeam);
            }
        }
        return removed;
    }

    private static List<Path> listed(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private Path path(Watch watch) {
        return folderOf(watch).resolve(watch.name() + END);
    }

    private Path folderOf(Watch watch) {
        return folderOf(watch.owner().team());
    }

    private Path folderOf(String team) {
        return folder.resolve(TeamFolders.name(team));
    }
}
