package switchboard.store;

import java.util.List;
import java.util.Map;

/**
 * Some of what documents are filtered on, read from the index without the document.
 *
 * @param id the document's id
 * @param source see {@link NewDocument}
 * @param values the values by the name that filters know them by, each list in alphabetical order; names without a value
 *     are not there
 */
public record MetadataRow(String id, String source, Map<String, List<String>> values) {
    public MetadataRow {
        values = Map.copyOf(values);
    }

    /** The values of {@code name}. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** The value of {@code name}, empty if there is none; of several, the first. */
    public String one(String name) {
        List<String> all = all(name);
        return all.isEmpty() ? "" : all.getFirst();
    }
}
