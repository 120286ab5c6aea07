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
        Path name = entry.resolve(NAME_FILE);
        if (!Files.exists(name)) {
            LOG.warn("{} is no space of this store; left alone", entry);
            return;
        }
        Space space;
        try {
            JsonNode json = Json.parse(Files.readAllBytes(name));
            space = new Space(json.path("owner").asText(""), json.path("name").asText(""));
        } catch (IOException | IllegalArgumentException e) {
            // One damaged file must not keep the other spaces from being served.
            LOG.error("{} does not say which space it is of; left alone until it is restored", name, e);
            return;
        }
        SpaceIndex index = new SpaceIndex(space, entry.resolve(INDEX), directories);
        index.inspect();
        index.damage().ifPresent(why -> LOG.error("The space {} can't be read: {}", space.name(), why));
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
        Path unfinished = folder.resolve(TRANSIENT + "new-" + UUID.randomUUID());
        PrivateFiles.folders(unfinished);
        Durable.write(unfinished.resolve(NAME_FILE), ByteBuffer.wrap(Json.bytes(json)));
        Path home = folder.resolve(folderName(space));
        Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
        Durable.syncFolder(folder);
        SpaceIndex index = new SpaceIndex(space, home.resolve(INDEX), directories);
        spaces.put(space, index);
        return index;
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
