package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.files.PrivateFiles;

/**
 * The namespaces of a store: a folder each, with the index and a file that holds the name. They are created and
 * removed by renaming, so that a namespace exists completely or not at all. Thread-safe; blocks.
 */
final class NamespaceCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceCatalog.class);

    /** Prefix of a folder's name while it is being created or removed. */
    private static final String TRANSIENT = ".";

    /** How many namespaces stay open for writing between calls. */
    static final int MAX_WRITERS = 32;

    static final String NAME_FILE = "space.json";
    static final String INDEX = "index";

    /** Says that the files follow a shared database, which has all that is in them. */
    static final String COPY_FILE = "copy-of-shared-database";

    private final Path folder;
    private final DirectoryFactory directories;
    private final ConcurrentNavigableMap<Namespace, NamespaceIndex> namespaces = new ConcurrentSkipListMap<>();

    /** Folders whose namespace is unknown, because the file with its name can't be read; and why not. */
    private final ConcurrentNavigableMap<String, IOException> nameless = new ConcurrentSkipListMap<>();

    /** Namespaces of such folders, since a caller named them. */
    private final ConcurrentNavigableMap<Namespace, NamespaceIndex> unreadable = new ConcurrentSkipListMap<>();

    private NamespaceCatalog(Path folder, DirectoryFactory directories) {
        this.folder = folder;
        this.directories = directories;
    }

    /** Opens all namespaces and reads their counts. Removes what an ended process left half created. */
    static NamespaceCatalog open(Path folder, DirectoryFactory directories) throws IOException {
        DurableFiles.folders(folder);
        NamespaceCatalog catalog = new NamespaceCatalog(folder, directories);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                catalog.load(entry);
            }
        }
        return catalog;
    }

    private void load(Path entry) throws IOException {
        if (entry.getFileName().toString().startsWith(TRANSIENT)) {
            DurableFiles.delete(entry);
            return;
        }
        if (entry.getFileName().toString().equals(COPY_FILE)) {
            return;
        }
        if (Files.notExists(entry.resolve(NAME_FILE)) && Files.notExists(entry.resolve(INDEX))) {
            LOG.warn("{} is not a namespace of this store; left unchanged", entry);
            return;
        }
        Namespace namespace;
        try {
            namespace = readName(entry);
        } catch (IOException e) {
            // One unreadable file must not keep the other namespaces from being served.
            LOG.error(
                    "{} can't be read: {} It is left unchanged until it is restored.",
                    entry.resolve(NAME_FILE),
                    StoreFailures.describe(e),
                    e);
            nameless.put(entry.getFileName().toString(), e);
            return;
        }
        NamespaceIndex index = new NamespaceIndex(namespace, entry.resolve(INDEX), directories);
        index.inspect();
        namespaces.put(namespace, index);
    }

    /** All namespaces, sorted. */
    List<Namespace> namespaces() {
        return List.copyOf(namespaces.keySet());
    }

    Collection<NamespaceIndex> indexes() {
        return namespaces.values();
    }

    Optional<NamespaceIndex> find(Namespace namespace) {
        return Optional.ofNullable(namespaces.get(namespace));
    }

    /** Whether all is a copy of what is elsewhere. */
    boolean isCopy() {
        return Files.exists(folder.resolve(COPY_FILE));
    }

    /** From now on all is a copy. Folders whose namespace is unknown are removed. */
    void becomeCopy() throws IOException {
        DurableFiles.write(folder.resolve(COPY_FILE), ByteBuffer.allocate(0));
        PrivateFiles.syncFolder(folder);
        for (String unknown : nameless.keySet()) {
            DurableFiles.delete(folder.resolve(unknown));
        }
        nameless.clear();
        unreadable.clear();
    }

    /** The namespaces that can't be read, by name; folders whose namespace is unknown, by folder name. */
    List<String> damaged() {
        return Stream.concat(
                        namespaces.values().stream()
                                .filter(index -> index.damage().isPresent())
                                .map(index -> index.namespace().name()),
                        nameless.keySet().stream())
                .toList();
    }

    /** Folders whose namespace is unknown, each with the reason and what to do. */
    Map<String, String> nameless() {
        Map<String, String> reasons = new TreeMap<>();
        nameless.forEach((name, why) -> reasons.put(name, StoreFailures.describe(why)));
        return reasons;
    }

    /** Those of {@code wanted} that exist. Reads of one whose name can't be read fail with the reason. */
    List<NamespaceIndex> find(Collection<Namespace> wanted) {
        return wanted.stream()
                .map(this::findOrUnreadable)
                .filter(Objects::nonNull)
                .toList();
    }

    private @Nullable NamespaceIndex findOrUnreadable(Namespace namespace) {
        NamespaceIndex known = namespaces.get(namespace);
        if (known != null || nameless.isEmpty()) {
            return known;
        }
        // A folder is called by its namespace, so who names the namespace names the folder.
        Path home = folder.resolve(folderName(namespace));
        IOException why = nameless.get(home.getFileName().toString());
        if (why == null || Files.notExists(home)) {
            return null;
        }
        try {
            return create(namespace); // if the file was restored
        } catch (IOException e) {
            return unreadable.computeIfAbsent(namespace, _ -> unreadable(namespace, home, why));
        }
    }

    private static NamespaceIndex unreadable(Namespace namespace, Path home, IOException why) {
        NamespaceIndex index = new NamespaceIndex(namespace, home, _ -> {
            throw why;
        });
        index.inspect();
        return index;
    }

    /** The index of a namespace, which is created if it is missing. */
    NamespaceIndex make(Namespace namespace) throws IOException {
        NamespaceIndex known = namespaces.get(namespace);
        return known != null ? known : create(namespace);
    }

    private synchronized NamespaceIndex create(Namespace namespace) throws IOException {
        NamespaceIndex known = namespaces.get(namespace);
        if (known != null) {
            return known;
        }
        ObjectNode json = Json.object().put("owner", namespace.owner()).put("name", namespace.name());
        Path home = folder.resolve(folderName(namespace));
        if (Files.exists(home)) {
            // Left by an attempt whose last step failed; or its name can't be read, and its data must not be mixed with
            // new.
            if (!readName(home).equals(namespace)) {
                throw new CorruptIndexException("the file with the name has another one", home.toString());
            }
        } else {
            make(home, json);
        }
        PrivateFiles.syncFolder(folder);
        NamespaceIndex index = new NamespaceIndex(namespace, home.resolve(INDEX), directories);
        index.inspect();
        namespaces.put(namespace, index);
        nameless.remove(home.getFileName().toString());
        unreadable.remove(namespace);
        return index;
    }

    private void make(Path home, ObjectNode json) throws IOException {
        Path unfinished = folder.resolve(TRANSIENT + "new-" + UUID.randomUUID());
        try {
            PrivateFiles.folders(unfinished);
            DurableFiles.write(unfinished.resolve(NAME_FILE), ByteBuffer.wrap(Json.bytes(json)));
            Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            if (Files.exists(unfinished)) {
                // The disk is full, and each try would leave one.
                DurableFiles.delete(unfinished);
            }
        }
    }

    private static Namespace readName(Path home) throws IOException {
        Path name = home.resolve(NAME_FILE);
        try {
            JsonNode json = Json.parse(Files.readAllBytes(name));
            return new Namespace(
                    json.path("owner").asText(""), json.path("name").asText(""));
        } catch (AccessDeniedException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw new CorruptIndexException(
                    "the file with the name of the namespace is missing or damaged", home.toString(), e);
        }
    }

    /** The folder of a namespace: readable for people and unique, also on file systems that ignore case. */
    static String folderName(Namespace namespace) {
        String readable = namespace.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String digest = DigestUtils.sha256Hex(namespace.owner() + "\0" + namespace.name());
        return "s-" + readable.substring(0, Math.min(40, readable.length())) + "-" + digest.substring(0, 20);
    }

    /**
     * Removes a namespace; false if there is none.
     *
     * @throws ToolException {@code DENIED} if {@code access} does not permit to read all of it
     */
    boolean drop(Namespace namespace, DocumentAccess access) throws IOException {
        NamespaceIndex index = namespaces.get(namespace);
        if (index == null) {
            return false;
        }
        index.writing().lock();
        try {
            synchronized (this) {
                if (namespaces.get(namespace) != index) {
                    return false;
                }
                requireAll(index, access);
                Path gone = folder.resolve(TRANSIENT + "gone-" + UUID.randomUUID());
                index.drop(
                        () -> Files.move(folder.resolve(folderName(namespace)), gone, StandardCopyOption.ATOMIC_MOVE));
                namespaces.remove(namespace);
                PrivateFiles.syncFolder(folder);
                DurableFiles.delete(gone);
            }
        } finally {
            index.writing().unlock();
        }
        return true;
    }

    private static void requireAll(NamespaceIndex index, DocumentAccess access) throws IOException {
        CommitUserData facts = index.facts();
        if (access instanceof DocumentAccess.Everything || !facts.restricted()) {
            return;
        }
        try (Snapshot snapshot = Snapshot.of(List.of(index), access)) {
            for (DirectoryReader visible : snapshot.parts().values()) {
                if (ReadableDocuments.totals(visible).documents()
                        < facts.counts().documents()) {
                    throw CommitBatch.denied(index.namespace().name() + " has documents that you may not read");
                }
            }
        }
    }

    /**
     * Deletes files of a namespace that is not known because the file with its name is missing or damaged. Only for a store whose
     * documents are elsewhere, too.
     */
    synchronized void clear(Namespace namespace) throws IOException {
        Path home = folder.resolve(folderName(namespace));
        if (!namespaces.containsKey(namespace) && Files.exists(home)) {
            DurableFiles.delete(home);
            nameless.remove(home.getFileName().toString());
            unreadable.remove(namespace);
        }
    }

    /**
     * Closes the namespaces that were last used before {@code idleSince}, and the least recently used beyond {@code
     * maxOpen}; and closes for writing the least recently used of those beyond {@link #MAX_WRITERS}.
     */
    void trim(int maxOpen, long idleSince) {
        excess(NamespaceIndex::isOpen, maxOpen, idleSince).forEach(NamespaceIndex::closeIfUnused);
        excess(NamespaceIndex::isOpenForWriting, MAX_WRITERS, Long.MIN_VALUE)
                .forEach(NamespaceIndex::closeWriterIfUnused);
    }

    private List<NamespaceIndex> excess(Predicate<NamespaceIndex> open, int most, long idleSince) {
        List<LastUse> all = namespaces.values().stream()
                .filter(open)
                .map(index -> new LastUse(index, index.lastUsed()))
                .sorted(Comparator.comparingLong(LastUse::at))
                .toList();
        int excess = all.size() - most;
        return IntStream.range(0, all.size())
                .filter(i -> i < excess || all.get(i).at() < idleSince)
                .mapToObj(i -> all.get(i).index())
                .toList();
    }

    /** When a namespace was last used, read once: it changes while they are sorted. */
    private record LastUse(NamespaceIndex index, long at) {}

    /** Closes all. */
    void close() {
        for (NamespaceIndex index : namespaces.values()) {
            index.writing().lock();
            try {
                index.close();
            } finally {
                index.writing().unlock();
            }
        }
    }
}
