package switchboard.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
    /** 2025-11-25, with a session where the server gives one; 2025-03-26, the last with batches, for those. */
    LEGACY {
        @Override
        Target request(HttpClient http, URI url, Map<String, String> credential, Question question)
                throws IOException, InterruptedException {
            Map<String, String> headers = headers(credential);
            String version = question.calls() > 1 ? "2025-03-26" : "2025-11-25";
            HttpRequest.Builder hello = HttpRequest.newBuilder(url)
                    .POST(HttpRequest.BodyPublishers.ofString("""
                            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"%s",\
                            "capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}""".formatted(version)));
            headers.forEach(hello::header);
            HttpResponse<String> answer = http.send(hello.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(url + " answered initialize with " + answer.statusCode() + " " + answer.body());
            }
            answer.headers().firstValue("Mcp-Session-Id").ifPresent(id -> headers.put("Mcp-Session-Id", id));
            headers.put("MCP-Protocol-Version", version);
            HttpRequest.Builder ready = HttpRequest.newBuilder(url)
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
            headers.forEach(ready::header);
            http.send(ready.build(), HttpResponse.BodyHandlers.discarding());
            return new Target(url, headers, body(question), question.expected());
        }

        @Override
        boolean speaks(Question question) {
            return true;
        }

        private static String body(Question question) {
            if (question.calls() == 1) {
                return message(question, 1).toString();
            }
            ArrayNode batch = JSON.createArrayNode();
            for (int id = 1; id <= question.calls(); id++) {
                batch.add(message(question, id));
            }
            return batch.toString();
        }
    },
    /** 2026-07-28: every request carries all there is to know. */
    MODERN {
        @Override
        Target request(HttpClient http, URI url, Map<String, String> credential, Question question) {
            return modern(url, credential, question);
        }

        @Override
        boolean speaks(Question question) {
            return question.calls() == 1;
        }
    };

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The request that asks {@code question} at {@code url}; a handshake is made where the era has one. */
    abstract Target request(HttpClient http, URI url, Map<String, String> credential, Question question)
            throws IOException, InterruptedException;

    /** A request of the modern era, for which nothing needs to be asked before. */
    static Target modern(URI url, Map<String, String> credential, Question question) {
        Map<String, String> headers = headers(credential);
        headers.put("MCP-Protocol-Version", "2026-07-28");
        headers.put("Mcp-Method", question.method());
        if (question.tool() != null) {
            headers.put("Mcp-Name", question.tool());
        }
        ObjectNode message = message(question, 1);
        ObjectNode meta = ((ObjectNode) message.get("params")).putObject("_meta");
        meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
        meta.putObject("io.modelcontextprotocol/clientCapabilities");
        meta.putObject("io.modelcontextprotocol/clientInfo").put("name", "bench").put("version", "1");
        return new Target(url, headers, message.toString(), question.expected());
    }

    /** Whether the era has a way to ask it: batches left the protocol. */
    abstract boolean speaks(Question question);

    private static Map<String, String> headers(Map<String, String> credential) {
        Map<String, String> headers = new LinkedHashMap<>(credential);
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json, text/event-stream");
        return headers;
    }

    private static ObjectNode message(Question question, int id) {
        ObjectNode message = JSON.createObjectNode().put("jsonrpc", "2.0").put("id", id);
        ObjectNode params = message.put("method", question.method()).putObject("params");
        if (question.tool() != null) {
            params.put("name", question.tool()).set("arguments", question.arguments());
        }
        return message;
    }
}
