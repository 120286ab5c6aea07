package switchboard.call;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a backend that can be searched on its own: a library, a collection, an index, a table.
 *
 * @param name its name in the backend, which grants are matched with
 * @param description what it contains, for agents that choose sources
 * @param documents number of documents, or null if not known
 * @param fields the fields that conditions may name, sorted by name
 * @param updated when it last changed (ISO 8601), or null if not known
 * @param searchedBy any of {@code keyword}, {@code vector}
 */
public record SearchableSource(
        String name,
        String description,
        @Nullable Long documents,
        List<FilterField> fields,
        @Nullable String updated,
        List<String> searchedBy) {
    /** How many fields of a source are shown to callers; a source may name more, which tells that there are more. */
    public static final int MOST_LISTED = 100;

    public SearchableSource {
        fields = fields.stream().sorted(Comparator.comparing(FilterField::name)).toList();
        searchedBy = List.copyOf(searchedBy);
    }
}
