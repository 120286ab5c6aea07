package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.await;
import static switchboard.store.StoreFixture.doc;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** A short workload with the disk failing at its n-th operation, for every n. */
@ExtendWith(VertxExtension.class)
class FaultyDiskTest {
    private static final String GONE = "";

    @TempDir
    Path folder;

    private Vertx vertx;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    /** A step of the workload: {@code source} gets {@code text}, or is removed. */
    private record Step(String source, String text) {}

    private static final List<Step> WORKLOAD = List.of(
            new Step("a", "alpha first"),
            new Step("b", "bravo first"),
            new Step("a", "alpha second, longer than the first"),
            new Step("b", GONE));

    /** What each source may hold: one text if the last step was answered, two if it failed in a power loss. */
    private final Map<String, Set<String>> allowed = new HashMap<>();

    private final List<FaultyDirectory> opened = new ArrayList<>();

    @Test
    void aWriteThatFailsLeavesTheOldDocumentAndTheStoreWorksOn() throws IOException {
        boolean failed = true;
        for (int n = 1; failed; n++) {
            FaultyDirectory.Disk disk = new FaultyDirectory.Disk(n, false);
            Path home = folder.resolve("once-" + n);
            try (StoreFixture fixture = fixture(home, disk)) {
                for (Step step : WORKLOAD) {
                    boolean done = run(fixture, step, true);
                    check(fixture, "operation " + n);
                    if (!done) {
                        assertTrue(run(fixture, step, true), "the disk is well again");
                        check(fixture, "after operation " + n);
                    }
                }
                fixture.reopen();
                check(fixture, "after a restart, operation " + n);
            }
            failed = disk.failed();
        }
    }

    @Test
    void whatWasAcknowledgedSurvivesAPowerLossAtAnyOperation() throws IOException {
        boolean failed = true;
        for (int n = 1; failed; n++) {
            FaultyDirectory.Disk disk = new FaultyDirectory.Disk(n, true);
            Path home = folder.resolve("dead-" + n);
            Path copy = folder.resolve("copy-" + n);
            try (StoreFixture fixture = fixture(home, disk)) {
                for (Step step : WORKLOAD) {
                    run(fixture, step, false);
                }
                losePower(home, copy);
            }
            try (StoreFixture after = new StoreFixture(vertx, copy)) {
                check(after, "power lost at operation " + n);
                assertTrue(run(after, new Step("d", "delta"), true), "it takes writes");
                check(after, "after power lost at operation " + n);
            }
            failed = disk.failed();
        }
    }

    private StoreFixture fixture(Path home, FaultyDirectory.Disk disk) {
        allowed.clear();
        opened.clear();
        StoreFixture fixture = new StoreFixture(vertx, home);
        fixture.open(index -> {
            FaultyDirectory directory = new FaultyDirectory(FSDirectory.open(index), disk);
            opened.add(directory);
            return directory;
        });
        return fixture;
    }

    /** Makes a step; whether it was acknowledged. */
    private boolean run(StoreFixture fixture, Step step, boolean failedIsUndone) {
        Set<String> may = allowed.computeIfAbsent(step.source(), source -> new HashSet<>(Set.of(GONE)));
        try {
            if (step.text().equals(GONE)) {
                await(fixture.store().find(BOOKS, step.source()).compose(found -> fixture.store()
                        .delete(List.of(BOOKS), found.orElseThrow().id())));
            } else {
                fixture.put(BOOKS, doc(step.source(), step.text()));
            }
            may.clear();
            may.add(step.text());
            return true;
        } catch (ToolException e) {
            assertEquals(FailureKind.UNAVAILABLE, e.failed().kind(), e.getMessage());
            assertTrue(e.getMessage().contains("disk is full"), e.getMessage());
            if (!failedIsUndone) {
                may.add(step.text());
            }
            return false;
        } catch (java.util.NoSuchElementException nothingToDelete) {
            return true;
        }
    }

    /** Everything allowed is there, whole, and nothing else. */
    private void check(StoreFixture fixture, String when) {
        int documents = 0;
        for (Map.Entry<String, Set<String>> entry : allowed.entrySet()) {
            String text = await(fixture.store().find(BOOKS, entry.getKey()))
                    .map(found -> await(fixture.store().read(List.of(BOOKS), found.id()))
                            .orElseThrow()
                            .text())
                    .orElse(GONE);
            assertTrue(entry.getValue().contains(text), when + ": " + entry + " is " + text);
            if (!text.equals(GONE)) {
                documents++;
                assertEquals(List.of(entry.getKey()), fixture.sources(fixture.search(text.split(" ")[0], BOOKS)), when);
            }
        }
        DocumentPage page = await(fixture.store()
                .list(new ListRequest(List.of(BOOKS), new Filter.All(), ListRequest.Order.BY_SOURCE, 0, 100)));
        assertEquals(documents, page.total(), when);
        assertEquals(
                documents,
                await(fixture.store().chunks(List.of(BOOKS), new Filter.All(), 100))
                        .size(),
                when);
        long counted = await(fixture.store().stats(List.of(BOOKS))).stream()
                .mapToLong(NamespaceStats::documents)
                .sum();
        assertEquals(documents, counted, when);
    }

    private void losePower(Path home, Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.toList()) {
                Path to = copy.resolve(home.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(to);
                } else {
                    Files.copy(file, to);
                }
            }
        }
        Path index = copy.resolve("spaces")
                .resolve(NamespaceCatalog.folderName(BOOKS))
                .resolve("index");
        if (Files.isDirectory(index)) {
            try (Directory files = FSDirectory.open(index)) {
                for (FaultyDirectory directory : opened) {
                    directory.losePower(files);
                }
            }
        }
    }
}
