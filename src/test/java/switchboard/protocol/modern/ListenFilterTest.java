package switchboard.protocol.modern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.BackendEvent.ListChanged.ListType;
import switchboard.call.Json;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

class ListenFilterTest {
    private static JsonNode resources(int count) {
        ArrayNode uris = Json.array();
        IntStream.range(0, count).forEach(i -> uris.add("file:///" + i));
        return Json.object().<ObjectNode>set("resourceSubscriptions", uris);
    }

    @Test
    void onlyWhatIsTrueIsWantedAndAcknowledged() throws Exception {
        JsonNode asked = Json.parse("{\"toolsListChanged\":true,\"promptsListChanged\":false,\"other\":1}");
        ListenFilter filter = ListenFilter.of(asked);
        assertEquals(Set.of(ListType.TOOLS), filter.lists());
        assertEquals(Json.object().put("toolsListChanged", true), filter.json());
    }

    @Test
    void upToAThousandResourcesCanBeListenedTo() {
        ListenFilter filter = ListenFilter.of(resources(1000));
        assertEquals(1000, filter.resources().size());
        assertEquals(resources(1000), filter.json());
        RpcException refused = assertThrows(RpcException.class, () -> ListenFilter.of(resources(1001)));
        assertEquals(RpcError.INVALID_PARAMS, refused.error());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "true",
                "{\"toolsListChanged\":1}",
                "{\"resourcesListChanged\":null}",
                "{\"resourceSubscriptions\":\"file:///a\"}",
                "{\"resourceSubscriptions\":[\"file:///a\",1]}"
            })
    void anythingElseIsRefused(String notifications) throws Exception {
        JsonNode node = Json.parse(notifications);
        RpcException refused = assertThrows(RpcException.class, () -> ListenFilter.of(node));
        assertEquals(RpcError.INVALID_PARAMS, refused.error());
    }
}
