package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.FolderCopy;

/** A store of 60 documents that the first version of the text analysis wrote, German but for one. Each test has a copy. */
@ExtendWith(VertxExtension.class)
class AnalysisUpgradeTest {
    private static final Path KEPT = Path.of("src", "test", "resources", "data-analysis-1", "vectordb");

    @TempDir
    Path folder;

    private static List<String> found(StoreFixture fixture, String query) {
        return fixture
                .search(new SearchRequest(
                        query,
                        Optional.empty(),
                        fixture.store().namespaces(),
                        new Filter.All(),
                        100,
                        new Fusion.KeywordOnly()))
                .hits()
                .stream()
                .map(hit -> hit.chunk().document().title())
                .sorted()
                .toList();
    }

    private static NamespaceStats stats(StoreFixture fixture) {
        return StoreFixture.await(fixture.store().stats(fixture.store().namespaces()))
                .getFirst();
    }

    @Test
    void olderDocumentsAreFoundAtOnceAndByTheirLanguageSoonAfterTheStart(Vertx vertx) throws IOException {
        FolderCopy.of(KEPT, folder);
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            assertTrue(found(fixture, "ferry").size() == 1, "with the terms of either version");
            NamespaceStats before = stats(fixture);
            Eventually.first(
                    Eventually.OF_A_PROCESS, () -> found(fixture, "Schlüssel").size(), count -> count == 57);
            assertEquals(1, found(fixture, "die Versicherung").size(), "a part of a compound");
            assertEquals(before, stats(fixture), "as many documents, changed by callers when they were before");
        }
    }

    @Test
    void whatAStopInterruptsTheNextStartFinishesAndItIsDoneOnce(Vertx vertx) throws IOException {
        FolderCopy.of(KEPT, folder);
        new StoreFixture(vertx, folder).close();
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            fixture.store(); // closed before its upgrade can be over
        }
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            Eventually.first(
                    Eventually.OF_A_PROCESS, () -> found(fixture, "Schlüssel").size(), count -> count == 57);
        }
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            assertEquals(57, found(fixture, "Schlüssel").size(), "nothing is left to do");
        }
    }
}
