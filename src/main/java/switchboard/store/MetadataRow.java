package switchboard.store;

import java.util.List;
import java.util.Map;

/**
 * Metadata of a document, read from the index without the stored document.
 *
 * @param id the document's id
 * @param source see {@link NewDocument}
 * @param values the values by their name in filters, each list in alphabetical order; names without a value are
 *     missing
 */
public record MetadataRow(String id, String source, Map<String, List<String>> values) {
    public MetadataRow {
        values = Map.copyOf(values);
    }

    /** The values of {@code name}. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** The first value of {@code name}; {@code ""} if there is none. */
    public String one(String name) {
        List<String> all = all(name);
        return all.isEmpty() ? "" : all.getFirst();
    }
}
