package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.sources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.DocumentDetails;
import switchboard.store.NewDocument;
import switchboard.testing.PostgresCluster;
import switchboard.testing.logs.AsksForErrors;

/** Documents that can't be indexed, files that can't be read, and changes that the database has lost. */
@Tag("engines")
class ReplicaFaultsTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private ReplicaNode one;
    private ReplicaNode other;
    private String schema = "";

    @BeforeEach
    void start(TestInfo test) {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        one = new ReplicaNode(postgres, schema, folder.resolve("one")).joined();
        other = new ReplicaNode(postgres, schema, folder.resolve("other")).joined();
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
    }

    private String sql(String statements) {
        return postgres.sql(statements.replace("$", schema)).strip();
    }

    private static FailureKind kind(Future<?> future) {
        return assertThrows(ToolException.class, () -> await(future)).failed().kind();
    }

    private static NewDocument described(ObjectNode metadata) {
        DocumentDetails details = new DocumentDetails("wide", "wide", "txt", null, "h", metadata, AllowedReaders.ALL);
        return new NewDocument(details, "heron wide", null, List.of(Chunk.of(0, 10)));
    }

    @Test
    void metadataThatNoGatewayCanIndexIsRefused() {
        ObjectNode many = Json.object();
        ArrayNode numbers = many.putArray("n");
        for (int number = 0; number < 6_000; number++) {
            numbers.add(number);
        }
        ObjectNode deep = Json.object();
        deep.putObject("a").put("k".repeat(600), 1);
        for (ObjectNode metadata : List.of(many, deep)) {
            assertEquals(FailureKind.INVALID_ARGUMENT, kind(one.store().put(BOOKS, described(metadata))));
        }
        await(one.store().put(BOOKS, document("a", "heron one")));
        assertEquals(List.of("a"), sources(other, "heron"));
    }

    @AsksForErrors("StoreReplica - the document .* can't be indexed")
    @Test
    void aDocumentThatCantBeIndexedStopsNoOthers() {
        await(one.store().put(BOOKS, document("a", "heron one")));
        sql("UPDATE $.document SET chunks = 'broken'");
        try (ReplicaNode late = new ReplicaNode(postgres, schema, folder.resolve("late")).joined()) {
            await(one.store().put(BOOKS, document("b", "heron two")));
            assertEquals(List.of("b"), sources(late, "heron"));
            await(one.store().put(BOOKS, document("a", "heron one again")));
            assertEquals(List.of("a", "b"), sources(late, "heron"), "it was replaced");
        }
    }

    /** Without the last two changes, as after a fail-over to a standby that was behind. */
    private void lose() {
        sql("""
                DELETE FROM $.change WHERE position > 1;
                DELETE FROM $.document WHERE key NOT IN (SELECT key FROM $.change);
                UPDATE $.library SET position = 1, touched = pg_current_xact_id(),
                  operation = (SELECT operation FROM $.change WHERE position = 1)""");
    }

    @Test
    void whatWasLostIsNotReadOnceOthersHaveWrittenSince() {
        for (String source : List.of("a", "b", "c")) {
            await(one.store().put(BOOKS, document(source, "heron " + source)));
        }
        assertEquals(List.of("a", "b", "c"), sources(other, "heron"));
        lose();
        await(other.fresh().put(BOOKS, document("d", "heron d")));
        assertEquals(List.of("a", "d"), sources(one, "heron"), "the files were at 3, and the library is at 2");
        assertEquals(List.of("a", "d"), sources(other, "heron"));
    }

    @Test
    void aGatewayThatWritesAfterALossHasItsOwnChange() {
        for (String source : List.of("a", "b", "c")) {
            await(one.store().put(BOOKS, document(source, "heron " + source)));
        }
        lose();
        await(one.store().put(BOOKS, document("d", "heron d")));
        assertTrue(await(one.store().find(BOOKS, "d")).isPresent(), "without a look: its own change it sees at once");
        assertEquals(Optional.empty(), await(one.store().find(BOOKS, "c")));
    }

    @AsksForErrors("NamespaceCatalog - .*space.json")
    @Test
    void filesWithoutANameAreBuiltAgain() {
        await(one.store().put(BOOKS, document("a", "heron one")));
        one.restart(() -> {
            try (Stream<Path> files = Files.walk(folder.resolve("one"))) {
                for (Path name :
                        files.filter(file -> file.endsWith("space.json")).toList()) {
                    Files.writeString(name, "{");
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertEquals(List.of("a"), sources(one, "heron"));
    }
}
