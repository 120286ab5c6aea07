package switchboard.backend.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.Json;
import switchboard.text.PercentEncoding;
import switchboard.upstream.UpstreamRequest;

/** A declared request, in which values take the places of names in braces. No value can leave its place. Immutable. */
record RequestTemplate(HttpSettings.RequestSettings settings) {
    static final String QUERY = "{query}";
    static final String QUOTED = "{quoted}";
    static final String LIMIT = "{limit}";
    static final String ID = "{id}";

    private static final Pattern PLACE = Pattern.compile("\\{(query|quoted|limit|id)}");

    /** What can't be one segment of a path if a server, or a proxy before it, decodes twice or reads {@code ..;} as {@code ..}. */
    private static final Pattern NO_SEGMENT =
            Pattern.compile("[/\\\\;\\p{Cntrl}]|%(2e|2f|5c|25)", Pattern.CASE_INSENSITIVE);

    /** Whether the question is a part of the URL, whose length servers limit. */
    boolean asksByUrl() {
        return settings.path().contains(QUERY) || settings.path().contains(QUOTED);
    }

    /** The request for a question. */
    Optional<UpstreamRequest> search(String query, int limit) {
        String quoted =
                "\"" + query.replaceAll("\\p{Cntrl}", " ").replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        return with(Map.of(QUERY, query, QUOTED, quoted, LIMIT, Integer.toString(limit)));
    }

    /** The request for a document; empty if the id would lead to another path. */
    Optional<UpstreamRequest> document(String id) {
        return with(Map.of(ID, id));
    }

    private Optional<UpstreamRequest> with(Map<String, String> values) {
        int query = settings.path().indexOf('?');
        String path = query < 0 ? settings.path() : settings.path().substring(0, query);
        for (Map.Entry<String, String> value : values.entrySet()) {
            if (path.contains(value.getKey()) && !isSegment(value.getValue())) {
                return Optional.empty();
            }
        }
        String target = filled(settings.path(), values, PercentEncoding::of);
        JsonNode body = settings.body();
        return Optional.of(
                body == null ? UpstreamRequest.get(target) : UpstreamRequest.query(target, filled(body, values)));
    }

    private static boolean isSegment(String value) {
        return !Set.of("", ".", "..").contains(value)
                && !NO_SEGMENT.matcher(value).find();
    }

    private static JsonNode filled(JsonNode template, Map<String, String> values) {
        return switch (template) {
            case TextNode text
            when text.asText().equals(LIMIT) && values.containsKey(LIMIT) ->
                IntNode.valueOf(Integer.parseInt(values.get(LIMIT)));
            case TextNode text -> TextNode.valueOf(filled(text.asText(), values, UnaryOperator.identity()));
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.properties().forEach(field -> copy.set(field.getKey(), filled(field.getValue(), values)));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = Json.array();
                array.forEach(element -> copy.add(filled(element, values)));
                yield copy;
            }
            default -> template;
        };
    }

    /** Fills all places in one pass, so that a value with a name in braces stays as it is. */
    private static String filled(String template, Map<String, String> values, UnaryOperator<String> form) {
        return PLACE.matcher(template).replaceAll(place -> {
            String value = values.get(place.group());
            return Matcher.quoteReplacement(value == null ? place.group() : form.apply(value));
        });
    }
}
