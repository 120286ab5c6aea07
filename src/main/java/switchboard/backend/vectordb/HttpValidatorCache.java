package switchboard.backend.vectordb;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Instant;
import java.util.Optional;
import switchboard.fetch.Conditional;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/**
 * What servers said about the version of the pages that are stored, so that an unchanged page need not come again. Kept
 * in memory: what is forgotten costs one fetch.
 */
final class HttpValidatorCache {
    private static final int MAX_PAGES = 10_000;

    private final Cache<PageKey, Conditional> versions =
            Caffeine.newBuilder().maximumSize(MAX_PAGES).build();

    private record PageKey(Namespace namespace, String source, String contentHash) {}

    /** What to ask with for a newer version than {@code stored}. */
    Conditional of(StoredDocument stored) {
        Conditional known =
                versions.getIfPresent(new PageKey(stored.namespace(), stored.source(), stored.contentHash()));
        if (known != null) {
            return known;
        }
        Optional<Instant> modified = Optional.ofNullable(stored.lastModified()).flatMap(Timestamps::parse);
        return new Conditional(null, modified.map(Timestamps::http).orElse(null));
    }

    /** Keeps what was said about the content of that hash. */
    void keep(Ingestion.DocumentTarget target, String contentHash, Conditional version) {
        if (!version.equals(Conditional.NONE)) {
            versions.put(new PageKey(target.namespace(), target.source(), contentHash), version);
        }
    }
}
