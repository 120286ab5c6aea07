package switchboard.backend.agentroot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import switchboard.store.Filter;

/** The metadata that a search requires of documents; null allows any value. */
record MetadataFilters(
        @Nullable String provider,
        @Nullable String category,
        @Nullable String difficulty,
        @Nullable String concept) {
    /** A condition for each value that is required. */
    List<Filter> filters() {
        List<Filter> filters = new ArrayList<>();
        if (provider != null) {
            filters.add(DocumentMetadata.equal("provider", folded(provider)));
        }
        if (category != null) {
            filters.add(DocumentMetadata.contains("category", folded(category)));
        }
        if (difficulty != null) {
            filters.add(DocumentMetadata.equal("difficulty", folded(difficulty)));
        }
        if (concept != null) {
            String wanted = folded(concept);
            filters.add(new Filter.Or(List.of(
                    DocumentMetadata.contains("concepts", wanted), DocumentMetadata.contains("keywords", wanted))));
        }
        return filters;
    }

    private static String folded(String text) {
        return text.strip().toLowerCase(Locale.ROOT);
    }
}
