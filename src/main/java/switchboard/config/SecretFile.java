package switchboard.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The file of a secret or of certificates. Its text can be read from any thread. {@link #look}, which blocks, applies
 * a new text when two checks in a row find the file the same. A file that is missing, empty or truncated changes
 * nothing.
 */
public final class SecretFile {
    private static final long MOST_BYTES = 64 * 1024;
    private static final int MOST_KEPT = 4;

    private final Path path;
    private final long most;
    private final BiPredicate<String, String> whole;
    private @Nullable Stamp seen;
    private @Nullable Stamp changing;
    /** The newest first. The other side may still use older ones. */
    private volatile List<SecretVersion> texts;

    private volatile Predicate<String> required = _ -> true;
    private volatile boolean failed;

    /** A text that the file contained until {@code replaced}; null for the current text. */
    private record SecretVersion(String text, @Nullable Instant replaced) {
        boolean since(Instant instant) {
            return replaced == null || replaced.isAfter(instant);
        }

        SecretVersion until(Instant now) {
            return replaced == null ? new SecretVersion(text, now) : this;
        }
    }

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

    /** The result of a check. */
    public enum ReadResult {
        /** Nothing has changed. */
        SAME,
        /** A new text is in use. */
        TAKEN,
        /** The file can't be used any more, and the previous text stays in use. */
        REFUSED
    }

    /**
     * Reads {@code path} for the first time.
     *
     * @throws IllegalArgumentException with a message for the operator, without the text
     */
    SecretFile(Path path, String name) {
        this(path, name, MOST_BYTES, SecretFile::oneLine);
    }

    /**
     * The same for a file with another format.
     *
     * @param most maximum size in bytes
     * @param whole whether the second text, which follows the first one, looks complete
     */
    SecretFile(Path path, String name, long most, BiPredicate<String, String> whole) {
        this.path = path;
        this.most = most;
        this.whole = whole;
        this.seen = Stamp.of(path);
        this.texts = List.of(new SecretVersion(read(path, name, most), null));
    }

    private static boolean oneLine(String before, String found) {
        boolean cut = before.startsWith(found) && !before.equals(found);
        return !cut && found.chars().noneMatch(Character::isISOControl);
    }

    /**
     * Reads the text in {@code path}, which messages call {@code name}.
     *
     * @throws IllegalArgumentException with a message for the operator, without the text
     */
    static String read(Path path, String name) {
        return read(path, name, MOST_BYTES);
    }

    private static String read(Path path, String name, long most) {
        try {
            if (Files.size(path) > most) {
                throw new IllegalArgumentException("the file " + name + " is larger than " + (most >> 10) + "KiB");
            }
            String value = Files.readString(path, StandardCharsets.UTF_8).strip();
            if (value.isEmpty()) {
                throw new IllegalArgumentException("the file " + name + " is empty");
            }
            return value;
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + name, e);
        } catch (AccessDeniedException e) {
            throw new IllegalArgumentException("the gateway's user may not read the file " + name, e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the file " + name + " is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file " + name + " can't be read: " + e.getMessage(), e);
        }
    }

    /** The path of the file. */
    public Path path() {
        return path;
    }

    /** Whether the current file can't be used, so that an older text is in use. */
    public boolean failed() {
        return failed;
    }

    /** The current text. */
    String text() {
        return texts.getFirst().text();
    }

    /** The current text and the previous ones that were in use after {@code instant}. */
    List<String> since(Instant instant) {
        return texts.stream()
                .filter(text -> text.since(instant))
                .map(SecretVersion::text)
                .toList();
    }

    /** From now on, accepts only texts that match {@code right}. */
    void requires(Predicate<String> right) {
        required = right;
    }

    /**
     * Checks at the time {@code at} whether the file has changed. A file that can't be used is tried again at each
     * check.
     */
    public synchronized ReadResult look(Instant at) {
        Stamp now = Stamp.of(path);
        if (Objects.equals(now, seen)) {
            changing = now;
            return failed ? take(at) : ReadResult.SAME;
        }
        if (!Objects.equals(now, changing)) {
            changing = now;
            return ReadResult.SAME;
        }
        seen = now;
        return take(at);
    }

    private ReadResult take(Instant at) {
        String before = text();
        String found;
        try {
            found = read(path, path.toString(), most);
        } catch (IllegalArgumentException _) {
            return refused();
        }
        if (!whole.test(before, found) || !required.test(found)) {
            return refused();
        }
        boolean mended = failed;
        failed = false;
        if (found.equals(before)) {
            return mended ? ReadResult.TAKEN : ReadResult.SAME;
        }
        Stream<SecretVersion> earlier = texts.stream()
                .map(text -> text.until(at))
                .filter(text -> !text.text().equals(found));
        texts = Stream.concat(Stream.of(new SecretVersion(found, null)), earlier)
                .limit(MOST_KEPT)
                .toList();
        return ReadResult.TAKEN;
    }

    private ReadResult refused() {
        boolean told = failed;
        failed = true;
        return told ? ReadResult.SAME : ReadResult.REFUSED;
    }
}
