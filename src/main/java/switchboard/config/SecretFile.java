package switchboard.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The file of a secret. Its text may be asked for from any thread; {@link #look}, which blocks, takes a new one when two
 * looks find the file the same. A file that is gone, empty or cut changes nothing.
 */
public final class SecretFile {
    private static final long MOST_BYTES = 64 * 1024;
    private static final int MOST_KEPT = 4;

    private final Path path;
    private @Nullable Stamp seen;
    private @Nullable Stamp changing;
    /** The newest first; those after it may still be in what the other side says. */
    private volatile List<String> texts;

    private volatile boolean failed;

    private record Stamp(
            FileTime modified, long size, @Nullable Object key) {
        static @Nullable Stamp of(Path path) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
                return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
            } catch (IOException _) {
                return null;
            }
        }
    }

    /** What a look found. */
    public enum Look {
        /** Nothing to tell. */
        SAME,
        /** A new text is in force. */
        TAKEN,
        /** From now on the file can't be used, and the text before stays. */
        REFUSED
    }

    /**
     * Reads {@code path} for the first time.
     *
     * @throws IllegalArgumentException with a message for the operator, without the text
     */
    SecretFile(Path path, String name) {
        this.path = path;
        this.seen = Stamp.of(path);
        this.texts = List.of(read(path, name));
    }

    /**
     * The text in {@code path}, which messages call {@code name}.
     *
     * @throws IllegalArgumentException with a message for the operator, without the text
     */
    static String read(Path path, String name) {
        try {
            if (Files.size(path) > MOST_BYTES) {
                throw new IllegalArgumentException("the file " + name + " is larger than 64KiB");
            }
            String value = Files.readString(path, StandardCharsets.UTF_8).strip();
            if (value.isEmpty()) {
                throw new IllegalArgumentException("the file " + name + " is empty");
            }
            return value;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the file " + name + " can't be read (" + e.getClass().getSimpleName() + ")", e);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** Whether the file as it is can't be used, so that an older text is in force. */
    public boolean failed() {
        return failed;
    }

    /** The text in force. */
    String text() {
        return texts.getFirst();
    }

    /** The text in force, and the last ones before. */
    List<String> known() {
        return texts;
    }

    /** Looks whether the file has changed. One that can't be used is tried again at each look. */
    public synchronized Look look() {
        Stamp now = Stamp.of(path);
        if (Objects.equals(now, seen)) {
            changing = now;
            return failed ? take() : Look.SAME;
        }
        if (!Objects.equals(now, changing)) {
            changing = now;
            return Look.SAME;
        }
        seen = now;
        return take();
    }

    private Look take() {
        String before = text();
        String found;
        try {
            found = read(path, path.toString());
        } catch (IllegalArgumentException _) {
            return refused();
        }
        boolean cut = before.startsWith(found) && !before.equals(found);
        if (cut || found.chars().anyMatch(Character::isISOControl)) {
            return refused();
        }
        boolean mended = failed;
        failed = false;
        if (found.equals(before)) {
            return mended ? Look.TAKEN : Look.SAME;
        }
        texts = Stream.concat(Stream.of(found), texts.stream())
                .distinct()
                .limit(MOST_KEPT)
                .toList();
        return Look.TAKEN;
    }

    private Look refused() {
        boolean told = failed;
        failed = true;
        return told ? Look.SAME : Look.REFUSED;
    }
}
