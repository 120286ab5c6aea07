package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.FolderCopy;

/**
 * Chunks with their first page only. The kept store has a PDF of eight pages, of which the third and the last two are empty, four
 * slides, and a note without pages.
 */
@ExtendWith(VertxExtension.class)
class PageNumberUpgradeTest {
    private static final Path KEPT = Path.of("src", "test", "resources", "data-pages-1", "vectordb");

    @TempDir
    Path folder;

    private static List<List<Integer>> pages(StoreFixture fixture, Filter filter) {
        return StoreFixture.await(fixture.store().chunks(fixture.store().namespaces(), filter, 100)).stream()
                .map(StoredChunk::pages)
                .toList();
    }

    private static Filter pdf(int page) {
        return new Filter.And(List.of(
                Filter.equal("file_type", "pdf"), new Filter.Equal("page", new Filter.Value.NumberValue(page))));
    }

    @Test
    void olderDocumentsAreFoundByAllTheirPagesSoonAfterTheStart(Vertx vertx) throws IOException {
        FolderCopy.of(KEPT, folder);
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            assertEquals(1, search(fixture, "ballast", pdf(2)).size(), "by its first page at once");
            Eventually.first(Eventually.OF_A_PROCESS, () -> pages(fixture, pdf(4)), found -> found.size() == 1);
            List<List<Integer>> all = List.of(List.of(1, 2), List.of(2, 4, 5), List.of(5, 6));
            assertEquals(all, pages(fixture, Filter.equal("file_type", "pdf")));
            assertEquals(all.subList(0, 2), pages(fixture, pdf(2)));
            assertEquals(List.of(), pages(fixture, pdf(3)), "an empty page");
            assertEquals(
                    List.of(List.of(1, 2, 3), List.of(3)),
                    pages(fixture, Filter.equal("file_type", "pptx")),
                    "slides have blank lines of their own, so the next chunk has to tell");
            assertEquals(List.of(List.of()), pages(fixture, Filter.equal("file_type", "md")));
        }
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            assertEquals(1, pages(fixture, pdf(6)).size(), "kept");
        }
    }

    private static List<Hit> search(StoreFixture fixture, String query, Filter filter) {
        return fixture.search(new SearchRequest(
                        query, Optional.empty(), fixture.store().namespaces(), filter, 10, new Fusion.KeywordOnly()))
                .hits();
    }

    private static List<List<Integer>> completed(String text, int... startEndPage) {
        List<Chunk> chunks = new ArrayList<>();
        for (int i = 0; i < startEndPage.length; i += 3) {
            chunks.add(Chunk.of(startEndPage[i], startEndPage[i + 1]).onPages(List.of(startEndPage[i + 2])));
        }
        return PageNumberUpgrade.completed(chunks, text).stream()
                .map(Chunk::pages)
                .toList();
    }

    @Test
    void pagesFollowFromTheTextWhereTheKnownOnesAgree() {
        assertEquals(List.of(List.of(1, 2, 3)), completed("one\n\ntwo\n\nthree\n\n", 0, 15, 1));
        assertEquals(List.of(List.of(2), List.of(4)), completed("\n\ntwo\n\n\n\nfour\n\n", 2, 5, 2, 9, 13, 4));
    }

    @Test
    void whatDoesNotAgreeIsNotGuessed() {
        String text = "one\n\nstill one\n\ntwo\n\nthree\n\n";
        assertEquals(List.of(List.of(1), List.of(2)), completed(text, 0, 15, 1, 16, 27, 2));
        assertEquals(List.of(List.of(1, 2), List.of(2)), completed(text, 0, 19, 1, 16, 27, 2), "they overlap");
        assertEquals(List.of(List.of(1, 2), List.of(3)), completed(text, 0, 19, 1, 21, 27, 3), "a page between");
    }
}
