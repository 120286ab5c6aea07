package switchboard.task;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.PrincipalId;
import switchboard.call.Json;
import switchboard.files.LockFile;
import switchboard.files.PrivateFiles;

/**
 * The folder with a file for each task: a line with the task, then a line with the detail of its state. One process at a
 * time uses it. Not thread-safe; blocks.
 */
public final class TaskFolder {
    private static final Logger LOG = LoggerFactory.getLogger(TaskFolder.class);
    private static final String SUFFIX = ".jsonl";
    private static final Pattern FILE = Pattern.compile("[0-9a-f]{40}\\.jsonl");

    private final Path folder;
    private @Nullable LockFile lock;

    /** The folder {@code folder}, which is created when it is first used. */
    public TaskFolder(Path folder) {
        this.folder = folder;
    }

    /** Whether this process may use the folder from now on; false while another one uses it. */
    boolean take() throws IOException {
        if (lock == null) {
            PrivateFiles.folders(folder);
            lock = LockFile.take(folder.resolve("lock")).orElse(null);
        }
        return lock != null;
    }

    /** Lets another process use the folder. */
    void release() throws IOException {
        LockFile held = lock;
        lock = null;
        if (held != null) {
            held.close();
        }
    }

    /**
     * All tasks, without details. A file that is damaged is logged and renamed, one that can't be read is logged and left; a
     * draft is deleted.
     */
    List<Task> load() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.sorted().toList();
        }
        List<Task> tasks = new ArrayList<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (FILE.matcher(name).matches()) {
                read(file).ifPresent(tasks::add);
            } else if (name.endsWith(".new")) {
                discard(file);
            }
        }
        return tasks;
    }

    private static void discard(Path draft) {
        try {
            Files.delete(draft);
        } catch (IOException e) {
            LOG.warn("the draft {} can't be deleted: {}", draft, e.toString());
        }
    }

    private static Optional<Task> read(Path file) {
        try {
            return undamaged(file);
        } catch (IOException e) {
            LOG.warn("the task in {} can't be read: {}", file, e.toString());
            return Optional.empty();
        }
    }

    private static Optional<Task> undamaged(Path file) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return Optional.of(task(file, Json.parse(String.valueOf(lines.readLine()))));
        } catch (JsonProcessingException
                | CharacterCodingException
                | IllegalArgumentException
                | DateTimeException
                | ArithmeticException e) {
            Path aside = PrivateFiles.setAside(file);
            LOG.warn(
                    "the task in {} is damaged ({}); the file is now {}",
                    file,
                    e.getClass().getSimpleName(),
                    aside.getFileName());
            return Optional.empty();
        }
    }

    /** Writes a task; when this returns, it is on the disk. */
    void write(Task task) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        lines.writeBytes(Json.bytes(json(task)));
        lines.write('\n');
        ObjectNode detail = task.state().detail();
        if (detail != null) {
            lines.writeBytes(Json.bytes(detail));
            lines.write('\n');
        }
        PrivateFiles.replaceDurably(file(task.id()), lines.toByteArray());
    }

    /** The detail of the state that was written last, or empty if there is none. */
    Optional<ObjectNode> detail(String id) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file(id))) {
            lines.readLine();
            String detail = lines.readLine();
            return detail != null
                            && Json.parseDeep(detail.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode object
                    ? Optional.of(object)
                    : Optional.empty();
        }
    }

    void delete(String id) throws IOException {
        Files.deleteIfExists(file(id));
    }

    private Path file(String id) {
        return folder.resolve(id + SUFFIX);
    }

    private static ObjectNode json(Task task) {
        TaskCall call = task.call();
        ObjectNode json = Json.object()
                .put("team", call.owner().team())
                .put("principal", call.owner().id())
                .put("proof", call.owner().proof())
                .put("backend", call.backend())
                .put("tool", call.tool())
                .put("upstreamId", call.upstreamId())
                .put("created", task.created().toString())
                .put("updated", task.updated().toString())
                .put("ttlMs", task.ttl().toMillis())
                .put("status", task.state().status().word())
                .put("message", task.state().message());
        call.resources().forEach(json.putArray("resources")::add);
        return json;
    }

    private static Task task(Path file, JsonNode json) {
        String name = file.getFileName().toString();
        List<String> resources = new ArrayList<>();
        json.path("resources").forEach(resource -> resources.add(resource.asText()));
        @Nullable String proof = json.path("proof").textValue();
        @Nullable String upstreamId = json.path("upstreamId").textValue();
        @Nullable String message = json.path("message").textValue();
        return new Task(
                name.substring(0, name.length() - SUFFIX.length()),
                new TaskCall(
                        new PrincipalId(text(json, "team"), text(json, "principal"), proof),
                        text(json, "backend"),
                        text(json, "tool"),
                        resources,
                        upstreamId),
                Instant.parse(text(json, "created")),
                Instant.parse(text(json, "updated")),
                Duration.ofMillis(json.path("ttlMs").asLong()),
                new TaskState(TaskStatus.of(text(json, "status")).orElseThrow(TaskFolder::unreadable), message, null));
    }

    private static String text(JsonNode json, String field) {
        if (!json.path(field).isTextual()) {
            throw unreadable();
        }
        return json.path(field).asText();
    }

    private static IllegalArgumentException unreadable() {
        return new IllegalArgumentException("not a task");
    }

    /** The folder's path, for logs. */
    @Override
    public String toString() {
        return folder.toString();
    }
}
