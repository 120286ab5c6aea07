package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.await;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;

@ExtendWith(VertxExtension.class)
class SlicedTextTest {
    private static final int SLICES = 3;
    private static final int LENGTH = DocumentSchema.SLICE_LENGTH * SLICES;

    @TempDir
    private Path folder;

    /** A character of two units may lie across the end of a slice, which is then one unit longer. A part may begin between them. */
    @Test
    void eachPartOfALongTextIsReadAsItWasWritten(Vertx vertx) {
        for (int offset = 0; offset < 2; offset++) {
            String text = "x".repeat(offset) + "😀".repeat(LENGTH / 2) + "end";
            List<Chunk> chunks = new ArrayList<>();
            for (int slice = 1; slice <= SLICES; slice++) {
                int boundary = DocumentSchema.SLICE_LENGTH * slice;
                for (int from = boundary - 2; from <= boundary + 2; from++) {
                    for (int length : new int[] {1, 2, 40, DocumentSchema.SLICE_LENGTH}) {
                        chunks.add(Chunk.of(from, Math.min(text.length(), from + length)));
                    }
                }
            }
            chunks.add(Chunk.of(0, text.length()));
            try (StoreFixture fixture = new StoreFixture(vertx, folder.resolve("store" + offset))) {
                DocumentDetails details = new DocumentDetails("long", "", "md", null, "hash", Json.object());
                fixture.put(BOOKS, new NewDocument(details, text, null, chunks));
                List<StoredChunk> read = await(fixture.store().chunks(List.of(BOOKS), new Filter.All(), chunks.size()));
                assertEquals(chunks.size(), read.size());
                for (StoredChunk chunk : read) {
                    assertEquals(
                            text.substring(chunk.range().start(), chunk.range().end()), chunk.text());
                }
            }
        }
    }
}
