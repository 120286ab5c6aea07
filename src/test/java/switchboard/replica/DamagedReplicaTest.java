package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.sources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.IndexContents;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.logs.AsksForErrors;

/** The files of a gateway are a cache: whatever of them is damaged is built again. */
@Tag("engines")
@AsksForErrors({"NamespaceCatalog", "NamespaceIndex", "Corrupt", "space.json"})
class DamagedReplicaTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    /** What may happen to files. */
    private enum Damage {
        NAME_CUT,
        NAME_GONE,
        ONLY_THE_FOLDER_LEFT,
        INDEX_GONE,
        COMMIT_CUT,
        SEGMENT_GONE
    }

    @Test
    void whateverIsDamagedIsBuiltAgain() {
        Path own = folder.resolve("own");
        try (ReplicaNode writer = new ReplicaNode(postgres, "damaged", folder.resolve("writer")).joined();
                ReplicaNode reader = new ReplicaNode(postgres, "damaged", own).joined()) {
            for (Damage damage : Damage.values()) {
                await(writer.store().put(BOOKS, document("s" + damage, "pelican " + damage)));
                List<String> all = sources(reader, "pelican");
                reader.restart(() -> happens(damage, own));
                assertEquals(all, sources(reader, "pelican"), damage::toString);
                assertEquals(List.of(), reader.store().damaged(), damage::toString);
                await(reader.store().put(BOOKS, document("after", "pelican after " + damage)));
                assertTrue(sources(writer, "pelican").contains("after"), damage::toString);
                assertEquals(sources(writer, "pelican"), sources(reader, "pelican"));
                assertEquals(IndexContents.of(folder.resolve("writer")), IndexContents.of(own), damage::toString);
            }
        }
    }

    private static void happens(Damage damage, Path own) {
        try (Stream<Path> spaces = Files.list(own.resolve("spaces"))) {
            Path space = spaces.filter(Files::isDirectory).findFirst().orElseThrow();
            Path name = space.resolve("space.json");
            Path index = space.resolve("index");
            switch (damage) {
                case NAME_CUT -> Files.writeString(name, "{\"owner");
                case NAME_GONE -> Files.delete(name);
                case ONLY_THE_FOLDER_LEFT -> {
                    Files.delete(name);
                    Programs.delete(index);
                }
                case INDEX_GONE -> Programs.delete(index);
                case COMMIT_CUT -> Files.writeString(file(index, "segments_"), "cut", StandardCharsets.UTF_8);
                case SEGMENT_GONE -> Files.delete(file(index, "_"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path file(Path index, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(index)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
