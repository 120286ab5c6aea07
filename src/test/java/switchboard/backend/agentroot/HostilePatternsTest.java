package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.backend.agentroot.text.PathGlob;
import switchboard.call.Json;
import switchboard.testing.ToolResult;

/** Patterns that a caller makes to keep everybody else waiting: matched at once, or refused by name. */
class HostilePatternsTest extends AgentrootFixture {
    private static final List<String> TOO_LARGE = List.of(
            "{*a,*aa,*aaa}".repeat(20), "{,a}".repeat(200), "[" + "a-z".repeat(2600) + "]*", "*a".repeat(1500) + "b");

    @Test
    void multiGetMatchesThemAtOnceOrRefusesThem() throws IOException {
        for (int i = 0; i < 120; i++) {
            write("a".repeat(60) + "/" + "b".repeat(60) + i + "/x" + i + ".md", "heron " + i);
        }
        write("deep/x", "the one");
        index("docs");
        assertEquals(1, get("**/".repeat(1300) + "x").path("count").asInt());
        assertEquals(100, get("**/".repeat(1300) + "x*.md").path("count").asInt());
        assertEquals(0, get("*a".repeat(500) + "*.md").path("count").asInt());
        StringBuilder many = new StringBuilder("docs/deep/x");
        for (int i = 0; i < 250; i++) {
            many.append(",*q").append(i).append("q*");
        }
        assertEquals(1, get(many.toString()).path("count").asInt());
        TOO_LARGE.forEach(
                pattern -> refused(backend.call("multi_get", Json.object().put("pattern", pattern))));
    }

    @Test
    void aCollectionIsNotMadeOfOne() throws IOException {
        write("a.md", "heron");
        for (String pattern : List.of("{*a,*aa,*aaa}".repeat(20), "{,a}".repeat(200))) {
            refused(backend.call(
                    "collection_add",
                    Json.object()
                            .put("name", "docs")
                            .put("path", folder.toString())
                            .put("pattern", pattern)));
        }
        assertEquals(
                1, index("docs", "**/".repeat(300) + "*").path("filesUpdated").asInt());
    }

    private JsonNode get(String pattern) {
        return ok(backend.call("multi_get", Json.object().put("pattern", pattern)));
    }

    private static void refused(ToolResult result) {
        assertEquals("INVALID_ARGUMENT", result.errorKind(), result.toString());
        assertTrue(result.toString().contains("pattern is too large"), result.toString());
        assertTrue(result.toString().contains("" + PathGlob.MAX_PARTS), result.toString());
    }
}
