package switchboard.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which MCP a client speaks. */
enum Era {
    /** 2025-11-25, with a session where the server gives one. */
    LEGACY {
        @Override
        Target request(HttpClient http, URI url, Map<String, String> credential, Question question)
                throws IOException, InterruptedException {
            Map<String, String> headers = headers(credential);
            HttpRequest.Builder hello = HttpRequest.newBuilder(url)
                    .POST(HttpRequest.BodyPublishers.ofString("""
                            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
                            "capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"""));
            headers.forEach(hello::header);
            HttpResponse<String> answer = http.send(hello.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(url + " answered initialize with " + answer.statusCode() + " " + answer.body());
            }
            answer.headers().firstValue("Mcp-Session-Id").ifPresent(id -> headers.put("Mcp-Session-Id", id));
            headers.put("MCP-Protocol-Version", "2025-11-25");
            HttpRequest.Builder ready = HttpRequest.newBuilder(url)
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
            headers.forEach(ready::header);
            http.send(ready.build(), HttpResponse.BodyHandlers.discarding());
            return new Target(url, headers, message(question).toString(), question.expected());
        }
    },
    /** 2026-07-28: every request carries all there is to know. */
    MODERN {
        @Override
        Target request(HttpClient http, URI url, Map<String, String> credential, Question question) {
            Map<String, String> headers = headers(credential);
            headers.put("MCP-Protocol-Version", "2026-07-28");
            headers.put("Mcp-Method", question.method());
            if (question.tool() != null) {
                headers.put("Mcp-Name", question.tool());
            }
            ObjectNode message = message(question);
            ObjectNode meta = ((ObjectNode) message.get("params")).putObject("_meta");
            meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
            meta.putObject("io.modelcontextprotocol/clientCapabilities");
            meta.putObject("io.modelcontextprotocol/clientInfo").put("name", "bench").put("version", "1");
            return new Target(url, headers, message.toString(), question.expected());
        }
    };

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The request that asks {@code question} at {@code url}; a handshake is made where the era has one. */
    abstract Target request(HttpClient http, URI url, Map<String, String> credential, Question question)
            throws IOException, InterruptedException;

    private static Map<String, String> headers(Map<String, String> credential) {
        Map<String, String> headers = new LinkedHashMap<>(credential);
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json, text/event-stream");
        return headers;
    }

    private static ObjectNode message(Question question) {
        ObjectNode message = JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 1);
        ObjectNode params = message.put("method", question.method()).putObject("params");
        if (question.tool() != null) {
            params.put("name", question.tool()).set("arguments", question.arguments());
        }
        return message;
    }
}
