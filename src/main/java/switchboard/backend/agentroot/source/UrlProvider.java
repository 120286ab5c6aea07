package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.net.URI;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.Verb;
import switchboard.fetch.FetchException;
import switchboard.fetch.FetchLimits;
import switchboard.fetch.FetchResult;
import switchboard.fetch.GuardedFetcher;
import switchboard.fetch.HttpValidators;
import switchboard.fetch.WebAddress;

/** A page of the web: a collection of one document. */
public final class UrlProvider implements DocumentProvider {
    private final GuardedFetcher fetcher;
    private final FetchLimits limits;

    /** Pages that {@code fetcher} gets within {@code limits}. */
    public UrlProvider(GuardedFetcher fetcher, FetchLimits limits) {
        this.fetcher = fetcher;
        this.limits = limits;
    }

    @Override
    public String type() {
        return "url";
    }

    @Override
    public String defaultPattern() {
        return "*";
    }

    @Override
    public Set<String> options() {
        return Set.of();
    }

    @Override
    public Verb verb() {
        return Verb.FETCH;
    }

    @Override
    public Future<CollectionOrigin> check(CollectionOrigin origin, CallContext context) {
        URI uri = parse(origin.path());
        return fetch(uri, context).map(_ -> new CollectionOrigin(uri.toString(), origin.pattern(), origin.options()));
    }

    @Override
    public Future<Scan> scan(CollectionOrigin origin, CallContext context) {
        return Future.succeededFuture(new Scan(List.of(new WebPage(parse(origin.path()), context)), List.of(), true));
    }

    private static URI parse(String path) {
        try {
            return WebAddress.parse(path);
        } catch (FetchException e) {
            throw e.toToolException();
        }
    }

    private Future<FetchResult.Document> fetch(URI uri, CallContext context) {
        return fetcher.get(uri, limits, HttpValidators.NONE, context).map(fetched -> switch (fetched) {
            case FetchResult.Document document -> document;
            case FetchResult.NotModified _ -> throw new IllegalStateException("nothing was known of it");
        });
    }

    private final class WebPage implements SourceDocument {
        private final URI uri;
        private final CallContext context;

        WebPage(URI uri, CallContext context) {
            this.uri = uri;
            this.context = context;
        }

        @Override
        public String path() {
            String path = uri.getHost() + uri.getPath() + (uri.getQuery() == null ? "" : "?" + uri.getQuery());
            return path.replaceAll("/+", "/").replaceAll("/$", "");
        }

        /** The last part of the path, else the host. */
        private String name() {
            String path = path();
            return path.substring(path.lastIndexOf('/') + 1);
        }

        @Override
        public Future<SourcePermission> permission() {
            return Future.succeededFuture(SourcePermission.UNKNOWN);
        }

        @Override
        public Future<RawContent> load() {
            return fetch(uri, context)
                    .map(document -> new RawContent(
                            document.bytes(),
                            document.uri().getPath(),
                            // A page without a type is one of the web: HTML.
                            document.contentType() == null ? "text/html" : document.contentType(),
                            null,
                            name(),
                            modified(document.version().lastModified()),
                            Json.object().put("url", uri.toString())));
        }
    }

    private static @Nullable Instant modified(@Nullable String header) {
        try {
            return header == null
                    ? null
                    : ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
        } catch (DateTimeParseException _) {
            return null;
        }
    }
}
