package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares JSON with the patterns of {@code rpc/README.md}. */
public final class JsonPattern {
    private final List<String> mismatches = new ArrayList<>();

    private JsonPattern() {}

    /** Where {@code actual}, null for nothing at all, differs from {@code pattern}; empty when it matches. */
    public static List<String> mismatches(JsonNode pattern, @Nullable JsonNode actual) {
        JsonPattern comparison = new JsonPattern();
        comparison.compare("", pattern, actual);
        return comparison.mismatches;
    }

    /** Whether {@code text} is what the string pattern asks for. */
    public static boolean matches(String pattern, String text) {
        return pattern.startsWith("~")
                ? Pattern.compile(pattern.substring(1), Pattern.DOTALL)
                        .matcher(text)
                        .find()
                : pattern.equals("$any") || pattern.equals(text);
    }

    private void compare(String at, JsonNode pattern, @Nullable JsonNode actual) {
        if (pattern.isTextual() && pattern.asText().equals("$absent")) {
            expect(at, actual == null, "should be absent", actual);
        } else if (actual == null) {
            expect(at, false, "is missing", null);
        } else if (pattern.isTextual() && pattern.asText().equals("$any")) {
            expect(at, true, "", actual);
        } else if (pattern.isTextual()) {
            expect(
                    at,
                    actual.isTextual() && matches(pattern.asText(), actual.asText()),
                    "should be " + pattern,
                    actual);
        } else if (pattern.isArray()) {
            array(at, pattern, actual);
        } else if (pattern.isObject()) {
            object(at, pattern, actual);
        } else {
            expect(at, pattern.toString().equals(actual.toString()), "should be " + pattern, actual);
        }
    }

    private void array(String at, JsonNode pattern, JsonNode actual) {
        expect(
                at,
                actual.isArray() && actual.size() == pattern.size(),
                "should be an array of " + pattern.size(),
                actual);
        for (int i = 0; i < pattern.size(); i++) {
            compare(at + "/" + i, pattern.path(i), actual.get(i));
        }
    }

    private void object(String at, JsonNode pattern, JsonNode actual) {
        if (pattern.has("$exactly")) {
            compare(at, pattern.path("$exactly"), actual);
            expect(at, actual.size() == pattern.path("$exactly").size(), "should have no other fields", actual);
        } else if (pattern.has("$size")) {
            expect(at, actual.size() == pattern.path("$size").asInt(), "should have size " + pattern, actual);
        } else if (pattern.has("$contains")) {
            for (JsonNode wanted : pattern.path("$contains")) {
                boolean found = false;
                for (JsonNode element : actual) {
                    found |= mismatches(wanted, element).isEmpty();
                }
                expect(at, found, "should contain " + wanted, actual);
            }
        } else {
            expect(at, actual.isObject(), "should be an object", actual);
            for (Map.Entry<String, JsonNode> field : pattern.properties()) {
                compare(at + "/" + field.getKey(), field.getValue(), actual.get(field.getKey()));
            }
        }
    }

    private void expect(String at, boolean met, String rule, @Nullable JsonNode actual) {
        if (!met) {
            mismatches.add((at.isEmpty() ? "/" : at) + " " + rule + " but is " + actual);
        }
    }
}
