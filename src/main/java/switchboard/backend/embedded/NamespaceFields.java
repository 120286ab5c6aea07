package switchboard.backend.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FilterField;
import switchboard.call.FilterField.ValueType;
import switchboard.call.FilterTimestamp;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.UnknownFields;
import switchboard.store.DocumentStore;
import switchboard.store.Namespace;

/** The fields of namespaces that conditions may name: those that every document has, and those of its metadata. */
final class NamespaceFields {
    private static final Pattern MONTH = Pattern.compile("\\d{4}(-\\d{2})?");
    private static final String METADATA = "metadata.";

    private static final Map<String, FilterField> OWN = Stream.of(
                    new FilterField("source", List.of(ValueType.STRING), true),
                    new FilterField("title", List.of(ValueType.STRING), true),
                    new FilterField("file_type", List.of(ValueType.STRING), true),
                    new FilterField("last_modified", List.of(ValueType.DATE_TIME), true),
                    new FilterField("page", List.of(ValueType.NUMBER), true),
                    new FilterField("content_hash", List.of(ValueType.STRING), true))
            .collect(Collectors.toUnmodifiableMap(FilterField::name, field -> field));

    /** Those of {@link #OWN} that documents of many formats and origins lack. */
    private static final Set<String> ABSENT_FROM_MANY = Set.of("last_modified", "page");

    /** So many fields of metadata are compared with a misspelt name. */
    private static final int MOST_COMPARED = 1_000;

    /** So many fields of metadata are read of a source: one more than are shown, which tells that there are more. */
    private static final int MOST_LISTED = SearchableSource.MOST_LISTED + 1;

    private NamespaceFields() {}

    /** The name of a condition's field in {@link switchboard.store.Filter}. */
    static String stored(String field) {
        return OWN.containsKey(field) ? field : METADATA + field;
    }

    /** The fields of each namespace, as far as they are wanted and can be read in time. */
    static Future<Map<Namespace, List<FilterField>>> of(
            List<Namespace> namespaces, BackendRequest.FilterFields wanted, DocumentStore store, CallContext context) {
        return switch (wanted) {
            case KNOWN -> Future.succeededFuture(all(namespaces, Map.of()));
            case ALL ->
                store.fields(namespaces, OWN.keySet(), MOST_LISTED)
                        .timeout(Math.max(1, context.remaining().dividedBy(2).toMillis()), TimeUnit.MILLISECONDS)
                        .otherwise(Map.of())
                        .map(found -> all(namespaces, found));
        };
    }

    /**
     * Checks the conditions on fields that every document has.
     *
     * @throws switchboard.call.ToolException {@code INVALID_ARGUMENT} if one can't be applied
     */
    static void checkOwn(List<Condition> conditions) {
        for (Condition condition : conditions) {
            FilterField own = OWN.get(condition.field());
            if (own != null && !beginning(condition)) {
                own.check(condition);
            }
        }
    }

    /** Times are kept as texts, which the beginning of one can be compared with: a year, or a month of one. */
    private static boolean beginning(Condition condition) {
        return condition.field().equals("last_modified")
                && condition.value().isTextual()
                && MONTH.matcher(condition.value().asText()).matches();
    }

    /** Fails if no document that the caller may see can meet one of {@code conditions}, because none has such a value. */
    static Future<Void> check(List<Condition> conditions, Namespace namespace, DocumentStore store) {
        Set<String> asked = conditions.stream()
                .map(Condition::field)
                .filter(field -> !OWN.containsKey(field))
                .map(NamespaceFields::stored)
                .collect(Collectors.toSet());
        return asked.isEmpty()
                ? Future.succeededFuture()
                : store.fields(List.of(namespace), asked, 0).compose(found -> {
                    Map<String, FilterField> known = named(found.get(namespace));
                    return names(conditions, known, namespace, store).map(names -> {
                        UnknownFields.check(conditions, field -> Optional.ofNullable(known.get(field)), () -> names);
                        return null;
                    });
                });
    }

    /** The names that an unknown one may be compared with. */
    private static Future<Set<String>> names(
            List<Condition> conditions, Map<String, FilterField> known, Namespace namespace, DocumentStore store) {
        return conditions.stream().map(Condition::field).allMatch(known::containsKey)
                ? Future.succeededFuture(known.keySet())
                : store.fields(List.of(namespace), Set.of(), MOST_COMPARED)
                        .map(all -> named(all.get(namespace)).keySet());
    }

    private static Map<Namespace, List<FilterField>> all(
            List<Namespace> namespaces, Map<Namespace, List<FilterField>> found) {
        Map<Namespace, List<FilterField>> all = new HashMap<>();
        namespaces.forEach(namespace -> all.put(namespace, listed(found.get(namespace))));
        return all;
    }

    /** Those that a document has, with times; without {@code found} those that every document may have. */
    private static List<FilterField> listed(@Nullable List<FilterField> found) {
        return found == null
                ? List.copyOf(OWN.values())
                : named(found).values().stream()
                        .filter(field -> !ABSENT_FROM_MANY.contains(field.name())
                                || !field.examples().isEmpty())
                        .map(NamespaceFields::withTimes)
                        .toList();
    }

    /** By their names in conditions: those that every document has, with examples from {@code found}, and the others of it. */
    private static Map<String, FilterField> named(@Nullable List<FilterField> found) {
        Map<String, FilterField> named = new TreeMap<>(OWN);
        for (FilterField field : found == null ? List.<FilterField>of() : found) {
            FilterField own = OWN.get(field.name());
            if (own != null) {
                named.put(own.name(), new FilterField(own.name(), own.types(), own.ranges(), examples(field)));
            } else if (field.name().startsWith(METADATA)) {
                String name = field.name().substring(METADATA.length());
                named.putIfAbsent(name, new FilterField(name, field.types(), field.ranges(), field.examples()));
            }
        }
        return named;
    }

    /** A page 0 stands for a format without pages. */
    private static List<JsonNode> examples(FilterField field) {
        return field.examples().stream()
                .filter(value -> !field.name().equals("page") || value.asInt() > 0)
                .toList();
    }

    /** Texts that are times, as far as they were read, are listed as times. */
    private static FilterField withTimes(FilterField field) {
        boolean times = field.types().equals(List.of(ValueType.STRING))
                && !field.examples().isEmpty()
                && field.examples().stream()
                        .allMatch(value -> FilterTimestamp.of(value.asText()).isPresent());
        return times
                ? new FilterField(field.name(), List.of(ValueType.DATE_TIME), field.ranges(), field.examples())
                : field;
    }
}
