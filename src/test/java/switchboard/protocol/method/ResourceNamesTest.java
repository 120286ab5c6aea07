package switchboard.protocol.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.catalog.View;

/** Everything that a server answers has the URIs of the view. */
class ResourceNamesTest {
    private static final View VIEW = ToolCatalog.of(
                    List.of(
                            new BackendTools("a", "mcp", List.of(), Set.of("x://1")),
                            new BackendTools("b", "mcp", List.of(), Set.of("x://1"))),
                    List.of())
            .view("")
            .orElseThrow();

    private static ObjectNode parse(String json) throws JsonProcessingException {
        return (ObjectNode) Json.parse(json.replace('\'', '"'));
    }

    @Test
    void linksEmbeddedResourcesAndPagesOfAnAnswerAreShown() throws JsonProcessingException {
        String answer = """
                {'content': [{'type': 'resource_link', 'uri': 'SHOWN'}, {'type': 'text', 'text': 'x://1'},
                   {'type': 'resource', 'resource': {'uri': 'SHOWN', 'text': 'x'}}, {'type': 'resource_link', 'uri': 'x://2'}, 7],
                 'messages': [{'role': 'user', 'content': {'type': 'resource', 'resource': {'uri': 'SHOWN'}}}],
                 '_meta': {'ui': {'resourceUri': 'SHOWN'}, 'ui/resourceUri': 'SHOWN'},
                 'structuredContent': {'uri': 'x://1'}}""";
        ObjectNode own = parse(answer.replace("SHOWN", "x://1"));
        ObjectNode before = own.deepCopy();
        assertEquals(parse(answer.replace("SHOWN", "x://b__1")), ResourceNames.shown(VIEW, "b", own));
        assertEquals(before, own);
        assertSame(own, ResourceNames.shown(VIEW, "a", own));
    }

    @Test
    void contentsAndEntriesOfListsAreShown() throws JsonProcessingException {
        assertEquals(
                parse("{'uri': 'x://b__1', 'text': 't'}"),
                ResourceNames.shown(VIEW, "b", parse("{'uri': 'x://1', 'text': 't'}")));
        assertEquals(
                parse("{'uri': 'x://b__1', 'name': 'n'}"),
                ResourceNames.listed(VIEW, "b", parse("{'uri': 'x://1', 'name': 'n'}")));
        assertEquals(
                parse("{'uriTemplate': 'x://b__1'}"),
                ResourceNames.listed(VIEW, "b", parse("{'uriTemplate': 'x://1'}")));
        assertEquals(parse("{'uri': 7}"), ResourceNames.listed(VIEW, "b", parse("{'uri': 7}")));
    }
}
