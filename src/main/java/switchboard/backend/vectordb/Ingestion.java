package switchboard.backend.vectordb;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import switchboard.backend.vectordb.Preparation.Prepared;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.embed.EmbedListener;
import switchboard.store.Chunk;
import switchboard.store.ChunkEmbedders;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentStore;
import switchboard.store.Namespace;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.NewDocument;
import switchboard.store.StoredDocument;

/**
 * Ingests a document: read, convert, split, embed, store. Nothing is written until everything is computed, so that a
 * failure leaves the stored version unchanged. Ingestions of the same source into the same library run one after the
 * other.
 */
final class Ingestion {
    private static final int MAX_METADATA_BYTES = 32 * 1024;

    private final Supplier<DocumentStore> store;
    private final NamespaceEmbedders embedders;
    private final BlockingExecutor executor;
    private final Preparation preparation;
    private final KeyedSerialExecutor<DocumentTarget> turns = new KeyedSerialExecutor<>();

    Ingestion(
            Supplier<DocumentStore> store,
            NamespaceEmbedders embedders,
            BlockingExecutor executor,
            Preparation preparation) {
        this.store = store;
        this.embedders = embedders;
        this.executor = executor;
        this.preparation = preparation;
    }

    /** The document to write: its library and source. */
    record DocumentTarget(Namespace namespace, String source) {}

    /**
     * Ingests a document.
     *
     * @param metadata the caller's, or null to keep the stored one (empty for a new document)
     * @param content reads the source, given the stored version
     */
    Future<ToolReply> ingest(
            DocumentTarget target,
            @Nullable ObjectNode metadata,
            Function<Optional<StoredDocument>, Future<FetchedSource>> content,
            CallContext context) {
        if (metadata != null && Json.bytes(metadata).length > MAX_METADATA_BYTES) {
            return Future.failedFuture(new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "metadata is larger than " + MAX_METADATA_BYTES + " bytes. Put long text into the document."));
        }
        return turns.run(target, () -> {
            alive(context);
            context.progress(0, null, "reading " + target.source());
            return store.get().find(target.namespace(), target.source()).compose(stored -> content.apply(stored)
                    .compose(fetchedSource -> taken(target, metadata, stored, fetchedSource, context)));
        });
    }

    private Future<ToolReply> taken(
            DocumentTarget target,
            @Nullable ObjectNode metadata,
            Optional<StoredDocument> stored,
            FetchedSource fetchedSource,
            CallContext context) {
        return switch (fetchedSource) {
            case FetchedSource.Unchanged _ -> described(stored.orElseThrow(), metadata, null);
            case FetchedSource.SourceContent content -> {
                String hash = DigestUtils.sha256Hex(content.bytes());
                yield stored.isPresent() && current(stored.get(), hash)
                        ? described(stored.get(), metadata, content.title())
                        : written(new NewVersion(target, hash, content, metadata, stored), context);
            }
        };
    }

    /** Whether the stored version has the same content, and the vectors that it would get today. */
    private boolean current(StoredDocument stored, String hash) {
        return stored.contentHash().equals(hash) && embeddedAsToday(stored);
    }

    /** Whether a stored document has the vectors that it would get today. */
    boolean embeddedAsToday(StoredDocument stored) {
        return Objects.equals(
                stored.model(), embedders.of(stored.namespace()).name().orElse(null));
    }

    private Future<ToolReply> described(
            StoredDocument stored, @Nullable ObjectNode givenMetadata, @Nullable String givenTitle) {
        ObjectNode metadata = givenMetadata == null ? stored.metadata() : givenMetadata;
        String title = givenTitle == null ? stored.title() : givenTitle;
        if (metadata.equals(stored.metadata()) && title.equals(stored.title())) {
            return Future.succeededFuture(IngestReply.skipped(stored));
        }
        return store.get()
                .describe(List.of(stored.namespace()), stored.id(), title, metadata, "")
                .map(changed -> IngestReply.replaced(changed.orElseThrow(() -> new ToolException(
                        FailureKind.CONFLICT, "The document was deleted in the meantime; ingest it again."))));
    }

    /** A new version that is about to be stored. */
    private record NewVersion(
            DocumentTarget target,
            String hash,
            FetchedSource.SourceContent content,
            @Nullable ObjectNode metadata,
            Optional<StoredDocument> stored) {
        ObjectNode metadataOrStored() {
            return metadata != null
                    ? metadata
                    : stored.map(StoredDocument::metadata).orElseGet(Json::object);
        }
    }

    private Future<ToolReply> written(NewVersion draft, CallContext context) {
        ChunkEmbedders models = embedders.of(draft.target().namespace());
        return executor.run(
                        context,
                        () -> preparation.prepare(draft.target().source(), draft.content(), models, context::cancelled))
                .compose(prepared -> {
                    int chunks = prepared.chunks().size();
                    context.progress(1, chunks + 2.0, "converted: " + chunks + " chunks");
                    return vectors(models, prepared, context)
                            .map(vectors -> document(draft, prepared, models.name(), vectors));
                })
                .compose(document -> {
                    alive(context);
                    double total = document.chunks().size() + 2.0;
                    return store.get()
                            .put(draft.target().namespace(), document)
                            .map(also(_ -> context.progress(total, total, "stored")));
                })
                .map(put -> put.replaced().isPresent()
                        ? IngestReply.replaced(put.document())
                        : IngestReply.indexed(put.document()));
    }

    private static Future<List<Optional<Chunk.ChunkVector>>> vectors(
            ChunkEmbedders models, Prepared prepared, CallContext context) {
        List<String> passages = prepared.passages();
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
                        draft.content().fileType(),
                        draft.content().lastModified(),
                        draft.hash(),
                        draft.metadataOrStored()),
                prepared.converted().text(),
                models.orElse(null),
                chunks);
    }

    private static void alive(CallContext context) {
        if (context.cancelled()) {
            throw new ToolException(FailureKind.CANCELLED, "Cancelled; nothing was changed.");
        }
    }
}
