package switchboard.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * Files that people have uploaded, so that they can be ingested. Each belongs to a team, and is there until an ingestion of it has
 * ended, for {@link #KEPT} at most. Who has its reference, which can't be guessed, and is of that team may read it. Several
 * processes may share the folder. Blocks.
 */
public final class UploadedFiles {
    /** How long a file is kept. */
    public static final Duration KEPT = Duration.ofHours(1);

    /** The largest file, in bytes. */
    public static final long MOST_BYTES = 64L << 20;

    /** How much room the files of a team may take, in bytes. */
    public static final long MOST_BYTES_OF_A_TEAM = 256L << 20;

    /** How much room the files of all teams may take, in bytes. */
    public static final long MOST_BYTES_OF_ALL = 2L << 30;

    /** How many files a team may have. */
    public static final int MOST_FILES_OF_A_TEAM = 32;

    /** Where they are in the data folder. */
    public static final String FOLDER = "uploads";

    private static final int LONGEST_NAME = 255;
    private static final String SCHEME = "upload:";
    private static final Pattern REFERENCE =
            Pattern.compile("upload:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/([^/\\\\\\p{Cntrl}]+)");

    private final Path folder;
    private final InstantSource clock;

    /** Files in {@code folder}, which need not exist. */
    public UploadedFiles(Path folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /**
     * A file with room for its content.
     *
     * @param file where it is
     * @param reference its name for callers: {@code upload:ID/NAME}
     */
    public record UploadedFile(Path file, String reference) {
        /** The name that it had where it comes from. */
        public String name() {
            return reference.substring(reference.indexOf('/') + 1);
        }
    }

    /** Whether {@code name} refers to an uploaded file, whether or not there is one. */
    public static boolean isReference(String name) {
        return name.startsWith(SCHEME);
    }

    /** Whether a file may have the name {@code name}: 1 to 255 characters without slashes and control characters. */
    public static boolean isName(String name) {
        return name.length() <= LONGEST_NAME
                && !name.isBlank()
                && REFERENCE.matcher(reference(new UUID(0, 0), name)).matches();
    }

    /**
     * Makes room for a file of {@code bytes} bytes.
     *
     * @param name one that {@link #isName} allows
     * @return empty if the team has too many files, or too large ones, or all teams together have
     */
    public Optional<UploadedFile> reserve(String team, String name, long bytes) throws IOException {
        sweep();
        List<Path> own = files(PrivateFiles.folders(of(team)));
        if (own.size() >= MOST_FILES_OF_A_TEAM
                || size(own) + bytes > MOST_BYTES_OF_A_TEAM
                || size(all()) + bytes > MOST_BYTES_OF_ALL) {
            return Optional.empty();
        }
        UploadedFile upload = upload(team, UUID.randomUUID(), name);
        // Its length is there at once, so that it counts before its content has arrived.
        try (FileChannel channel =
                PrivateFiles.open(upload.file(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            if (bytes > 0) {
                channel.write(ByteBuffer.wrap(new byte[1]), bytes - 1);
            }
        }
        return Optional.of(upload);
    }

    /** The file with a reference; empty if there is none, none any more, or it is another team's. */
    public Optional<UploadedFile> find(String team, String reference) {
        Matcher parts = REFERENCE.matcher(reference);
        return parts.matches()
                ? Optional.of(upload(team, UUID.fromString(parts.group(1)), parts.group(2)))
                        .filter(upload -> Files.isRegularFile(upload.file()) && isKept(upload.file()))
                : Optional.empty();
    }

    /** Removes a file, if it is still there. */
    public void remove(UploadedFile upload) throws IOException {
        Files.deleteIfExists(upload.file());
    }

    /** Removes the files of all teams that are kept no longer. */
    public void sweep() throws IOException {
        for (Path file : all()) {
            if (!isKept(file)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private List<Path> all() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path team : files(folder)) {
            found.addAll(files(team));
        }
        return found;
    }

    private static List<Path> files(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(place)) {
            return files.toList();
        }
    }

    private boolean isKept(Path file) {
        try {
            return !Files.getLastModifiedTime(file)
                    .toInstant()
                    .isBefore(clock.instant().minus(KEPT));
        } catch (IOException _) {
            return false; // ingested meanwhile
        }
    }

    private static long size(List<Path> files) throws IOException {
        long bytes = 0;
        for (Path file : files) {
            try {
                bytes += Files.size(file);
            } catch (NoSuchFileException _) {
                // It was ingested meanwhile.
            }
        }
        return bytes;
    }

    private UploadedFile upload(String team, UUID id, String name) {
        // By its digest: who can list the folder learns no reference.
        return new UploadedFile(of(team).resolve(DigestUtils.sha256Hex(id.toString())), reference(id, name));
    }

    private static String reference(UUID id, String name) {
        return SCHEME + id + "/" + name;
    }

    private Path of(String team) {
        return folder.resolve(DigestUtils.sha256Hex(team));
    }
}
