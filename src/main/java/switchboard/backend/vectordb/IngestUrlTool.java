package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.convert.RawDocument;
import switchboard.fetch.FetchException;
import switchboard.fetch.FetchLimits;
import switchboard.fetch.FetchResult;
import switchboard.fetch.GuardedFetcher;
import switchboard.fetch.HttpValidators;
import switchboard.fetch.WebAddress;
import switchboard.store.AllowedReaders;
import switchboard.store.Namespace;

/** {@code ingest_url}. */
final class IngestUrlTool implements ToolHandler<IngestUrlTool.Args> {
    private static final String FILE_TYPE = "url";

    private final LibraryResolver libraryResolver;
    private final GuardedFetcher fetcher;
    private final VectordbSettings.Fetch settings;
    private final Ingestion ingestion;

    IngestUrlTool(
            LibraryResolver libraryResolver,
            GuardedFetcher fetcher,
            VectordbSettings.Fetch settings,
            Ingestion ingestion) {
        this.libraryResolver = libraryResolver;
        this.fetcher = fetcher;
        this.settings = settings;
        this.ingestion = ingestion;
    }

    record Args(
            String url,
            String library,
            @Nullable ObjectNode metadata,
            @Nullable List<String> allow) {}

    @Override
    public String name() {
        return "ingest_url";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Namespace namespace = libraryResolver.forWriting(args.library(), context.caller());
        URI uri;
        try {
            uri = WebAddress.parse(args.url());
        } catch (FetchException e) {
            return Future.failedFuture(e.toToolException());
        }
        Ingestion.DocumentTarget target =
                new Ingestion.DocumentTarget(namespace, args.url().strip());
        return ingestion.ingest(
                target,
                Ingestion.Description.of(args.metadata(), args.allow()),
                stored -> fetch(uri, ingestion.validators(stored), context),
                context);
    }

    private Future<FetchedSource> fetch(URI uri, HttpValidators conditional, CallContext context) {
        FetchLimits limits = new FetchLimits(settings.maxSize().toInt(), settings.timeout(), settings.maxRedirects());
        return fetcher.get(uri, limits, conditional, context).map(IngestUrlTool::incoming);
    }

    private static FetchedSource incoming(FetchResult fetched) {
        return switch (fetched) {
            case FetchResult.NotModified _ -> new FetchedSource.Unchanged();
            case FetchResult.Document document -> {
                String path = document.uri().getPath();
                // A page without a type is one of the web: HTML.
                String type = document.contentType() == null ? "text/html" : document.contentType();
                Optional<String> modified =
                        Timestamps.parseHttp(document.version().lastModified()).map(Timestamps::seconds);
                yield new FetchedSource.Document(
                        new RawDocument(document.bytes(), path, type),
                        FILE_TYPE,
                        modified.orElse(null),
                        AllowedReaders.ALL,
                        document.version());
            }
        };
    }
}
