package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import switchboard.async.ForwardClock;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.upstream.UpstreamRequest;

/**
 * The number of objects in collections and the time of the newest one: of the whole collection, or, for a bound team, of
 * its tenant and of what matches its filter only. Both are requested from GraphQL for all collections at once, waited for
 * briefly and cached for a while, because a list of sources without them is better than a late one. Thread-safe.
 */
final class CollectionStatistics {
    private static final int MOST_KEPT = 10_000;
    private static final int MOST_AT_ONCE = 200;
    private static final Duration KEPT = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofMillis(500);

    /**
     * Maximum number of objects for which the newest is requested, because Weaviate reads the whole collection for it,
     * whether timestamps are indexed or not.
     */
    private static final long MOST_READ = 10_000;

    private static final List<String> NEWEST_FIRST =
            List.of("limit:1", "sort:[{path:[\"_lastUpdateTimeUnix\"],order:desc}]");

    /**
     * The statistics of a collection.
     *
     * @param objects number of objects, or null
     * @param updated when the newest was written (ISO 8601), or null
     */
    record Numbers(@Nullable Long objects, @Nullable String updated) {
        /** Not known. */
        static final Numbers UNKNOWN = new Numbers(null, null);

        boolean few() {
            return objects != null && objects > 0 && objects <= MOST_READ;
        }
    }

    /** A part of a collection: a tenant's, or what matches a filter, which is a GraphQL literal or {@code ""}. */
    private record Shard(String collection, @Nullable String tenant, String where) {}

    private final WeaviateApi api;
    private final Cache<Shard, Numbers> known;

    CollectionStatistics(WeaviateApi api, Clock clock) {
        this.api = api;
        this.known = Caffeine.newBuilder()
                .maximumSize(MOST_KEPT)
                .expireAfterWrite(KEPT)
                .ticker(new ForwardClock(clock)::nanos)
                .build();
    }

    /** The statistics of {@code collections}, which the caller may see. Never fails. */
    Future<Map<String, Numbers>> of(List<CollectionSchema> collections, TenantScope tenantScope, CallContext context) {
        List<Shard> shards = collections.stream()
                .map(schema -> new Shard(
                        schema.name(),
                        tenantScope.boundTenant(),
                        tenantScope.filter(schema).map(WhereFilter::literal).orElse("")))
                .toList();
        List<Shard> missing = shards.stream()
                .filter(shard -> known.getIfPresent(shard) == null)
                .limit(MOST_AT_ONCE)
                .toList();
        if (missing.isEmpty()) {
            return Future.succeededFuture(known(shards));
        }
        long most = Math.min(WAIT.toMillis(), context.remaining().toMillis() / 2);
        return ask(missing, context)
                .timeout(Math.max(1, most), TimeUnit.MILLISECONDS)
                .otherwiseEmpty()
                .map(_ -> {
                    if (!context.cancelled()) {
                        missing.forEach(shard -> known.asMap().putIfAbsent(shard, Numbers.UNKNOWN));
                    }
                    return known(shards);
                });
    }

    private Map<String, Numbers> known(List<Shard> shards) {
        Map<String, Numbers> numbers = new HashMap<>();
        known.getAllPresent(shards).forEach((shard, found) -> numbers.put(shard.collection(), found));
        return numbers;
    }

    /**
     * Requests the statistics. An answer that comes after the caller has stopped waiting is cached for the next one.
     */
    private Future<Void> ask(List<Shard> shards, CallContext context) {
        return send("Aggregate", shards, List.of(), "{meta{count}}", context).compose(counted -> {
            for (int i = 0; i < shards.size(); i++) {
                JsonNode count = counted.path(alias(i)).path(0).path("meta").path("count");
                known.put(shards.get(i), new Numbers(count.isNumber() ? count.asLong() : null, null));
            }
            return newest(shards, context);
        });
    }

    private Future<Void> newest(List<Shard> shards, CallContext context) {
        List<Shard> few = shards.stream().filter(shard -> numbers(shard).few()).toList();
        if (few.isEmpty()) {
            return Future.succeededFuture();
        }
        return send("Get", few, NEWEST_FIRST, "{_additional{lastUpdateTimeUnix}}", context)
                .map(found -> {
                    for (int i = 0; i < few.size(); i++) {
                        long time = found.path(alias(i))
                                .path(0)
                                .path("_additional")
                                .path("lastUpdateTimeUnix")
                                .asLong();
                        if (time > 0) {
                            Long objects = numbers(few.get(i)).objects();
                            String updated = Instant.ofEpochMilli(time).toString();
                            known.put(few.get(i), new Numbers(objects, updated));
                        }
                    }
                    return null;
                });
    }

    private Numbers numbers(Shard shard) {
        return known.asMap().getOrDefault(shard, Numbers.UNKNOWN);
    }

    /**
     * Requests one value for every shard. A shard with an error, such as a tenant that is not loaded, has no answer.
     */
    private Future<JsonNode> send(
            String operation, List<Shard> shards, List<String> arguments, String selection, CallContext context) {
        String tenant = shards.getFirst().tenant();
        ObjectNode document = Json.object();
        if (tenant != null) {
            document.putObject("variables").put("t", tenant);
        }
        StringJoiner fields = new StringJoiner(" ", "{" + operation + "{", "}}");
        for (int i = 0; i < shards.size(); i++) {
            fields.add(alias(i) + ":" + shards.get(i).collection() + given(shards.get(i), arguments) + selection);
        }
        document.put("query", (tenant == null ? "" : "query($t:String)") + fields);
        return api.call(UpstreamRequest.query("/v1/graphql", document), context)
                .map(answer -> answer.path("data").path(operation));
    }

    private static String given(Shard shard, List<String> arguments) {
        StringJoiner given = new StringJoiner(",", "(", ")").setEmptyValue("");
        arguments.forEach(given::add);
        if (shard.tenant() != null) {
            given.add("tenant:$t");
        }
        if (!shard.where().isEmpty()) {
            given.add("where:" + shard.where());
        }
        return given.toString();
    }

    private static String alias(int number) {
        return "c" + number;
    }
}
