package switchboard.backend.vectordb;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import switchboard.fetch.HttpValidators;
import switchboard.store.StoredDocument;

/**
 * Remembers HTTP validators of stored pages, so that an unchanged page is not downloaded again. In memory only: a lost
 * entry costs one download, and a page that another version stored is read by this one.
 */
final class HttpValidatorCache {
    private static final int MAX_PAGES = 10_000;

    private final Cache<Ingestion.DocumentTarget, KnownVersion> versions =
            Caffeine.newBuilder().maximumSize(MAX_PAGES).build();

    private record KnownVersion(String contentHash, HttpValidators validators) {}

    /** The validators for checking whether {@code stored} has changed. */
    HttpValidators of(StoredDocument stored) {
        KnownVersion known = versions.getIfPresent(new Ingestion.DocumentTarget(stored.namespace(), stored.source()));
        return known != null && known.contentHash().equals(stored.contentHash())
                ? known.validators()
                : HttpValidators.NONE;
    }

    /** Stores the validators of the content with that hash, which is all that is known of the page now. */
    void keep(Ingestion.DocumentTarget target, String contentHash, HttpValidators version) {
        versions.put(target, new KnownVersion(contentHash, version));
    }
}
