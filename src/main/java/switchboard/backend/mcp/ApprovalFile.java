package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import switchboard.backend.SharedApprovals;
import switchboard.call.Json;
import switchboard.files.PrivateFiles;

/**
 * The stored state of a server's tools: approved definitions, those held back, and the last published ones. Written to
 * a new file that replaces the old one. Blocks; not for event loops.
 */
public final class ApprovalFile {
    /** One lock for each file: the backend of the gateway and its operators write the same one. */
    private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

    private final Path folder;
    private final Path file;
    private final ReentrantLock lock;

    /**
     * The tools of one server.
     *
     * @param approved by name, the hash of the approved definition
     * @param held by name, definitions that wait for approval
     * @param before by name, the definitions that were approved before those that wait, as far as they are known
     * @param listed the definitions that were published last
     */
    public record ToolApprovals(
            Map<String, String> approved,
            Map<String, ObjectNode> held,
            Map<String, ObjectNode> before,
            List<ObjectNode> listed) {
        /** In the place of a hash: an operator has to say which one. */
        private static final String CONTESTED = "contested";

        /** An empty state. */
        static final ToolApprovals NONE = new ToolApprovals(Map.of(), Map.of(), Map.of(), List.of());

        public ToolApprovals {
            approved = Map.copyOf(approved);
            held = Map.copyOf(held);
            before = Map.copyOf(before);
            listed = List.copyOf(listed);
        }

        /**
         * The same with these definitions approved, by the names of their tools. What an operator has approved for all gateways holds
         * whatever the file says. If only the first uses on two gateways differ, neither definition is approved.
         */
        ToolApprovals with(Map<String, SharedApprovals.SharedApproval> shared) {
            if (shared.isEmpty()) {
                return this;
            }
            Map<String, String> all = new TreeMap<>(approved);
            shared.forEach((tool, approval) -> {
                if (approval.byOperator()) {
                    all.put(tool, approval.hash());
                } else {
                    all.merge(tool, approval.hash(), (own, other) -> own.equals(other) ? own : CONTESTED);
                }
            });
            return new ToolApprovals(all, held, before, listed);
        }

        /** The same with these definitions approved, by name, their hashes. They are published when they are listed again. */
        ToolApprovals approve(Map<String, String> hashes) {
            Map<String, String> more = new TreeMap<>(approved);
            Map<String, ObjectNode> less = new TreeMap<>(held);
            more.putAll(hashes);
            less.entrySet()
                    .removeIf(waiting -> ToolDefinition.hash(waiting.getValue()).equals(hashes.get(waiting.getKey())));
            Map<String, ObjectNode> past = new TreeMap<>(before);
            past.keySet().retainAll(less.keySet());
            return new ToolApprovals(more, less, past, listed);
        }

        /** What is held back, by the names of the tools. */
        public List<HeldDefinition> waiting() {
            return new TreeMap<>(held)
                    .entrySet().stream()
                            .map(one -> new HeldDefinition(
                                    one.getKey(),
                                    ToolDefinition.hash(one.getValue()),
                                    one.getValue(),
                                    Optional.ofNullable(before.get(one.getKey()))))
                            .toList();
        }
    }

    /**
     * A definition that waits for approval.
     *
     * @param tool the name at the server
     * @param hash SHA-256 of the definition, hexadecimal
     * @param before the definition that was approved before it, if that is known
     */
    public record HeldDefinition(String tool, String hash, ObjectNode definition, Optional<ObjectNode> before) {}

    /** The file of the backend {@code id} in the data folder. */
    public ApprovalFile(Path dataDir, String id) {
        this.folder = dataDir.resolve("upstreams");
        this.file = folder.resolve(id + ".json");
        this.lock = LOCKS.computeIfAbsent(file.toAbsolutePath().normalize(), _ -> new ReentrantLock());
    }

    /** When it was last written; empty if it does not exist. */
    Optional<FileTime> written() {
        try {
            return Optional.of(Files.getLastModifiedTime(file));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Its content; {@link ToolApprovals#NONE} if it does not exist. */
    public ToolApprovals read() throws IOException {
        try {
            JsonNode root = Json.parse(Files.readAllBytes(file));
            if (!root.path("approved").isObject()) {
                throw new IOException(file + " has no approvals, as if it were truncated");
            }
            Map<String, String> approved = new TreeMap<>();
            root.path("approved")
                    .properties()
                    .forEach(approval ->
                            approved.put(approval.getKey(), approval.getValue().asText()));
            List<ObjectNode> listed = new java.util.ArrayList<>();
            root.path("listed").forEach(definition -> {
                if (definition instanceof ObjectNode object) {
                    listed.add(object);
                }
            });
            return new ToolApprovals(
                    approved, definitions(root.path("held")), definitions(root.path("before")), listed);
        } catch (NoSuchFileException _) {
            return ToolApprovals.NONE;
        }
    }

    private static Map<String, ObjectNode> definitions(JsonNode byName) {
        Map<String, ObjectNode> definitions = new TreeMap<>();
        byName.properties().forEach(one -> {
            if (one.getValue() instanceof ObjectNode definition) {
                definitions.put(one.getKey(), definition);
            }
        });
        return definitions;
    }

    /** Keeps others in this process from writing it, until it is unlocked by the same thread. */
    ReentrantLock lock() {
        return lock;
    }

    /** Approves these definitions, by name, their hashes, whatever else has changed in the file meanwhile. */
    public void approve(Map<String, String> hashes) throws IOException {
        lock.lock();
        try {
            write(read().approve(hashes));
        } finally {
            lock.unlock();
        }
    }

    /** Replaces its content. */
    public void write(ToolApprovals approvals) throws IOException {
        ObjectNode root = Json.object();
        ObjectNode approved = root.putObject("approved");
        new TreeMap<>(approvals.approved()).forEach(approved::put);
        ObjectNode held = root.putObject("held");
        new TreeMap<>(approvals.held()).forEach(held::set);
        ObjectNode before = root.putObject("before");
        new TreeMap<>(approvals.before()).forEach(before::set);
        approvals.listed().forEach(root.putArray("listed")::add);
        PrivateFiles.folders(folder);
        PrivateFiles.replace(file, Json.bytes(root));
    }
}
