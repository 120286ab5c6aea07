package switchboard.embed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.call.SourceQuery;
import switchboard.call.ToolException;
import switchboard.config.RerankConfig;
import switchboard.config.Secret;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;
import switchboard.upstream.UpstreamServices;
import switchboard.upstream.UpstreamSettings;

/**
 * {@code POST /rerank} of Cohere, Jina, Voyage AI and compatible servers: they take {@code query} and {@code documents}, and
 * answer {@code results} or {@code data}, each with {@code index} and {@code relevance_score} or {@code score}.
 */
final class HttpReranker implements Reranker {
    /** How long a check waits. */
    static final Duration CHECK = Duration.ofSeconds(10);

    private static final String PATH = "/rerank";

    /** UTF-16 units of a text that are sent. Models read a few hundred words. */
    private static final int MOST_SENT = 8192;

    private final RerankConfig config;
    private final UpstreamClient client;

    /**
     * A reranker that is not connected yet.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    HttpReranker(RerankConfig config, URI url, UpstreamServices services) {
        this.config = config;
        this.client = UpstreamClient.withSecrets(
                "rerank", url, UpstreamSettings.ofModel(config.timeout()), Secret.bearer(config.apiKey()), services);
    }

    private UpstreamRequest request(String query, List<String> passages) {
        ObjectNode body = Json.object();
        if (config.model() != null) {
            body.put("model", config.model());
        }
        body.put("query", SourceQuery.beginning(query, MOST_SENT));
        ArrayNode documents = body.putArray("documents");
        passages.forEach(passage -> documents.add(SourceQuery.beginning(passage, MOST_SENT)));
        return UpstreamRequest.query(PATH, body).header("accept", "application/json");
    }

    @Override
    public Future<List<Double>> scores(String query, List<String> passages, Lifetime lifetime) {
        return client.send(request(query, passages), lifetime).map(answer -> scores(answer, passages.size()));
    }

    private static List<Double> scores(UpstreamResponse answer, int count) {
        if (!answer.success()) {
            throw new ToolException(answer.unexplained());
        }
        JsonNode json = answer.json();
        List<Double> scores = new ArrayList<>(Collections.nCopies(count, Double.NaN));
        int read = 0;
        for (JsonNode result : json.path(json.has("results") ? "results" : "data")) {
            int index = result.path("index").asInt(-1);
            JsonNode score = result.path(result.has("relevance_score") ? "relevance_score" : "score");
            if (index >= 0
                    && index < count
                    && score.isNumber()
                    && scores.get(index).isNaN()) {
                scores.set(index, score.doubleValue());
                read++;
            }
        }
        if (read != count || scores.stream().anyMatch(score -> !Double.isFinite(score))) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "The reranker's server answered " + read + " scores for " + count
                            + " passages. The operator has to check rerank.url and rerank.model.");
        }
        return List.copyOf(scores);
    }

    @Override
    public Future<Health> check() {
        List<String> passages = List.of("a passage", "another");
        return Health.of(client.once(request("query", passages), Collections.min(List.of(config.timeout(), CHECK)))
                .map(answer -> scores(answer, passages.size())));
    }

    @Override
    public Future<Void> close() {
        return client.close();
    }
}
