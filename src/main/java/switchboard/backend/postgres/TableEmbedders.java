package switchboard.backend.postgres;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.embed.DeclaredEmbedders;
import switchboard.embed.Embedders;

/** Finds the embedder for a column's vectors: the backend's own, or the one declared for tables and columns that another model filled. */
final class TableEmbedders {
    private final Optional<Embedders.Named> usual;
    private final Map<String, Optional<Embedders.Named>> byPlace = new HashMap<>();
    private final Map<String, Embedders.Named> byName = new TreeMap<>();

    /**
     * The embedders that {@code settings} name, and those that are {@code declared} for the backend {@code id}.
     *
     * @throws IllegalArgumentException with a message for the operator, if one does not exist
     */
    TableEmbedders(PostgresSettings settings, DeclaredEmbedders declared, String id, Embedders embedders) {
        String own = declared.usual(id).orElse(settings.embedder());
        this.usual = embedders.find(own);
        usual.ifPresent(named -> byName.put(own, named));
        settings.embedders().forEach((place, name) -> add("embedders." + place, place, name, embedders));
        declared.sources(id)
                .forEach((place, name) -> add(
                        "search.sources." + id + DeclaredEmbedders.SEPARATOR + place + ".embedder",
                        place,
                        name,
                        embedders));
    }

    private void add(String key, String place, String name, Embedders embedders) {
        if (!place.contains(".")) {
            throw new IllegalArgumentException(key + ": a table is named with its schema, as in public." + place);
        }
        Optional<Embedders.Named> named;
        try {
            named = embedders.find(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
        byPlace.put(place, named);
        named.ifPresent(one -> byName.put(name, one));
    }

    /** The backend's own embedder; empty if it has none. */
    Optional<Embedders.Named> usual() {
        return usual;
    }

    /** Whether there are no embedders. */
    boolean none() {
        return byName.isEmpty();
    }

    /** The configured embedder of {@code column}; empty for none. */
    Optional<Embedders.Named> of(TableInfo table, TableInfo.Column column) {
        Optional<Embedders.Named> ofTable = byPlace.getOrDefault(table.fullName(), usual);
        return byPlace.getOrDefault(table.fullName() + "." + column.name(), ofTable);
    }

    /** Whether a text can be compared with {@code column}: it has an embedder, and that one's dimensions. */
    boolean fits(TableInfo table, TableInfo.Column column) {
        return of(table, column)
                .filter(named -> named.embedder().dimension() == column.dimensions())
                .isPresent();
    }

    /**
     * The embedder called {@code name}.
     *
     * @throws ToolException if this backend does not use it
     */
    Embedders.Named named(String name) {
        Embedders.Named found = byName.get(name);
        if (found == null) {
            throw new ToolException(
                    FailureKind.NOT_FOUND,
                    "This backend uses no embedder of that name. Embedders: "
                            + byName.keySet().stream().collect(Collectors.joining(", ")) + ".");
        }
        return found;
    }
}
