package switchboard.call;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something of a backend that can be searched by itself: a library, a collection, an index, a table.
 *
 * @param name its name in the backend; what grants are matched against
 * @param description what it holds, in words an agent can choose by
 * @param documents how many documents it has, or null when the engine does not say
 * @param fields names of the fields that filters may use, sorted
 * @param updated when it last changed (ISO 8601), or null when the engine does not say
 * @param searchedBy how: any of {@code keyword}, {@code vector}
 */
public record SearchableSource(
        String name,
        String description,
        @Nullable Long documents,
        List<String> fields,
        @Nullable String updated,
        List<String> searchedBy) {
    public SearchableSource {
        fields = fields.stream().sorted().distinct().toList();
        searchedBy = List.copyOf(searchedBy);
    }
}
