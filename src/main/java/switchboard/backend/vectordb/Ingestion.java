package switchboard.backend.vectordb;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.backend.embedded.AllowArgument;
import switchboard.backend.embedded.CallerStore;
import switchboard.backend.vectordb.Preparation.Prepared;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.convert.DocumentConverter;
import switchboard.embed.EmbedListener;
import switchboard.fetch.HttpValidators;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.ChunkEmbedders;
import switchboard.store.DocumentDescription;
import switchboard.store.DocumentDetails;
import switchboard.store.Namespace;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.NewDocument;
import switchboard.store.SearchedText;
import switchboard.store.StoredDocument;
import switchboard.text.SurrogatePairs;

/**
 * Ingests a document: read, convert, split, embed, store. Nothing is written until everything is computed, so that a
 * failure leaves the stored version unchanged. Ingestions of the same source into the same library run one after the
 * other.
 */
final class Ingestion {
    private static final int MAX_METADATA_BYTES = 32 * 1024;
    private static final int HASH_SHOWN = 32;
    private static final int ATTEMPTS = 5;

    private final CallerStore store;
    private final NamespaceEmbedders embedders;
    private final BlockingExecutor executor;
    private final DocumentConverter converter;
    private final Preparation preparation;
    private final KeyedSerialExecutor<DocumentTarget> turns = new KeyedSerialExecutor<>();
    private final HttpValidatorCache versions = new HttpValidatorCache();

    Ingestion(CallerStore store, NamespaceEmbedders embedders, BlockingExecutor executor, DocumentConverter converter) {
        this.store = store;
        this.embedders = embedders;
        this.executor = executor;
        this.converter = converter;
        this.preparation = new Preparation(converter);
    }

    /** The document to write: its library and source. */
    record DocumentTarget(Namespace namespace, String source) {
        DocumentTarget {
            source = SurrogatePairs.replaceLone(source); // as it is stored, since the id is made of it
        }
    }

    /**
     * What the caller says about a document; what is null stays as it is stored.
     *
     * @param metadata empty for a new document
     * @param allow who may read it, besides what its source says; everyone for a new document
     */
    record Description(
            @Nullable ObjectNode metadata, @Nullable AllowedReaders allow) {
        /**
         * A description by arguments of a tool.
         *
         * @throws ToolException {@code INVALID_ARGUMENT} if the metadata is too large, or {@code allow} has something else than
         *     readers
         */
        static Description of(@Nullable ObjectNode metadata, @Nullable List<String> allow) {
            if (metadata != null && Json.bytes(metadata).length > MAX_METADATA_BYTES) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "metadata is larger than " + MAX_METADATA_BYTES + " bytes. Put long text into the document.");
            }
            return new Description(metadata, AllowArgument.of(allow));
        }

        AllowedReaders allowOr(Optional<StoredDocument> stored) {
            return allow != null
                    ? allow
                    : stored.map(document -> document.details().given()).orElse(AllowedReaders.ALL);
        }

        ObjectNode metadataOr(Optional<StoredDocument> stored) {
            return metadata != null
                    ? metadata
                    : stored.map(StoredDocument::metadata).orElseGet(Json::object);
        }
    }

    /**
     * Ingests a document.
     *
     * @param content reads the source, given the stored version
     */
    Future<ToolReply> ingest(
            DocumentTarget target,
            Description description,
            Function<Optional<StoredDocument>, Future<FetchedSource>> content,
            CallContext context) {
        return turns.run(target, () -> attempt(target, description, content, context, ATTEMPTS));
    }

    /** Again, if another gateway or a deletion came between: what is kept of the stored version would not be its any more. */
    private Future<ToolReply> attempt(
            DocumentTarget target,
            Description description,
            Function<Optional<StoredDocument>, Future<FetchedSource>> content,
            CallContext context,
            int left) {
        alive(context);
        context.progress(0, null, "reading " + target.source());
        return store.of(context.caller())
                .findReplaceable(target.namespace(), target.source())
                .compose(stored -> content.apply(stored)
                        .compose(fetchedSource -> taken(target, description, stored, fetchedSource, context)))
                .recover(failure -> left > 1
                                && failure instanceof ToolException tool
                                && tool.failed().kind() == FailureKind.CONFLICT
                        ? attempt(target, description, content, context, left - 1)
                        : Future.failedFuture(failure));
    }

    /**
     * Ingests a text without a name. Its name is derived from its content without its permission, so that the same text is
     * the same document, also for other readers.
     */
    Future<ToolReply> ingestNameless(
            Namespace namespace, Description description, FetchedSource.CallerText text, CallContext context) {
        return executor.run(context, () -> PermittedContent.of("content", text, converter))
                .compose(permitted -> ingest(
                        new DocumentTarget(namespace, "text:" + permitted.hash().substring(0, HASH_SHOWN)),
                        description,
                        _ -> Future.succeededFuture(permitted),
                        context));
    }

    private Future<ToolReply> taken(
            DocumentTarget target,
            Description description,
            Optional<StoredDocument> stored,
            FetchedSource fetchedSource,
            CallContext context) {
        return switch (fetchedSource) {
            case FetchedSource.Unchanged _ ->
                described(
                        stored.orElseThrow(),
                        description,
                        stored.get().details().fromSource(),
                        context);
            case FetchedSource.SourceContent content ->
                executor.run(context, () -> PermittedContent.of(target.source(), content, converter))
                        .compose(permitted -> stored(target, description, stored, permitted, context));
            case PermittedContent permitted -> stored(target, description, stored, permitted, context);
        };
    }

    private Future<ToolReply> stored(
            DocumentTarget target,
            Description description,
            Optional<StoredDocument> stored,
            PermittedContent permitted,
            CallContext context) {
        Future<ToolReply> reply = stored.isPresent() && current(stored.get(), permitted)
                ? described(stored.get(), description, permitted.readers(), context)
                : written(new NewVersion(target, permitted, description, stored), context);
        // Not before: if this fails, the next call has to read the source again.
        return reply.map(also(_ -> versions.keep(target, permitted)));
    }

    /** Whether the stored version has the same content and title, and the vectors that it would get today. */
    private boolean current(StoredDocument stored, PermittedContent permitted) {
        String title = permitted.content().title();
        return stored.contentHash().equals(permitted.hash())
                && (title == null || title.equals(stored.title()))
                && embeddedAsToday(stored);
    }

    /**
     * What to send with the request for a page, so that the server can answer that it has not changed. Nothing if the stored version
     * would be embedded in another way today: then the page is downloaded.
     */
    HttpValidators validators(Optional<StoredDocument> stored) {
        return stored.filter(this::embeddedAsToday).map(versions::of).orElse(HttpValidators.NONE);
    }

    private boolean embeddedAsToday(StoredDocument stored) {
        return Objects.equals(
                stored.model(), embedders.of(stored.namespace()).name().orElse(null));
    }

    private Future<ToolReply> described(
            StoredDocument stored, Description given, AllowedReaders fromSource, CallContext context) {
        DocumentDescription before = new DocumentDescription(
                stored.title(),
                stored.metadata(),
                stored.details().given(),
                stored.details().fromSource(),
                "");
        DocumentDescription now = new DocumentDescription(
                stored.title(),
                given.metadataOr(Optional.of(stored)),
                given.allowOr(Optional.of(stored)),
                fromSource,
                "");
        checkPlaces(now.given(), fromSource);
        if (now.equals(before)) {
            return Future.succeededFuture(IngestReply.skipped(stored));
        }
        return store.of(context.caller())
                .describe(stored, now)
                .map(changed -> IngestReply.replaced(changed.orElseThrow(() -> new ToolException(
                        FailureKind.CONFLICT, "The document was deleted in the meantime; ingest it again."))));
    }

    /** A new version that is about to be stored. */
    private record NewVersion(
            DocumentTarget target,
            PermittedContent content,
            Description description,
            Optional<StoredDocument> stored) {}

    private Future<ToolReply> written(NewVersion draft, CallContext context) {
        checkPlaces(draft.description().allowOr(draft.stored()), draft.content().readers());
        ChunkEmbedders models = embedders.of(draft.target().namespace());
        return executor.run(
                        context,
                        () -> preparation.prepare(
                                draft.target().source(), draft.content().content(), models, context::cancelled))
                .compose(prepared -> {
                    int chunks = prepared.chunks().size();
                    context.progress(1, chunks + 2.0, "converted: " + chunks + " chunks");
                    return vectors(models, prepared, context)
                            .map(vectors -> document(draft, prepared, models.name(), vectors));
                })
                .compose(document -> {
                    alive(context);
                    double total = document.chunks().size() + 2.0;
                    return store.of(context.caller())
                            .put(draft.target().namespace(), document, draft.stored())
                            .map(also(_ -> context.progress(total, total, "stored")));
                })
                .map(put -> put.replaced().isPresent()
                        ? IngestReply.replaced(put.document())
                        : IngestReply.indexed(put.document()));
    }

    private static Future<List<Optional<Chunk.ChunkVector>>> vectors(
            ChunkEmbedders models, Prepared prepared, CallContext context) {
        List<SearchedText> passages = prepared.passages();
        return models.embed(passages, new EmbedListener() {
            @Override
            public void embedded(int done) {
                context.progress(
                        1.0 + done, passages.size() + 2.0, "embedded " + done + " of " + passages.size() + " chunks");
            }

            @Override
            public boolean cancelled() {
                return context.cancelled();
            }
        });
    }

    private static NewDocument document(
            NewVersion draft, Prepared prepared, Optional<String> models, List<Optional<Chunk.ChunkVector>> vectors) {
        List<Chunk> chunks = new ArrayList<>(prepared.chunks().size());
        for (int i = 0; i < prepared.chunks().size(); i++) {
            var chunk = prepared.chunks().get(i);
            Chunk stored = Chunk.of(chunk.start(), chunk.end())
                    .onPages(chunk.pages())
                    .below(chunk.heading(), prepared.contexts().get(i))
                    .withColumns(chunk.columns());
            chunks.add(vectors.get(i).map(stored::withVector).orElse(stored));
        }
        return new NewDocument(
                new DocumentDetails(
                        draft.target().source(),
                        prepared.title(),
                        draft.content().content().fileType(),
                        draft.content().content().lastModified(),
                        draft.content().hash(),
                        draft.description().metadataOr(draft.stored()),
                        draft.description().allowOr(draft.stored()),
                        draft.content().readers()),
                prepared.converted().text(),
                models.orElse(null),
                chunks);
    }

    private static void checkPlaces(AllowedReaders given, AllowedReaders fromSource) {
        try {
            var unused = given.and(fromSource);
        } catch (IllegalArgumentException e) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "allow: " + e.getMessage() + ".");
        }
    }

    private static void alive(CallContext context) {
        if (context.cancelled()) {
            throw new ToolException(FailureKind.CANCELLED, "Cancelled; nothing was changed.");
        }
    }
}
