package switchboard.backend.vectordb;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import switchboard.fetch.HttpValidators;
import switchboard.store.AllowedReaders;
import switchboard.store.StoredDocument;

/**
 * Remembers HTTP validators of stored pages, so that an unchanged page is not downloaded again. In memory only: a lost
 * entry costs one download, and a page that another version stored is read by this one.
 */
final class HttpValidatorCache {
    private static final int MAX_PAGES = 10_000;

    private final Cache<Ingestion.DocumentTarget, KnownVersion> versions =
            Caffeine.newBuilder().maximumSize(MAX_PAGES).build();

    private record KnownVersion(String contentHash, AllowedReaders readers, HttpValidators validators) {}

    /** The validators for checking whether {@code stored} has changed. */
    HttpValidators of(StoredDocument stored) {
        KnownVersion known = versions.getIfPresent(new Ingestion.DocumentTarget(stored.namespace(), stored.source()));
        return known != null
                        && known.contentHash().equals(stored.contentHash())
                        && known.readers().equals(stored.details().fromSource())
                ? known.validators()
                : HttpValidators.NONE;
    }

    /** Keeps the validators of {@code content}, which was just stored, if it has any. */
    void keep(Ingestion.DocumentTarget target, PermittedContent content) {
        HttpValidators validators = content.content().validators();
        if (!validators.equals(HttpValidators.NONE)) {
            versions.put(target, new KnownVersion(content.hash(), content.readers(), validators));
        }
    }
}
