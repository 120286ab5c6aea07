package switchboard.testing.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What a JSON value should look like. */
final class JsonPattern {
    private final List<String> mismatches = new ArrayList<>();

    private JsonPattern() {}

    /** Where {@code actual} is not as {@code pattern} says; empty if it is. {@code where} names the value. */
    static List<String> mismatches(String where, JsonNode pattern, JsonNode actual) {
        JsonPattern check = new JsonPattern();
        check.match(where, pattern, actual);
        return check.mismatches;
    }

    private void match(String where, JsonNode pattern, JsonNode actual) {
        if (pattern.isTextual()) {
            text(where, pattern.asText(), actual);
        } else if (pattern.has("$exactly")) {
            exactly(where, pattern.path("$exactly"), actual);
        } else if (pattern.has("$contains")) {
            for (JsonNode element : pattern.path("$contains")) {
                contains(where, element, actual);
            }
        } else if (pattern.has("$size")) {
            int size = pattern.path("$size").asInt();
            expect(actual.isContainerNode() && actual.size() == size, where, "of size " + size, actual);
        } else if (pattern.isObject()) {
            expect(actual.isObject(), where, "an object", actual);
            pattern.properties()
                    .forEach(field ->
                            match(where + "/" + field.getKey(), field.getValue(), actual.path(field.getKey())));
        } else if (pattern.isArray()) {
            expect(actual.isArray() && actual.size() == pattern.size(), where, pattern.size() + " elements", actual);
            for (int i = 0; i < pattern.size(); i++) {
                match(where + "/" + i, pattern.get(i), actual.path(i));
            }
        } else {
            boolean same = pattern.getNodeType() == actual.getNodeType()
                    && pattern.asText().equals(actual.asText());
            expect(same, where, pattern.toString(), actual);
        }
    }

    private void text(String where, String pattern, JsonNode actual) {
        switch (pattern) {
            case "$any" -> expect(!actual.isMissingNode(), where, "present", actual);
            case "$absent" -> expect(actual.isMissingNode(), where, "absent", actual);
            case "$empty" ->
                expect(actual.isValueNode() ? actual.asText().isEmpty() : actual.isEmpty(), where, "empty", actual);
            default -> {
                boolean matches = actual.isTextual()
                        && (pattern.startsWith("~")
                                ? Pattern.compile(pattern.substring(1), Pattern.DOTALL)
                                        .matcher(actual.asText())
                                        .find()
                                : pattern.equals(actual.asText()));
                expect(matches, where, "\"" + pattern + "\"", actual);
            }
        }
    }

    private void exactly(String where, JsonNode pattern, JsonNode actual) {
        match(where, pattern, actual);
        actual.fieldNames().forEachRemaining(name -> {
            if (!pattern.has(name)) {
                mismatches.add(where + " has a field \"" + name + "\"");
            }
        });
    }

    private void contains(String where, JsonNode element, JsonNode actual) {
        for (JsonNode candidate : actual) {
            if (mismatches(where, element, candidate).isEmpty()) {
                return;
            }
        }
        mismatches.add(where + " has no element " + element + ": " + actual);
    }

    private void expect(boolean holds, String where, String expected, JsonNode actual) {
        if (!holds) {
            mismatches.add(where + " should be " + expected + " but is "
                    + (actual.isMissingNode() ? "absent" : actual.toString()));
        }
    }
}
