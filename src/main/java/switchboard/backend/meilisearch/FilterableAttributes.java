package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import switchboard.call.FilterField;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.UnknownFields;

/**
 * The attributes of an index that filters may name, by its setting {@code filterableAttributes}. Meilisearch does not know
 * their types.
 *
 * @param patterns names, some with {@code *} at the beginning or the end; the first that matches counts
 */
record FilterableAttributes(List<Pattern> patterns) {
    private static final String ANY = "*";

    FilterableAttributes {
        patterns = List.copyOf(patterns);
    }

    /** A name or pattern, and what filters may do with it. */
    private record Pattern(String text, boolean filtered, boolean ranges) {
        /** Whether it is for {@code attribute}: for that itself, or for one that it is nested in. */
        boolean matches(String attribute) {
            for (int dot = attribute.indexOf('.'); dot > 0; dot = attribute.indexOf('.', dot + 1)) {
                if (isFor(attribute.substring(0, dot))) {
                    return true;
                }
            }
            return isFor(attribute);
        }

        private boolean isFor(String attribute) {
            boolean open = text.startsWith(ANY);
            boolean cut = text.endsWith(ANY);
            if (text.equals(ANY)) {
                return true;
            }
            String fixed = text.substring(open ? 1 : 0, text.length() - (cut ? 1 : 0));
            if (open) {
                return cut ? attribute.contains(fixed) : attribute.endsWith(fixed);
            }
            return cut ? attribute.startsWith(fixed) : attribute.equals(fixed);
        }
    }

    /** Reads an index's settings; empty if the key may not. */
    static Optional<FilterableAttributes> of(JsonNode settings) {
        JsonNode all = settings.path("filterableAttributes");
        if (!all.isArray()) {
            return Optional.empty();
        }
        List<Pattern> patterns = new ArrayList<>();
        for (JsonNode rule : all) {
            if (rule.isTextual()) {
                patterns.add(new Pattern(rule.asText(), !rule.asText().startsWith("_geo"), true));
            } else {
                JsonNode filter = rule.path("features").path("filter");
                boolean equality = filter.path("equality").asBoolean(true);
                boolean ranges = filter.path("comparison").asBoolean(false);
                rule.path("attributePatterns")
                        .forEach(pattern -> patterns.add(new Pattern(pattern.asText(), equality, ranges)));
            }
        }
        return Optional.of(new FilterableAttributes(patterns));
    }

    /** The names and patterns as fields. */
    List<FilterField> fields() {
        return patterns.stream()
                .filter(Pattern::filtered)
                .map(pattern -> field(pattern.text(), pattern))
                .distinct()
                .toList();
    }

    /**
     * Checks that the index can apply {@code conditions}.
     *
     * @throws switchboard.call.ToolException {@code INVALID_ARGUMENT} if it can't
     */
    void check(List<Condition> conditions) {
        UnknownFields.check(conditions, this::field, () -> fields().stream()
                .map(FilterField::name)
                .toList());
    }

    private Optional<FilterField> field(String name) {
        return patterns.stream()
                .filter(pattern -> pattern.matches(name))
                .findFirst()
                .filter(Pattern::filtered)
                .map(pattern -> field(name, pattern));
    }

    private static FilterField field(String name, Pattern pattern) {
        return new FilterField(name, List.of(), pattern.ranges());
    }
}
