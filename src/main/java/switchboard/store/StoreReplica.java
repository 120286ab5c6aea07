package switchboard.store;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.document.Document;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.text.SurrogatePairs;

/** The files of a store as a copy of libraries in a shared database. Thread-safe; nothing here blocks. */
public final class StoreReplica {
    private static final Logger LOG = LoggerFactory.getLogger(StoreReplica.class);

    /** The most bytes of a document in a shared database. */
    private static final long LARGEST = 64L << 20;

    private final NamespaceCatalog catalog;
    private final GroupCommit commits;
    private final BlockingExecutor executor;

    StoreReplica(NamespaceCatalog catalog, GroupCommit commits, BlockingExecutor executor) {
        this.catalog = catalog;
        this.commits = commits;
        this.executor = executor;
    }

    /** What the files of a namespace are told of its library. */
    public sealed interface Followed {
        /** The document has this form now. */
        record Present(DocumentForm form) implements Followed {}

        /** There is no document with that source any more. */
        record Gone(String source) implements Followed {}
    }

    /** How far the files follow; empty if there are none, or none that can be used. */
    public Optional<ReplicaPosition> position(Namespace namespace) {
        return catalog.find(namespace).filter(index -> index.damage().isEmpty()).map(index -> index.facts()
                .followed());
    }

    /** Whether there are files, whatever they are. */
    public boolean exists(Namespace namespace) {
        return catalog.find(namespace).isPresent();
    }

    /** How many documents the files have. */
    public long documents(Namespace namespace) {
        return catalog.find(namespace).map(index -> index.counts().documents()).orElse(0L);
    }

    /** Whether these files are a copy, which can be deleted at any time. */
    public boolean isCopy() {
        return catalog.isCopy();
    }

    /**
     * Makes these files a copy, unless they have what may be nowhere else.
     *
     * @return what may be nowhere else: namespaces with documents that follow nothing, and what can't be read
     */
    public Future<List<String>> becomeCopy() {
        return executor.run(() -> {
            try {
                List<String> own = isCopy() ? List.of() : own();
                if (own.isEmpty()) {
                    catalog.becomeCopy();
                }
                return own;
            } catch (IOException e) {
                throw StoreFailures.of(e, "Making the folder a copy of the shared database");
            }
        });
    }

    private List<String> own() {
        Set<String> own = new TreeSet<>(catalog.damaged());
        catalog.indexes().stream()
                .filter(index ->
                        index.facts().followed() == null && index.counts().documents() > 0)
                .forEach(index -> own.add(index.namespace().name()));
        return List.copyOf(own);
    }

    /** All namespaces that have files. */
    public List<Namespace> namespaces() {
        return catalog.namespaces();
    }

    /**
     * A new document as it will be stored.
     *
     * @param document what is known of it; the time is to be set
     */
    public record PreparedDocument(StoredDocument document, DocumentForm form) {}

    /** Those of {@code namespaces} that may have the document {@code id}. */
    public static List<Namespace> candidates(String id, Collection<Namespace> namespaces) {
        return DocumentIds.candidates(id, namespaces);
    }

    /**
     * {@code found}, if it may be read: who may not read a document may not change it.
     *
     * @throws ToolException {@code DENIED} if it may not
     */
    public static Optional<StoredDocument> permitted(DocumentAccess access, Optional<StoredDocument> found) {
        return CommitBatch.permitted(access, found);
    }

    /** The failure of a change of what may not be read. */
    public static ToolException denied(String why) {
        return CommitBatch.denied(why);
    }

    /**
     * Refuses what can't be indexed.
     *
     * @throws ToolException {@code INVALID_ARGUMENT}
     */
    public static void check(StoredDocument document) {
        DocumentSchema.check(document);
    }

    /**
     * Refuses what is too large to be sent to the database, and read by each gateway, in the time that one statement has.
     *
     * @param bytes of the document, with its passages and vectors
     * @throws ToolException {@code INVALID_ARGUMENT}
     */
    public static void checkSize(String source, long bytes) {
        if (bytes > LARGEST) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "The document " + SurrogatePairs.start(source, 100) + " has " + (bytes >> 20)
                            + " MiB with its passages and vectors. A database that gateways share takes "
                            + (LARGEST >> 20)
                            + " MiB: split it.");
        }
    }

    /** Checks a new document, and writes its form. */
    public Future<PreparedDocument> prepare(Namespace namespace, NewDocument document) {
        return executor.run(() -> {
            StoredDocument facts = StoredDocument.of(namespace, document, Instant.EPOCH);
            DocumentForm form = DocumentForm.of(facts, document);
            checkSize(document.details().source(), form.size());
            var _ = form.block(facts); // refused now, not by each gateway that follows
            return new PreparedDocument(facts, form);
        });
    }

    /**
     * A document whose chunks are to be in an engine.
     *
     * @param document its row, which keeps text and places of chunks, but not their vectors
     * @param chunks what the engine gets
     */
    public record EngineForm(PreparedDocument document, List<EngineChunk> chunks) {}

    /** The chunks of a document with other vectors by their field, one map for each chunk. */
    public Future<List<EngineChunk>> engineChunks(DocumentForm form, List<Map<String, float[]>> vectors) {
        return executor.run(() -> form.engineChunks(vectors));
    }

    /** The chunks of a document with the vectors that its row has, if any. */
    public Future<List<EngineChunk>> engineChunks(DocumentForm form) {
        return executor.run(() -> form.hasVectors() ? form.engineChunks() : form.engineChunks(form.withoutVectors()));
    }

    /** A new document in parts. */
    public Future<EngineForm> engineForm(PreparedDocument prepared) {
        return executor.run(() -> {
            DocumentForm form = prepared.form();
            List<EngineChunk> chunks = form.engineChunks();
            DocumentForm row = new DocumentForm(
                    DocumentForm.factsOf(prepared.document(), chunks), form.text(), form.chunks(), new byte[0]);
            return new EngineForm(new PreparedDocument(prepared.document(), row), chunks);
        });
    }

    /**
     * Applies changes, and notes that the files follow up to {@code position}, in one commit. A document that the files have already as
     * it is, because it was read while they were built or with an earlier change, is not written again: until Lucene merges, what is
     * deleted still counts in scores.
     */
    public Future<Void> apply(Namespace namespace, ReplicaPosition position, List<Followed> changes) {
        return executor.run(() -> analysed(namespace, changes))
                .compose(all -> commits.submit(namespace, batch -> {
                    for (Analysed one : all) {
                        if (!position.complete() || !one.isIn(batch)) {
                            one.to(batch);
                        }
                    }
                    batch.follow(position);
                    return true;
                }))
                .mapEmpty();
    }

    /** A change with the Lucene documents that it brings. */
    private sealed interface Analysed {
        boolean isIn(CommitBatch batch) throws IOException;

        void to(CommitBatch batch) throws IOException;

        record Put(StoredDocument document, DocumentForm form, List<Document> block) implements Analysed {
            @Override
            public boolean isIn(CommitBatch batch) throws IOException {
                return batch.has(document, form);
            }

            @Override
            public void to(CommitBatch batch) throws IOException {
                try {
                    batch.put(DocumentAccess.EVERYTHING, document, block);
                } catch (IllegalArgumentException unfit) {
                    LOG.error(
                            "the document {} can't be indexed, and is not found: {}", document.id(), unfit.toString());
                    batch.remove(document.source());
                }
            }
        }

        record Remove(String source) implements Analysed {
            @Override
            public boolean isIn(CommitBatch batch) {
                return false;
            }

            @Override
            public void to(CommitBatch batch) throws IOException {
                batch.remove(source);
            }
        }
    }

    private static List<Analysed> analysed(Namespace namespace, List<Followed> changes) {
        List<Analysed> all = new ArrayList<>();
        for (Followed change : changes) {
            all.add(
                    switch (change) {
                        case Followed.Present(DocumentForm form) -> put(namespace, form);
                        case Followed.Gone(String source) -> new Analysed.Remove(source);
                    });
        }
        return all;
    }

    /** One document that can't be indexed must not keep the others from being followed. */
    private static Analysed put(Namespace namespace, DocumentForm form) {
        StoredDocument document = DocumentForm.document(namespace, form.facts());
        try {
            return new Analysed.Put(document, form, form.block(document));
        } catch (ToolException | IllegalArgumentException | UncheckedIOException unfit) {
            LOG.error("the document {} can't be indexed, and is not found: {}", document.id(), unfit.toString());
            return new Analysed.Remove(document.source());
        }
    }

    /** Removes the files of a namespace, also those whose name can't be read. */
    public Future<Void> forget(Namespace namespace) {
        return executor.run(() -> {
                    try {
                        boolean dropped = catalog.drop(namespace, DocumentAccess.EVERYTHING);
                        catalog.clear(namespace);
                        return dropped;
                    } catch (IOException e) {
                        throw StoreFailures.of(e, "Removing files of " + namespace.name());
                    }
                })
                .mapEmpty();
    }
}
