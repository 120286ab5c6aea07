package switchboard.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Json;
import switchboard.files.LockFile;
import switchboard.files.PrivateFiles;

/**
 * Forgets standing questions in a data folder. A gateway that keeps them finds a note, which it removes when that is done.
 * Blocks.
 */
public final class ForgottenWatches {
    private static final Logger LOG = LoggerFactory.getLogger(ForgottenWatches.class);
    private static final String NOTE = ".forget";

    private final Path notes;
    private final WatchFolder folder;

    /** Of the data folder {@code data}. */
    public ForgottenWatches(Path data) {
        this.notes = data.resolve("watches");
        this.folder = new WatchFolder(data);
    }

    /**
     * A note for the process that keeps the questions.
     *
     * @param file where it is
     */
    record ForgetNote(Path file, WatchForgetting what) {}

    /** How many questions are gone or have changed; empty if a running gateway keeps them and does that a moment later. */
    public OptionalLong forget(WatchForgetting what) throws IOException {
        if (!folder.exists()) {
            return OptionalLong.of(0);
        }
        Optional<LockFile> taken = folder.take();
        if (taken.isEmpty()) {
            PrivateFiles.replaceDurably(notes.resolve(UUID.randomUUID() + NOTE), Json.bytes(Json.tree(what)));
            return OptionalLong.empty();
        }
        try (LockFile _ = taken.get()) {
            long changed = 0;
            for (Watch watch : folder.read()) {
                Optional<Watch> rest = what.rest(watch);
                if (rest.isEmpty()) {
                    folder.remove(watch);
                    changed++;
                } else if (!rest.get().equals(watch)) {
                    folder.write(rest.get());
                    changed++;
                }
            }
            return OptionalLong.of(changed + folder.forgetDamaged(what.team()));
        }
    }

    /** What commands have noted. A damaged note is logged and removed. */
    List<ForgetNote> notes() throws IOException {
        if (!folder.exists()) {
            return List.of();
        }
        List<ForgetNote> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(notes)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(NOTE)).toList()) {
                try {
                    all.add(new ForgetNote(
                            file, Json.mapper().readValue(Files.readAllBytes(file), WatchForgetting.class)));
                } catch (JsonProcessingException e) {
                    LOG.error("{} can't be read, and nothing is forgotten; forget again", file);
                    Files.delete(file);
                }
            }
        }
        return all;
    }

    /** What {@code note} says is done. */
    static boolean done(ForgetNote note) throws IOException {
        return Files.deleteIfExists(note.file());
    }
}
