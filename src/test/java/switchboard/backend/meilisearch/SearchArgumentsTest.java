package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

/** What the arguments of a search mean together. */
class SearchArgumentsTest {
    private static SearchTool.Args args(String json) {
        try {
            return Json.mapper().readValue(json.replace('\'', '"'), SearchTool.Args.class);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static void pages(boolean paged, int most, long skipped, String json) {
        SearchTool.Args args = args(json);
        assertEquals(paged, args.paged(), json);
        assertEquals(most, args.most(), json);
        assertEquals(skipped, args.skipped(), json);
    }

    @Test
    void aSearchIsPagedOrHasALimitAndAnOffset() {
        pages(false, 20, 0, "{}");
        pages(false, 7, 0, "{'limit':7}");
        pages(false, 0, 0, "{'limit':0}");
        pages(false, 20, 3, "{'offset':3}");
        pages(false, 7, 3, "{'limit':7,'offset':3}");
        pages(true, 20, 0, "{'page':1}");
        pages(true, 20, 40, "{'page':3}");
        pages(true, 5, 0, "{'hitsPerPage':5}");
        pages(true, 5, 0, "{'page':1,'hitsPerPage':5}");
        pages(true, 5, 10, "{'page':3,'hitsPerPage':5}");
        // Beyond the range of an int.
        pages(true, 1_000, 2_147_483_646_000L, "{'page':2147483647,'hitsPerPage':1000}");
    }

    @Test
    void aSearchIsSemanticWithAShareAndSomethingToCompare() {
        assertFalse(args("{'q':'birds'}").semantic());
        assertTrue(args("{'q':'birds','hybrid':{'embedder':'e'}}").semantic());
        assertEquals(0.5, args("{'hybrid':{'embedder':'e'}}").hybrid().ratio());
        assertEquals(
                0.25,
                args("{'hybrid':{'embedder':'e','semanticRatio':0.25}}")
                        .hybrid()
                        .ratio());
        assertFalse(args("{'q':'birds','hybrid':{'embedder':'e','semanticRatio':0}}")
                .semantic());
        assertTrue(args("{'q':'birds','hybrid':{'embedder':'e','semanticRatio':0.01}}")
                .semantic());
        assertFalse(args("{'q':' ','hybrid':{'embedder':'e'}}").semantic());
        assertFalse(args("{'hybrid':{'embedder':'e'}}").semantic());
        assertTrue(args("{'vector':[1],'hybrid':{'embedder':'e'}}").semantic());
        assertFalse(args("{'vector':[1]}").semantic());
    }
}
