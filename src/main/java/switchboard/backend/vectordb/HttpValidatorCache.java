package switchboard.backend.vectordb;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Instant;
import java.util.Optional;
import switchboard.fetch.HttpValidators;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/**
 * Remembers HTTP validators of stored pages, so that an unchanged page is not downloaded again. In memory only: a lost
 * entry costs one download.
 */
final class HttpValidatorCache {
    private static final int MAX_PAGES = 10_000;

    private final Cache<PageKey, HttpValidators> versions =
            Caffeine.newBuilder().maximumSize(MAX_PAGES).build();

    private record PageKey(Namespace namespace, String source, String contentHash) {}

    /** The validators for checking whether {@code stored} has changed. */
    HttpValidators of(StoredDocument stored) {
        HttpValidators known =
                versions.getIfPresent(new PageKey(stored.namespace(), stored.source(), stored.contentHash()));
        if (known != null) {
            return known;
        }
        Optional<Instant> modified = Optional.ofNullable(stored.lastModified()).flatMap(Timestamps::parse);
        return new HttpValidators(null, modified.map(Timestamps::http).orElse(null));
    }

    /** Stores the validators of the content with that hash. */
    void keep(Ingestion.DocumentTarget target, String contentHash, HttpValidators version) {
        if (!version.equals(HttpValidators.NONE)) {
            versions.put(new PageKey(target.namespace(), target.source(), contentHash), version);
        }
    }
}
