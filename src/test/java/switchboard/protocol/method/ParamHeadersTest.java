package switchboard.protocol.method;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.auth.Principal;
import switchboard.call.Arguments;
import switchboard.call.Json;
import switchboard.call.Verb;
import switchboard.catalog.ArgumentValidator;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolDescriptor;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/** Headers that repeat arguments: what a proxy was shown is what the tool gets. */
class ParamHeadersTest {
    private static final PublishedTool TOOL = tool("""
            {"type":"object","properties":{
              "region":{"type":"string","x-mcp-header":"Region"},
              "count":{"type":"number","x-mcp-header":"Count"},
              "plain":{"type":"string"},
              "where":{"type":"object","properties":{"tenant":{"type":"string","x-mcp-header":"Tenant"}}}}}
            """);

    private static PublishedTool tool(String schema) {
        ToolDescriptor descriptor = new ToolDescriptor(
                "t",
                new ToolDescriptor.Texts("t", "t"),
                new ToolDescriptor.Schemas((ObjectNode) json(schema), null),
                new ToolDescriptor.Effects(Set.of(Verb.READ), null, true),
                new ToolDescriptor.Limits(Duration.ofSeconds(1), 1000),
                ToolDescriptor.Availability.ALWAYS,
                ToolDescriptor.AnswerFormat.PLAIN,
                null);
        ArgumentValidator any = arguments -> new ArgumentValidator.Validation.Valid(Arguments.of(arguments));
        return new PublishedTool("t", "b", descriptor, new byte[0], any);
    }

    private static JsonNode json(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** {@code headers} are name and value, in turn. */
    private static void check(String arguments, String... headers) {
        Map<String, String> sent = new HashMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            sent.put("Mcp-Param-" + headers[i], headers[i + 1]);
        }
        ParamHeaders.check(
                new InboundMessage("", "http", Principal.anonymous(), sent::get, new byte[0]), TOOL, json(arguments));
    }

    private static void mismatch(String arguments, String... headers) {
        RpcException refused = assertThrows(RpcException.class, () -> check(arguments, headers), arguments);
        assertEquals(RpcError.HEADER_MISMATCH, refused.error());
    }

    @Test
    void aHeaderRepeatsItsArgument() {
        assertDoesNotThrow(() -> check("{}"));
        assertDoesNotThrow(() -> check("{\"plain\":\"x\"}"));
        assertDoesNotThrow(() -> check("{\"region\":\"eu\"}", "Region", "eu"));
        assertDoesNotThrow(() -> check("{\"region\":\"Zürich\"}", "Region", "=?base64?WsO8cmljaA==?="));
        assertDoesNotThrow(() -> check("{\"count\":1.50}", "Count", "1.5"));
        assertDoesNotThrow(() -> check("{\"region\":\"eu\",\"count\":2}", "Region", "eu", "Count", "2.0"));
    }

    @Test
    void anotherValueIsRefused() {
        mismatch("{\"region\":\"eu\"}", "Region", "us");
        mismatch("{\"region\":\"eu\"}", "Region", "EU");
        mismatch("{\"region\":\"Zürich\"}", "Region", "=?base64?WsO8?=");
        mismatch("{\"count\":1}", "Count", "2");
        mismatch("{\"count\":1}", "Count", "one");
    }

    @Test
    void aHeaderIsThereIfAndOnlyIfItsArgumentIs() {
        mismatch("{\"region\":\"eu\"}");
        mismatch("{}", "Region", "eu");
        mismatch("{\"region\":null}", "Region", "null");
        mismatch("{\"region\":\"eu\"}", "Region", "eu", "Count", "1");
    }

    @Test
    void thoseOfPartsOfAnArgumentAreComparedToo() {
        assertDoesNotThrow(() -> check("{\"where\":{\"tenant\":\"a\"}}", "Tenant", "a"));
        mismatch("{\"where\":{\"tenant\":\"a\"}}", "Tenant", "b");
        mismatch("{\"where\":{\"tenant\":\"a\"}}");
        mismatch("{\"where\":{}}", "Tenant", "a");
        mismatch("{}", "Tenant", "a");
    }
}
