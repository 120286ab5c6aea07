package switchboard.store;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.Term;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.NamespaceIndex.Counts;

/**
 * The changes of one commit to one namespace. Each change sees the last commit and the earlier changes of the batch.
 */
final class CommitBatch implements AutoCloseable {
    private final NamespaceIndex index;
    private final Snapshot committed;
    private final Map<String, Optional<StoredDocument>> pending = new HashMap<>();
    private Counts counts;
    private boolean byCallers = true;
    private boolean analysed;
    private boolean restricted;
    private @Nullable ReplicaPosition followed;

    CommitBatch(NamespaceIndex index) throws IOException {
        this.index = index;
        index.writer();
        this.counts = index.counts();
        this.committed = Snapshot.of(List.of(index), DocumentAccess.EVERYTHING);
    }

    /** Whether there is anything to commit. */
    boolean changed() {
        return !pending.isEmpty() || analysed || followed != null;
    }

    /** The user data of the commit if it is written at {@code time}. */
    CommitUserData facts(Instant time) {
        CommitUserData before = restricted ? index.facts().restricted(true) : index.facts();
        if (followed != null) {
            return before.following(counts, followed);
        }
        if (byCallers) {
            return before.changed(counts, time);
        }
        return analysed ? before.withAnalysis() : before;
    }

    private Optional<StoredDocument> bySource(String source) throws IOException {
        Optional<StoredDocument> newer = pending.get(source);
        return newer != null ? newer : DocumentLookup.bySource(committed, source);
    }

    private Optional<StoredDocument> byId(String id) throws IOException {
        for (Optional<StoredDocument> newer : pending.values()) {
            if (newer.isPresent() && newer.get().id().equals(id)) {
                return newer;
            }
        }
        return DocumentLookup.byId(committed, id).filter(found -> !pending.containsKey(found.source()));
    }

    /**
     * Writes a document's block, and removes the one with the same source in the same step. Returns the removed
     * document.
     *
     * @throws ToolException {@code DENIED} if {@code access} does not permit to read that one
     */
    Optional<StoredDocument> put(DocumentAccess access, StoredDocument document, List<Document> block)
            throws IOException {
        Optional<StoredDocument> before = permitted(access, bySource(document.source()));
        restricted |= document.allow().restricted();
        index.writer().updateDocuments(term(document), block);
        forget(before);
        pending.put(document.source(), Optional.of(document));
        counts = counts.plus(1, document.chunkCount());
        return before;
    }

    /**
     * {@code found}, if it may be read: who may not read a document may not change it.
     *
     * @throws ToolException {@code DENIED} if it may not
     */
    static Optional<StoredDocument> permitted(DocumentAccess access, Optional<StoredDocument> found) {
        if (found.isPresent() && !access.permits(found.get().allow())) {
            throw denied("There is one already that you may not read");
        }
        return found;
    }

    /** The failure of a change of what may not be read. */
    static ToolException denied(String why) {
        return new ToolException(
                FailureKind.DENIED,
                why
                        + ", so you may not replace, change or remove it. Use another name, or ask somebody who may read it.");
    }

    private static Term term(StoredDocument document) {
        return new Term(DocumentSchema.SOURCE, document.source());
    }

    private void forget(Optional<StoredDocument> gone) {
        gone.ifPresent(document -> counts = counts.plus(-1, -document.chunkCount()));
    }

    /** Removes a document, if {@code access} permits to read it, and returns it. */
    Optional<StoredDocument> delete(DocumentAccess access, String id) throws IOException {
        Optional<StoredDocument> found = permitted(access, byId(id));
        if (found.isPresent()) {
            index.writer().deleteDocuments(term(found.get()));
            forget(found);
            pending.put(found.get().source(), Optional.empty());
        }
        return found;
    }

    /** Removes the document with that source, if there is one. */
    void remove(String source) throws IOException {
        Optional<StoredDocument> found = bySource(source);
        if (found.isPresent()) {
            index.writer().deleteDocuments(term(found.get()));
            forget(found);
            pending.put(source, Optional.empty());
        }
    }

    /** Whether the last commit has exactly this document, and nothing of this batch changes it. */
    boolean has(StoredDocument document, DocumentForm form) throws IOException {
        if (pending.containsKey(document.source()) || form.isBare()) {
            return false;
        }
        Optional<Integer> number = DocumentLookup.numberById(committed, document.id());
        return number.isPresent()
                && committed.document(number.get()).equals(document)
                && DocumentLookup.form(committed, number.get()).same(form);
    }

    /** The changes of this batch follow a library up to {@code position}. */
    void follow(ReplicaPosition position) {
        followed = position;
    }

    /**
     * Rewrites a document with another description, if {@code access} permits to read it. Must be the only change of its
     * commit.
     */
    Optional<StoredDocument> describe(DocumentAccess access, String id, DocumentDescription description)
            throws IOException {
        Optional<Integer> number = DocumentLookup.numberById(committed, id);
        if (number.isEmpty()) {
            return Optional.empty();
        }
        StoredDocument before = committed.document(number.get());
        permitted(access, Optional.of(before));
        List<Chunk> chunks = committed.chunks(number.get());
        if (!chunks.isEmpty()) {
            chunks.set(0, chunks.getFirst().withFoundBy(description.foundBy()));
        }
        return rewrite(number.get(), before.with(description), chunks, committed.vectors(number.get()));
    }

    /** Rewrites a document with other vectors, by field. Must be the only change of its commit. */
    Optional<StoredDocument> giveVectors(String id, String model, List<Map<String, float[]>> vectors)
            throws IOException {
        Optional<Integer> number = DocumentLookup.numberById(committed, id);
        if (number.isEmpty()) {
            return Optional.empty();
        }
        StoredDocument facts = committed.document(number.get()).withModel(model);
        return rewrite(number.get(), facts, committed.chunks(number.get()), vectors);
    }

    /**
     * Analyses up to {@code most} documents again that another version of {@link TextAnalysis} analysed, and notes it when
     * none is left. Must be the only change of its commit.
     *
     * @return how many it was; fewer than {@code most} if none is left
     */
    int analyse(int most) throws IOException {
        List<Integer> older = DocumentLookup.olderAnalysis(committed, most);
        for (int number : older) {
            rewrite(number, committed.document(number), committed.chunks(number), committed.vectors(number));
        }
        byCallers = false;
        analysed = older.size() < most;
        return older.size();
    }

    private Optional<StoredDocument> rewrite(
            int number, StoredDocument facts, List<Chunk> chunks, List<Map<String, float[]>> vectors)
            throws IOException {
        put(DocumentAccess.EVERYTHING, facts, DocumentSchema.of(facts, committed.text(number), chunks, vectors));
        return Optional.of(facts);
    }

    @Override
    public void close() {
        committed.close();
    }
}
