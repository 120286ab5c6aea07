package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.upstream.LiveSecrets;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/**
 * The HTTP requests to the engine, all of which OpenSearch and Elasticsearch (7.9 or newer) answer. All of them only read.
 * They fail with {@link ToolException}. Names must be {@linkplain IndexNames valid}.
 */
final class OpenSearchApi {

    private final UpstreamClient client;
    private final OpenSearchErrors errors;
    private final String names;

    /**
     * The engine behind {@code client}.
     *
     * @param names the path of the request that lists the configured indices
     * @param passwords what an answer must not repeat, besides the header that has it encoded
     */
    OpenSearchApi(String backend, UpstreamClient client, String names, LiveSecrets passwords) {
        this.names = names;
        this.client = client;
        this.errors = new OpenSearchErrors(backend, text -> passwords.current().scrub(client.scrub(text)));
    }

    /**
     * {@code {indices: [{name, aliases, attributes}], aliases: [{name, indices}], data_streams: [{name, backing_indices}]}}, open
     * ones, at least those that are configured.
     */
    Future<JsonNode> names(CallContext context) {
        return send(UpstreamRequest.get(names), context);
    }

    /** The path that lists what matches {@code patterns}. A name that does not exist is no error as a pattern. */
    static String namesPath(List<String> patterns) {
        String all = patterns.stream()
                .map(pattern -> UpstreamRequest.segment(pattern.endsWith("*") ? pattern : pattern + "*"))
                .collect(Collectors.joining(","));
        return "/_resolve/index/" + all + "?expand_wildcards=open";
    }

    /** {@code {INDEX: {mappings: {properties}}}}, with an object for each index behind the name. */
    Future<JsonNode> mapping(String name, CallContext context) {
        return send(UpstreamRequest.get(path(name, "/_mapping")), context);
    }

    /** A search: {@code {hits: {total: {value, relation}, hits: [{_index, _id, _score, _source}]}, timed_out, _shards}}. */
    Future<JsonNode> search(String name, ObjectNode body, CallContext context) {
        return send(UpstreamRequest.query(path(name, "/_search"), body), context);
    }

    /** The same search in each of {@code names}: {@code {responses: [...]}}, of which each may be an error. */
    Future<JsonNode> searchEach(List<String> names, ObjectNode body, CallContext context) {
        Buffer lines = Buffer.buffer();
        for (String name : names) {
            lines.appendBytes(Json.bytes(Json.object().put("index", name))).appendByte((byte) '\n');
            lines.appendBytes(Json.bytes(body)).appendByte((byte) '\n');
        }
        return send(
                new UpstreamRequest(
                        HttpMethod.POST, "/_msearch", lines, Map.of("Content-Type", "application/x-ndjson"), true),
                context);
    }

    private static String path(String name, String rest) {
        return "/" + UpstreamRequest.segment(name) + rest;
    }

    private Future<JsonNode> send(UpstreamRequest request, CallContext context) {
        return client.send(request, context).map(this::answer);
    }

    private JsonNode answer(UpstreamResponse response) {
        if (!response.success()) {
            throw new ToolException(errors.failure(response));
        }
        return response.json();
    }
}
