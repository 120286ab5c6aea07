package switchboard.backend.weaviate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.Json;

/**
 * A document {@code {Get{Collection(arguments){selection}}}}, read. Understands what the gateway and the recordings
 * write, and nothing else.
 *
 * @param collection the collection
 * @param arguments with variables put in; bare words are texts that start with {@code @}
 * @param viaVariables the names of arguments that were given as variables at the top level
 * @param selection what is selected
 */
record GraphQlDocument(String collection, ObjectNode arguments, List<String> viaVariables, List<Field> selection) {
    /** A selected field; {@code on} is the collection of an inline fragment, {@code ""} for a plain field. */
    record Field(String name, String on, List<Field> fields) {}

    /** Reads the {@code query} and {@code variables} of a request. */
    static GraphQlDocument read(JsonNode request) {
        return new Reader(request.path("query").asText(), request.path("variables")).document();
    }

    private static final class Reader {
        private static final Pattern TOKEN = Pattern.compile(
                "\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|\\.\\.\\.|[{}()\\[\\]:,!$]|-?\\d[\\d.eE+-]*|[_A-Za-z][_0-9A-Za-z]*)");
        private final List<String> tokens = new ArrayList<>();
        private final JsonNode variables;
        private final List<String> viaVariables = new ArrayList<>();
        private int at;

        Reader(String text, JsonNode variables) {
            this.variables = variables;
            Matcher matcher = TOKEN.matcher(text);
            int end = 0;
            while (end < text.length() && matcher.find(end) && matcher.start() == end) {
                tokens.add(matcher.group(1));
                end = matcher.end();
            }
            if (!text.substring(end).isBlank()) {
                throw new IllegalArgumentException("not a document this stub reads: " + text);
            }
        }

        GraphQlDocument document() {
            if (peek().equals("query")) {
                while (!next().equals(")")) {
                    // The declarations: types are not looked at.
                }
            }
            expect("{");
            expect("Get");
            expect("{");
            String collection = next();
            ObjectNode arguments = Json.object();
            if (peek().equals("(")) {
                next();
                while (!peek().equals(")")) {
                    String name = next();
                    expect(":");
                    if (peek().equals("$")) {
                        viaVariables.add(name);
                    }
                    arguments.set(name, value());
                    skipComma();
                }
                next();
            }
            List<Field> selection = fields();
            expect("}");
            expect("}");
            return new GraphQlDocument(collection, arguments, List.copyOf(viaVariables), selection);
        }

        private List<Field> fields() {
            expect("{");
            List<Field> fields = new ArrayList<>();
            while (!peek().equals("}")) {
                String name = next();
                String on = "";
                if (name.equals("...")) {
                    expect("on");
                    on = next();
                }
                fields.add(new Field(name, on, peek().equals("{") ? fields() : List.of()));
            }
            next();
            return fields;
        }

        private JsonNode value() {
            String token = next();
            return switch (token) {
                case "$" -> variables.path(next());
                case "[" -> {
                    ArrayNode list = Json.array();
                    while (!peek().equals("]")) {
                        list.add(value());
                        skipComma();
                    }
                    next();
                    yield list;
                }
                case "{" -> {
                    ObjectNode object = Json.object();
                    while (!peek().equals("}")) {
                        String name = next();
                        expect(":");
                        object.set(name, value());
                        skipComma();
                    }
                    next();
                    yield object;
                }
                default -> scalar(token);
            };
        }

        private static JsonNode scalar(String token) {
            boolean bare = Character.isLetter(token.charAt(0)) && !token.equals("true") && !token.equals("false");
            try {
                return bare ? Json.mapper().valueToTree("@" + token) : Json.parse(withoutPairs(token));
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException(token, e);
            }
        }

        /** Weaviate does not join escaped surrogates. */
        private static String withoutPairs(String token) {
            return token.replaceAll("\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}", "\uFFFD");
        }

        private void skipComma() {
            if (peek().equals(",")) {
                next();
            }
        }

        private String peek() {
            return tokens.get(at);
        }

        private String next() {
            return tokens.get(at++);
        }

        private void expect(String token) {
            String found = next();
            if (!found.equals(token)) {
                throw new IllegalArgumentException("expected " + token + ", found " + found + " in " + tokens);
            }
        }
    }
}
