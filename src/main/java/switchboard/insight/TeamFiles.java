package switchboard.insight;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import switchboard.call.Json;
import switchboard.files.PrivateFiles;

/**
 * The files of a team, each named by the time of its first line. A new one begins after a part of the time and of the size that
 * may be kept, because what is too old goes file by file. Its callers exclude each other.
 */
record TeamFiles(Path folder) {
    private static final String SUFFIX = ".jsonl";
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    /** A file has this part of what is kept at most. */
    private static final int PARTS = 16;

    /** A file is read as a whole. */
    private static final long MOST_BYTES = 32L << 20;

    private record LogFile(Path path, Instant begins, long bytes) {}

    /** Appends {@code lines}, or nothing if that fails. */
    void append(List<TeamLine> lines, InsightSettings.TeamInsight settings, Instant now) throws IOException {
        PrivateFiles.folders(folder);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        lines.forEach(line -> bytes.writeBytes(line.line()));
        Path file = files().stream()
                .filter(one -> !one.begins().isAfter(now))
                .reduce((_, newest) -> newest)
                .filter(newest -> newest.bytes() + bytes.size() <= Math.min(MOST_BYTES, settings.maxBytes() / PARTS)
                        && now.isBefore(newest.begins().plus(length(settings))))
                .map(LogFile::path)
                .orElseGet(() -> folder.resolve(NAME.format(now) + SUFFIX));
        append(file, bytes.toByteArray());
    }

    private static Duration length(InsightSettings.TeamInsight settings) {
        return settings.keepFor().dividedBy(PARTS);
    }

    private static void append(Path file, byte[] bytes) throws IOException {
        try (FileChannel out =
                PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long before = wholeLines(out);
            try {
                ByteBuffer all = ByteBuffer.wrap(bytes);
                out.truncate(before);
                out.position(before);
                while (all.hasRemaining()) {
                    out.write(all);
                }
            } catch (IOException e) {
                undo(out, before, e);
                throw e;
            }
        }
    }

    private static void undo(FileChannel out, long before, IOException why) {
        try {
            out.truncate(before);
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /** The length up to the end of the last whole line: a process may have been killed while it wrote one. */
    private static long wholeLines(FileChannel file) throws IOException {
        long end = file.size();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (end > 0) {
            one.clear();
            file.read(one, end - 1);
            if (one.get(0) == '\n') {
                break;
            }
            end--;
        }
        return end;
    }

    /** Removes files with a line that is too old, and the oldest ones while all are too large. */
    void tidy(InsightSettings.TeamInsight settings, Instant now) throws IOException {
        removeDrafts();
        for (LogFile ahead : files()) {
            if (ahead.begins().isAfter(now.plus(length(settings)))) {
                // The clock was ahead: from now on it counts as if it began now.
                Files.move(ahead.path(), folder.resolve(NAME.format(now) + SUFFIX));
            }
        }
        List<LogFile> files = files();
        long bytes = files.stream().mapToLong(LogFile::bytes).sum();
        Instant oldest = now.minus(settings.keepFor());
        for (LogFile file : files) {
            if (file.begins().isBefore(oldest) || bytes > settings.maxBytes()) {
                Files.delete(file.path());
                bytes -= file.bytes();
            }
        }
    }

    /** The paths of the files, the oldest one first. */
    List<Path> paths() throws IOException {
        return files().stream().map(LogFile::path).toList();
    }

    /** The lines of a file; none if it is gone. What is no JSON is left out: a process may have been killed while it wrote it. */
    static List<JsonNode> lines(Path file) throws IOException {
        return texts(file).stream().flatMap(line -> parsed(line).stream()).toList();
    }

    private static List<String> texts(Path file) throws IOException {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }

    private static Optional<JsonNode> parsed(String line) {
        try {
            return Optional.of(Json.parse(line));
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }

    /** Removes what was left of a replacement that did not come to its end. */
    void removeDrafts() throws IOException {
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> drafts = Files.newDirectoryStream(folder, "*" + SUFFIX + ".new")) {
                for (Path draft : drafts) {
                    Files.deleteIfExists(draft);
                }
            }
        }
    }

    /** Forgets lines of a file; returns how many have changed or are gone. A line that is no JSON goes, too. */
    static long forget(Path file, Forgetting forgetting) throws IOException {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        long changed = 0;
        for (String text : texts(file)) {
            Optional<JsonNode> line = parsed(text);
            Optional<JsonNode> rest = line.flatMap(forgetting::rest);
            if (!rest.equals(line) || rest.isEmpty()) {
                changed++;
            }
            rest.ifPresent(whole -> {
                kept.writeBytes(Json.bytes(whole));
                kept.write('\n');
            });
        }
        if (changed > 0) {
            if (kept.size() == 0) {
                Files.delete(file);
            } else {
                PrivateFiles.replaceDurably(file, kept.toByteArray());
            }
        }
        return changed;
    }

    /** The oldest one first. */
    private List<LogFile> files() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<LogFile> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path path : all.sorted().toList()) {
                Optional<Instant> begins = begins(path.getFileName().toString());
                if (begins.isPresent()) {
                    found.add(new LogFile(path, begins.get(), Files.size(path)));
                }
            }
        }
        return found;
    }

    private static Optional<Instant> begins(String name) {
        try {
            return name.endsWith(SUFFIX)
                    ? Optional.of(NAME.parse(name.substring(0, name.length() - SUFFIX.length()), Instant::from))
                    : Optional.empty();
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
