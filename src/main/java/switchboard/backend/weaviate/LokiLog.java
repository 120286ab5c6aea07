package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import switchboard.backend.BackendServices;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.config.Secret;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/**
 * The last lines that a Loki server has collected, with its {@code query_range} API. Credentials and vectors are
 * removed before anything is counted or shown.
 */
final class LokiLog implements LogSource {
    /** Maximum number of lines. Loki's own default limit is 5,000. */
    private static final int MOST_LINES = 2_000;

    private final UpstreamClient client;
    private final String query;
    private final Duration window;
    private final Clock clock;

    private record LogEntry(long nanos, String text) {}

    private LokiLog(UpstreamClient client, String query, Duration window, Clock clock) {
        this.client = client;
        this.query = query;
        this.window = window;
        this.clock = clock;
    }

    /** Creates the source for {@code settings} of the backend {@code id}. */
    static LokiLog create(String id, WeaviateSettings.Loki settings, BackendServices services) {
        Map<String, Secret> headers = new HashMap<>(Secret.bearer(settings.apiKey()));
        if (settings.tenant() != null) {
            headers.put("X-Scope-OrgID", Secret.of(settings.tenant()));
        }
        UpstreamClient client = UpstreamClient.withSecrets(
                id + "-loki", settings.url(), settings.connection(), headers, services.upstream());
        return new LokiLog(client, settings.query(), settings.window(), services.clock());
    }

    @Override
    public String label() {
        return "loki";
    }

    @Override
    public Future<String> read(CallContext context) {
        Instant end = clock.instant();
        String path = "/loki/api/v1/query_range?direction=backward&limit=" + MOST_LINES + "&start="
                + nanos(end.minus(window)) + "&end=" + nanos(end) + "&query="
                + URLEncoder.encode(query, StandardCharsets.UTF_8);
        return client.send(UpstreamRequest.get(path), context).map(LokiLog::text);
    }

    @Override
    public Future<Void> close() {
        return client.close();
    }

    private static String nanos(Instant time) {
        return time.getEpochSecond() + String.format("%09d", time.getNano());
    }

    /** The lines of all streams, ordered by time; lines with the same time keep the order of their stream. */
    private static String text(UpstreamResponse response) {
        if (!response.success()) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "The log server answered " + response.status()
                            + "; the operator has to check logs.loki: its url, its query and its apiKey.");
        }
        List<LogEntry> lines = new ArrayList<>();
        for (JsonNode stream : response.json().path("data").path("result")) {
            List<LogEntry> newestFirst = new ArrayList<>();
            for (JsonNode value : stream.path("values")) {
                newestFirst.add(
                        new LogEntry(value.path(0).asLong(), value.path(1).asText()));
            }
            lines.addAll(newestFirst.reversed());
        }
        return LogText.shown(lines.stream()
                .sorted(Comparator.comparingLong(LogEntry::nanos))
                .map(line -> line.text() + "\n")
                .collect(Collectors.joining()));
    }
}
