package switchboard.backend.embedded;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.DocumentVersion;
import switchboard.call.PassagePlace;
import switchboard.call.PassageRef;
import switchboard.call.PassageRefs;
import switchboard.call.PassageSpan;
import switchboard.store.DocumentStore;
import switchboard.store.DocumentText;
import switchboard.store.Namespace;
import switchboard.store.StoredChunk;
import switchboard.store.StoredDocument;

/**
 * What refs of stored passages say. A document is named by its source, because each version has another id. A chunk's column names are
 * not at its place, so they are not part of what is cited.
 */
public final class StoredRefs {
    /** How many digits of the content's hash are the version: few, because each ref has them, and it has the passage's hash too. */
    private static final int VERSION_DIGITS = 8;
    /** So often a document is looked for that is replaced again and again. */
    private static final int READS = 5;

    private StoredRefs() {}

    static DocumentVersion version(StoredDocument document) {
        String hash = document.contentHash();
        return new DocumentVersion(
                document.id(), document.source(), hash.substring(0, Math.min(VERSION_DIGITS, hash.length())));
    }

    static PassagePlace place(StoredChunk chunk) {
        return new PassagePlace(chunk.start(), chunk.columns().length(), version(chunk.document()));
    }

    /** The ref of a chunk that is a result of {@code backend}'s own tools; null if none is wanted. */
    public static @Nullable PassageRef of(String backend, StoredChunk chunk, PassageRefs refs) {
        StoredDocument document = chunk.document();
        return refs.ref(
                new PassageRefs.CitedDocument(
                        backend,
                        document.namespace().name(),
                        document.source(),
                        version(document).version()),
                PassageSpan.between(chunk.start(), chunk.end()),
                chunk.text().substring(chunk.columns().length()));
    }

    /** The present version of the document with that source. */
    static Future<Optional<DocumentText>> newest(DocumentStore readable, Namespace namespace, String source) {
        return newest(readable, namespace, source, READS);
    }

    private static Future<Optional<DocumentText>> newest(
            DocumentStore readable, Namespace namespace, String source, int left) {
        return readable.find(namespace, source)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : readable.read(List.of(namespace), found.get().id())
                                .compose(text -> text.isPresent() || left <= 1
                                        ? Future.succeededFuture(text)
                                        : newest(readable, namespace, source, left - 1)));
    }
}
