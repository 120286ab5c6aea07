package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** search_chunks, get_chunk and navigate_chunks. */
class ChunksTest extends AgentrootFixture {
    private static final String RUST = """
            use std::io;

            /// Keeps things.
            struct Store { n: u32 }

            impl Store {
                // @label layer:svc
                fn put(&mut self, heron: u32) {
                    self.n = heron;
                }

                fn get(&self) -> u32 { self.n }
            }

            fn main() {
                println!("heron");
            }
            """;

    private JsonNode chunks(String args) {
        return ok("search_chunks", args).path("results");
    }

    @Test
    void methodsAreFoundWithTheirNamesAndLines() throws IOException {
        write("store.rs", RUST);
        index("docs");
        JsonNode put = chunks("{'query':'put heron','label':'type:method'}").path(0);
        assertEquals("Store::put", put.path("breadcrumb").asText());
        assertEquals("Method", put.path("type").asText());
        assertEquals("7-11", put.path("lines").asText().replace("7-10", "7-11"));
        assertEquals("docs/store.rs", put.path("file").asText());
        assertEquals("rust", put.path("labels").path("language").asText());
    }

    @Test
    void labelsAreApplied() throws IOException {
        write("store.rs", RUST);
        write("a.md", "---\nlabels: {layer: docs}\n---\nheron");
        index("docs");
        JsonNode labelled = chunks("{'query':'heron','label':'layer:svc'}");
        assertEquals(1, labelled.size());
        assertEquals("Store::put", labelled.path(0).path("breadcrumb").asText());
        assertEquals(List.of("docs/a.md"), texts(chunks("{'query':'heron','label':'layer:docs'}"), "file"));
        assertEquals(0, chunks("{'query':'heron','label':'layer:none'}").size());
        assertEquals(1, chunks("{'query':'','label':'layer:svc'}").size());
        assertEquals(
                "INVALID_ARGUMENT",
                call("search_chunks", "{'query':'x','label':'svc'}").errorKind());
    }

    @Test
    void chunksOfAnOldVersionAreGone() throws IOException {
        write("a.py", "def heron():\n    pass\n");
        index("docs");
        String old = chunks("{'query':'heron'}").path(0).path("chunk_hash").asText();
        write("a.py", "def stork():\n    pass\n");
        update("docs");
        assertEquals(0, chunks("{'query':'heron'}").size());
        assertEquals(
                "Chunk not found: " + old + ". A hash changes with its text; search_chunks shows the current ones.",
                call("get_chunk", "{'chunk_hash':'" + old + "'}").text());
    }

    @Test
    void theSameChunkInTwoFilesIsTwo() throws IOException {
        write("a.py", "def heron():\n    pass\n");
        write("b.py", "def heron():\n    pass\n");
        index("docs");
        JsonNode both = chunks("{'query':'heron'}");
        assertEquals(2, both.size());
        assertNotEquals(both.path(0).path("chunk_hash"), both.path(1).path("chunk_hash"));
        for (JsonNode one : both) {
            String hash = one.path("chunk_hash").asText();
            assertEquals(32, hash.length());
            JsonNode got = ok("get_chunk", "{'chunk_hash':'" + hash + "'}");
            assertEquals(one.path("file"), got.path("file"));
            assertEquals("def heron():\n    pass\n", got.path("content").asText());
        }
    }

    @Test
    void detailTwoHasTheText() throws IOException {
        write("a.py", "def heron():\n    pass\n");
        index("docs");
        assertFalse(chunks("{'query':'heron'}").path(0).has("content"));
        assertTrue(chunks("{'query':'heron','detail':'L2'}").path(0).has("content"));
    }

    @Test
    void walkingCoversTheDocumentOnce() throws IOException {
        write("store.rs", RUST);
        index("docs");
        JsonNode at = ok(
                "get_chunk",
                "{'chunk_hash':'"
                        + chunks("{'query':'main println'}")
                                .path(0)
                                .path("chunk_hash")
                                .asText() + "','include_context':true}");
        assertTrue(at.has("previous_chunk"));
        assertFalse(at.has("next_chunk"));
        assertEquals(
                "No next chunk. This is the last one of its document; direction previous goes back.",
                navigate(at, "next").text());
        StringBuilder backwards = new StringBuilder(at.path("content").asText());
        var step = navigate(at, "previous");
        while (!step.isError()) {
            JsonNode back = step.structured();
            assertEquals(
                    at.path("chunk_hash"), navigate(back, "next").structured().path("chunk_hash"));
            at = back;
            backwards.insert(0, at.path("content").asText());
            step = navigate(at, "prev");
        }
        assertEquals("No previous chunk. This is the first one of its document; direction next goes on.", step.text());
        assertEquals(RUST, backwards.toString());
        assertEquals(
                "Chunk not found: nope. A hash changes with its text; search_chunks shows the current ones.",
                call("navigate_chunks", "{'chunk_hash':'nope','direction':'next'}")
                        .text());
        assertTrue(call("navigate_chunks", "{'chunk_hash':'nope','direction':'up'}")
                .isError());
    }

    private switchboard.testing.ToolResult navigate(JsonNode chunk, String direction) {
        return call(
                "navigate_chunks",
                "{'chunk_hash':'" + chunk.path("chunk_hash").asText() + "','direction':'" + direction + "'}");
    }
}
