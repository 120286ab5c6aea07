package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.lucene.index.CorruptIndexException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Json;
import switchboard.files.PrivateFiles;

/**
 * The spaces of a store: a folder each, with a file that names it and the index. Made and removed by renaming, so that a
 * space is there or not. Thread-safe; blocks.
 */
final class SpaceCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(SpaceCatalog.class);

    /** What a folder begins with while it is made or removed. */
    private static final String TRANSIENT = ".";

    static final String NAME_FILE = "space.json";
    static final String INDEX = "index";

    private final Path folder;
    private final Directories directories;
    private final ConcurrentNavigableMap<Space, SpaceIndex> spaces = new ConcurrentSkipListMap<>();

    /** Folders of which nobody knows what space they are of. */
    private final List<String> nameless = new CopyOnWriteArrayList<>();

    private SpaceCatalog(Path folder, Directories directories) {
        this.folder = folder;
        this.directories = directories;
    }

    /** Reads which spaces there are and how much is in them; clears what an ended process left half made. */
    static SpaceCatalog open(Path folder, Directories directories) throws IOException {
        Durable.folders(folder);
        SpaceCatalog catalog = new SpaceCatalog(folder, directories);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                catalog.load(entry);
            }
        }
        return catalog;
    }

    private void load(Path entry) throws IOException {
        if (entry.getFileName().toString().startsWith(TRANSIENT)) {
            Durable.delete(entry);
            return;
        }
        if (!Files.exists(entry.resolve(NAME_FILE)) && !Files.exists(entry.resolve(INDEX))) {
            LOG.warn("{} is no space of this store; left alone", entry);
            return;
        }
        Optional<Space> named = readName(entry);
        if (named.isEmpty()) {
            // One damaged file must not keep the other spaces from being served.
            nameless.add(entry.getFileName().toString());
            return;
        }
        Space space = named.get();
        SpaceIndex index = new SpaceIndex(space, entry.resolve(INDEX), directories);
        index.inspect();
        spaces.put(space, index);
    }

    /** All spaces, sorted. */
    List<Space> spaces() {
        return List.copyOf(spaces.keySet());
    }

    Collection<SpaceIndex> indexes() {
        return spaces.values();
    }

    Optional<SpaceIndex> find(Space space) {
        return Optional.ofNullable(spaces.get(space));
    }

    /** What can't be read, by name; folders that don't say what they are of, by theirs. */
    List<String> damaged() {
        return Stream.concat(
                        spaces.values().stream()
                                .filter(index -> index.damage().isPresent())
                                .map(index -> index.space().name()),
                        nameless.stream())
                .toList();
    }

    /** Those of {@code wanted} that exist. */
    List<SpaceIndex> find(Collection<Space> wanted) {
        return wanted.stream().map(spaces::get).filter(Objects::nonNull).toList();
    }

    /** The index of a space, which is made if missing. */
    SpaceIndex make(Space space) throws IOException {
        SpaceIndex known = spaces.get(space);
        return known != null ? known : create(space);
    }

    private synchronized SpaceIndex create(Space space) throws IOException {
        SpaceIndex known = spaces.get(space);
        if (known != null) {
            return known;
        }
        ObjectNode json = Json.object().put("owner", space.owner()).put("name", space.name());
        Path home = folder.resolve(folderName(space));
        if (Files.exists(home)) {
            // Of a try whose last step failed; or its name can't be read, and what it holds is not to be mixed with
            // new.
            if (!readName(home).equals(Optional.of(space))) {
                throw new CorruptIndexException("does not say which space it is of", home.toString());
            }
        } else {
            make(home, json);
        }
        Durable.syncFolder(folder);
        SpaceIndex index = new SpaceIndex(space, home.resolve(INDEX), directories);
        spaces.put(space, index);
        return index;
    }

    private void make(Path home, ObjectNode json) throws IOException {
        Path unfinished = folder.resolve(TRANSIENT + "new-" + UUID.randomUUID());
        try {
            PrivateFiles.folders(unfinished);
            Durable.write(unfinished.resolve(NAME_FILE), ByteBuffer.wrap(Json.bytes(json)));
            Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            if (Files.exists(unfinished)) {
                // The disk is full, and each try would leave one.
                Durable.delete(unfinished);
            }
        }
    }

    private static Optional<Space> readName(Path home) {
        Path name = home.resolve(NAME_FILE);
        try {
            JsonNode json = Json.parse(Files.readAllBytes(name));
            return Optional.of(
                    new Space(json.path("owner").asText(""), json.path("name").asText("")));
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("{} does not say which space it is of; left alone until it is restored", name, e);
            return Optional.empty();
        }
    }

    /** A name that people recognise and no two spaces share, on file systems that ignore case, too. */
    static String folderName(Space space) {
        String readable = space.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        byte[] digest = Facts.sha256((space.owner() + "\0" + space.name()).getBytes(StandardCharsets.UTF_8));
        return "s-" + readable.substring(0, Math.min(40, readable.length())) + "-"
                + HexFormat.of().formatHex(digest, 0, 10);
    }

    /** Removes a space; false if there is none. */
    boolean drop(Space space) throws IOException {
        SpaceIndex index = spaces.get(space);
        if (index == null) {
            return false;
        }
        index.writing().lock();
        try {
            synchronized (this) {
                if (spaces.get(space) != index) {
                    return false;
                }
                Path gone = folder.resolve(TRANSIENT + "gone-" + UUID.randomUUID());
                index.drop(() -> Files.move(folder.resolve(folderName(space)), gone, StandardCopyOption.ATOMIC_MOVE));
                spaces.remove(space);
                Durable.syncFolder(folder);
                Durable.delete(gone);
            }
        } finally {
            index.writing().unlock();
        }
        return true;
    }

    /** Closes those that were used last before {@code idleSince}, and the longest unused beyond {@code maxOpen}. */
    void trim(int maxOpen, long idleSince) {
        List<SpaceIndex> open = spaces.values().stream()
                .filter(SpaceIndex::isOpen)
                .sorted(Comparator.comparingLong(SpaceIndex::lastUsed))
                .toList();
        int excess = open.size() - maxOpen;
        for (SpaceIndex index : open) {
            if (excess > 0 || index.lastUsed() < idleSince) {
                index.closeIfUnused();
                excess--;
            }
        }
    }

    /** Closes all. */
    void close() {
        for (SpaceIndex index : spaces.values()) {
            index.writing().lock();
            try {
                index.close();
            } finally {
                index.writing().unlock();
            }
        }
    }
}
