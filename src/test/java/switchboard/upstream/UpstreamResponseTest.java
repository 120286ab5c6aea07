package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** Requests to an engine and its answers as values. */
class UpstreamResponseTest {
    private static UpstreamResponse response(int status, String type, String body) {
        return new UpstreamResponse("engine", status, type, null, null, Buffer.buffer(body));
    }

    @ParameterizedTest
    @CsvSource({
        "199, false",
        "200, true",
        "201, true",
        "299, true",
        "300, false",
        "302, false",
        "404, false",
        "500, false"
    })
    void onlyA2xxIsASuccess(int status, boolean success) {
        assertEquals(success, response(status, null, "").success());
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, true",
        "application/problem+json, true",
        "application/jsonl, false",
        "text/json, false",
        "application/json+xml, false",
        ", false"
    })
    void jsonIsWhatSaysThatItIs(String type, boolean json) {
        assertEquals(json, response(200, type, "{}").claimsJson());
    }

    @Test
    void textIsUtf8AndJsonIsRead() {
        assertEquals("größer 😀", response(200, "text/plain", "größer 😀").text());
        assertEquals(
                Json.object().put("a", "ö"),
                response(200, "application/json", "{\"a\":\"ö\"}").json());
    }

    @Test
    void whatCameInsteadOfJsonIsNamedByItsType() {
        String url = " instead of JSON; the operator has to check the configured URL and any proxy in front of it";
        assertEquals("engine answered 200 with text/html" + url, noJson("text/html", "<h1>"));
        assertEquals("engine answered 200 with no content type" + url, noJson(null, "<h1>"));
        assertEquals("engine answered 200 with an empty body" + url, noJson("text/html", ""));
        String longest = "x/" + "y".repeat(78);
        assertEquals("engine answered 200 with " + longest + url, noJson(longest, "<h1>"));
        assertEquals("engine answered 200 with an unusual content type" + url, noJson(longest + "y", "<h1>"));
        assertEquals(
                "engine answered 200 with JSON that can't be read; try again, or ask the operator to check any proxy in front of it",
                noJson("application/json", "{\"a\":"));
    }

    private static String noJson(String type, String body) {
        ToolReply.Failed failed = assertThrows(
                        ToolException.class, () -> response(200, type, body).json())
                .failed();
        assertEquals(FailureKind.UNAVAILABLE, failed.kind());
        return failed.message();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "401|DENIED_UPSTREAM|engine refuses the gateway's credential (401)",
                "403|DENIED_UPSTREAM|engine refuses the gateway's credential (403)",
                "407|DENIED_UPSTREAM|engine refuses the gateway's credential (407)",
                "404|UNAVAILABLE|engine does not know this operation (404)",
                "405|UNAVAILABLE|engine does not know this operation (405)",
                "410|UNAVAILABLE|engine does not know this operation (410)",
                "413|INVALID_ARGUMENT|engine finds the request too large (413)",
                "414|INVALID_ARGUMENT|engine finds the request too large (414)",
                "431|INVALID_ARGUMENT|engine finds the request too large (431)",
                "429|OVERLOADED|engine requires fewer calls (429)",
                "503|UNAVAILABLE|engine is not ready (503)",
                "504|TIMEOUT|engine did not answer the proxy in front of it in time (504)",
                "500|UNAVAILABLE|engine answered with status 500",
                "302|UNAVAILABLE|engine answered with status 302"
            })
    void aStatusWithoutAMessageIsExplained(int status, FailureKind kind, String beginning) {
        UpstreamResponse response = response(status, null, "");
        assertEquals(kind, response.unexplained().kind());
        assertEquals(beginning, response.unexplained().message().split(";| and no")[0]);
        assertEquals(null, response.unexplained().retryAfterMs());
        UpstreamResponse later = new UpstreamResponse("engine", status, null, 7_000L, null, Buffer.buffer());
        assertEquals(7_000L, later.unexplained().retryAfterMs());
        assertEquals(response.unexplained().message(), later.unexplained().message());
    }

    @Test
    void neitherBodyNorQueryIsPrinted() {
        assertEquals(
                "UpstreamResponse[engine 200 text/plain, 6 bytes]",
                response(200, "text/plain", "secret").toString());
        assertEquals("GET /search", UpstreamRequest.get("/search?key=secret").toString());
        assertEquals("GET /search", UpstreamRequest.get("/search").toString());
        assertEquals("GET /", UpstreamRequest.get("/?secret").toString());
    }

    @Test
    void onlyWhatReadsMayBeSentTwice() {
        assertEquals(true, UpstreamRequest.get("/a").repeatable());
        assertEquals(true, UpstreamRequest.query("/a", Json.object()).repeatable());
        assertEquals(false, UpstreamRequest.post("/a", Json.object()).repeatable());
        for (boolean repeatable : new boolean[] {true, false}) {
            UpstreamRequest put =
                    UpstreamRequest.withBody(HttpMethod.PUT, "/a", Json.object().put("b", 1), repeatable);
            assertEquals(
                    new UpstreamRequest(HttpMethod.PUT, "/a", Buffer.buffer("{\"b\":1}"), Map.of(), repeatable), put);
            assertEquals(
                    new UpstreamRequest(
                            HttpMethod.PUT, "/a", Buffer.buffer("{\"b\":1}"), Map.of("If-Match", "2"), repeatable),
                    put.header("If-Match", "1").header("If-Match", "2"));
        }
        assertEquals(HttpMethod.POST, UpstreamRequest.query("/a", Json.object()).method());
        assertEquals(HttpMethod.POST, UpstreamRequest.post("/a", Json.object()).method());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "http://engine/a"})
    void aPathBeginsWithASlash(String path) {
        assertThrows(IllegalArgumentException.class, () -> UpstreamRequest.get(path));
    }

    @Test
    void inASegmentAllIsEncodedButWhatIsUnreserved() {
        String unreserved = "ABCXYZabcxyz0189-._~";
        assertEquals(unreserved, UpstreamRequest.segment(unreserved));
        assertEquals("%20%21%2F%3A%40%5B%60%7B%7F", UpstreamRequest.segment(" !/:@[`{\u007f"));
        assertEquals("%C2%80%C3%BF%F0%9F%98%80", UpstreamRequest.segment("\u0080ÿ😀"));
    }
}
