package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.BackendEvent;
import switchboard.call.Json;
import switchboard.call.LogLevel;

/** Messages as they are read and written, and events as they become messages. */
class RpcCodecTest {
    private static JsonNode json(String text) {
        try {
            return Json.parse(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(EncodedJson chunks) {
        return text(chunks.bytes());
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8).replace('"', '\'');
    }

    private static RpcMessage single(String text) {
        return assertInstanceOf(IncomingMessages.Single.class, RpcCodec.decode(json(text)))
                .message();
    }

    @Test
    void aMessageIsARequestANotificationOrAResponse() {
        RpcMessage.Request request = assertInstanceOf(
                RpcMessage.Request.class, single("{'jsonrpc':'2.0','id':'7','method':'m','params':{'a':1}}"));
        assertEquals(TextNode.valueOf("7"), request.id());
        assertEquals("m", request.method());
        assertEquals(json("{'a':1}"), request.params());
        assertInstanceOf(RpcMessage.Request.class, single("{'jsonrpc':'2.0','id':9223372036854775808,'method':'m'}"));
        RpcMessage.Notification notification =
                assertInstanceOf(RpcMessage.Notification.class, single("{'jsonrpc':'2.0','method':'n','params':null}"));
        assertEquals(Json.object(), notification.params());
        assertInstanceOf(RpcMessage.Response.class, single("{'jsonrpc':'2.0','id':1,'result':{}}"));
        assertInstanceOf(RpcMessage.Response.class, single("{'jsonrpc':'2.0','id':1,'error':{}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "[]|the batch is empty|false",
                "7|a message must be a JSON object|false",
                "{'jsonrpc':'2.0','id':null,'method':'m'}|\"\"\"id\"\" must be a string or an integer\"|false",
                "{'jsonrpc':'2.0','id':1.5,'method':'m'}|\"\"\"id\"\" must be a string or an integer\"|false",
                "{'jsonrpc':'1.0','id':1,'method':'m'}|\"\"\"jsonrpc\"\" must be \"\"2.0\"\"\"|true",
                "{'id':1,'method':'m'}|\"\"\"jsonrpc\"\" must be \"\"2.0\"\"\"|true",
                "{'jsonrpc':'2.0','id':1}|\"\"\"method\"\" is missing\"|true",
                "{'jsonrpc':'2.0','result':{}}|\"\"\"method\"\" is missing\"|false",
                "{'jsonrpc':'2.0','id':1,'method':2}|\"\"\"method\"\" must be a string\"|true",
                "{'jsonrpc':'2.0','id':1,'method':'m','params':[]}|\"\"\"params\"\" must be an object\"|true"
            })
    void anythingElseIsMalformed(String message, String problem, boolean identified) {
        RpcMessage.Malformed malformed = assertInstanceOf(RpcMessage.Malformed.class, single(message));
        assertEquals(problem, malformed.problem());
        assertEquals(identified ? IntNode.valueOf(1) : null, malformed.id());
    }

    @Test
    void theMessagesOfABatchAreReadEach() {
        IncomingMessages.Batch batch = assertInstanceOf(
                IncomingMessages.Batch.class, RpcCodec.decode(json("[{'jsonrpc':'2.0','id':1,'method':'m'},7]")));
        assertEquals(2, batch.elements().size());
        assertInstanceOf(RpcMessage.Request.class, batch.elements().getFirst());
        assertInstanceOf(RpcMessage.Malformed.class, batch.elements().getLast());
    }

    private static String result(RpcResult result, UnaryOperator<ObjectNode> stamp) {
        return text(RpcCodec.result(IntNode.valueOf(7), result, stamp));
    }

    @Test
    void aResultIsStampedAndEncodedOnce() {
        assertEquals(
                "{'jsonrpc':'2.0','id':7,'result':{'a':1,'s':true}}",
                result(new RpcResult.Tree(Json.object().put("a", 1)), fields -> fields.put("s", true)));
        byte[] value = "[1,2]".getBytes(StandardCharsets.UTF_8);
        assertEquals(
                "{'jsonrpc':'2.0','id':7,'result':{'tools':[1,2],'next':'n','s':true}}",
                result(
                        new RpcResult.Encoded("tools", value, Json.object().put("next", "n")),
                        fields -> fields.put("s", true)));
        assertEquals(
                "{'jsonrpc':'2.0','id':7,'result':{'tools':[1,2]}}",
                result(new RpcResult.Encoded("tools", value, Json.object()), UnaryOperator.identity()));
        assertEquals(
                "{'jsonrpc':'2.0','id':7,'result':{'tools':[1,2],'next':'n','s':true}}",
                result(
                        new RpcResult.Shared(
                                "tools", new SharedJson(value), Json.object().put("next", "n")),
                        fields -> fields.put("s", true)));
    }

    @Test
    void aResultThatIsTooLargeIsReplacedAndRepeatedContentCountsOnce() {
        ObjectNode fields = Json.object().put("a", "xxxx"); // {"a":"xxxx"} are twelve bytes
        for (int most = 11; most <= 13; most++) {
            assertEquals(
                    "{'jsonrpc':'2.0','id':7,'result':" + (most < 12 ? "{'size':12}" : "{'a':'xxxx'}") + "}",
                    result(
                            new RpcResult.SizeLimited(
                                    fields, most, _ -> 0, size -> Json.object().put("size", size)),
                            UnaryOperator.identity()));
        }
        for (int twice = 1; twice <= 3; twice++) {
            assertEquals(
                    "{'jsonrpc':'2.0','id':7,'result':" + (twice < 2 ? "{'size':11}" : "{'a':'xxxx'}") + "}",
                    result(
                            new RpcResult.SizeLimited(fields, 10, repeated(twice), size -> Json.object()
                                    .put("size", size)),
                            UnaryOperator.identity()));
        }
    }

    private static java.util.function.ToIntFunction<ObjectNode> repeated(int twice) {
        return _ -> twice;
    }

    @Test
    void errorsRequestsNotificationsAndBatchesAreWritten() {
        assertEquals(
                "{'jsonrpc':'2.0','id':7,'error':{'code':-1,'message':'no','data':{'a':1}}}",
                text(RpcCodec.error(IntNode.valueOf(7), -1, "no", Json.object().put("a", 1))));
        assertEquals(
                "{'jsonrpc':'2.0','error':{'code':-1,'message':'no'}}",
                text(RpcCodec.error(MissingNode.getInstance(), -1, "no", null)));
        assertEquals(
                "{'jsonrpc':'2.0','id':'s1','method':'m','params':{}}",
                text(RpcCodec.request("s1", "m", Json.object())));
        assertEquals("{'jsonrpc':'2.0','method':'m','params':{}}", text(RpcCodec.notification("m", Json.object())));
        byte[] one = {'1'};
        assertEquals("[]", text(RpcCodec.array(List.of())));
        assertEquals("[1]", text(RpcCodec.array(List.of(one))));
        assertEquals("[1,1,1]", text(RpcCodec.array(List.of(one, one, one))));
    }

    private static List<String> heard(
            @Nullable JsonNode token, @Nullable LogLevel level, List<BackendEvent> before, List<BackendEvent> after) {
        List<String> sent = new ArrayList<>();
        CallEvents events = new CallEvents(
                (method, params, urgency) ->
                        sent.add(method + " " + params.toString().replace('"', '\'') + " " + urgency),
                token,
                level);
        before.forEach(events);
        events.end();
        after.forEach(events);
        return sent;
    }

    @Test
    void progressOnlyGrowsAndIsForWhoGaveAToken() {
        List<BackendEvent> steps = List.of(
                new BackendEvent.CallProgress(0, null, null),
                new BackendEvent.CallProgress(50, 100.0, "half"),
                new BackendEvent.CallProgress(50, 100.0, "again"),
                new BackendEvent.CallProgress(49, 100.0, "back"),
                new BackendEvent.CallProgress(62.5, null, null),
                new BackendEvent.ListChanged(BackendEvent.ListChanged.ListType.TOOLS));
        assertEquals(
                List.of(
                        "notifications/progress {'progressToken':'t','progress':0} LATEST",
                        "notifications/progress {'progressToken':'t','progress':50,'total':100,'message':'half'} LATEST",
                        "notifications/progress {'progressToken':'t','progress':62.5} LATEST"),
                heard(TextNode.valueOf("t"), null, steps, List.of(new BackendEvent.CallProgress(99, null, null))));
        assertEquals(List.of(), heard(null, LogLevel.DEBUG, steps, List.of()));
    }

    @Test
    void logLinesOfTheWantedLevelAndAboveAreSent() {
        List<BackendEvent> lines = List.of(
                new BackendEvent.Log(LogLevel.DEBUG, "l", TextNode.valueOf("d")),
                new BackendEvent.Log(LogLevel.WARNING, "l", TextNode.valueOf("w")),
                new BackendEvent.Log(LogLevel.ERROR, null, TextNode.valueOf("e")));
        assertEquals(
                List.of(
                        "notifications/message {'level':'warning','logger':'l','data':'w'} KEEP",
                        "notifications/message {'level':'error','data':'e'} KEEP"),
                heard(null, LogLevel.WARNING, lines, lines));
        assertEquals(List.of(), heard(TextNode.valueOf("t"), null, lines, List.of()));
    }
}
