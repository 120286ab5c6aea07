package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.text.PercentEncoding;

/**
 * Replaces text that matches patterns by {@value #MARK}. Patterns are RE2's, so the time is always linear. Immutable.
 */
public final class Redaction {
    /** The replacement. */
    public static final String MARK = "[redacted]";

    private static final Map<String, List<String>> NAMED = Map.of(
            "email",
            List.of("[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*\\.[A-Za-z]{2,}"),
            "secret",
            List.of(
                    // Our own keys, JSON Web Tokens, keys of the usual providers
                    "sb_[a-z0-9]{1,32}_[A-Za-z0-9_-]{43}",
                    "eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*",
                    "\\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{20,}",
                    "\\b(?:gh[opsru]_|github_pat_|glpat-|xox[abprs]-|npm_|hf_)[A-Za-z0-9_-]{16,}",
                    "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b",
                    "\\bAIza[0-9A-Za-z_-]{35}",
                    "-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?",
                    // Text with a label such as "password"
                    "(?i)\\b(?:bearer|basic)\\s+[a-z0-9._~+/=-]{16,}",
                    "(?i)\\b(?:password|passwd|secret|api[_-]?key|access[_-]?token)\"?\\s*[:=]\\s*\"?[^\\s\"',;]{6,}",
                    "\\b[a-z][a-z0-9+.-]*://[^\\s/@:\"]*:[^\\s/@\"]+@"));

    /** An address of a document in a text, to the next space or quote: whoever sends one may leave characters as they are. */
    private static final Pattern ADDRESS = Pattern.compile(DocumentAddress.SCHEME + "([^\\s\"'<>\\\\]+)");

    /** Replaces nothing. */
    public static final Redaction NOTHING = new Redaction(List.of());

    /** Replaces text that looks like a secret. */
    public static final Redaction SECRETS = of(List.of("secret"));

    /** Replaces text that looks like a secret or an e-mail address. */
    public static final Redaction STANDARD = of(List.of("secret", "email"));

    private final List<Pattern> patterns;

    private Redaction(List<Pattern> patterns) {
        this.patterns = List.copyOf(patterns);
    }

    /**
     * A redaction.
     *
     * @param patterns each {@code email}, {@code secret}, or a regular expression in RE2's syntax
     * @throws IllegalArgumentException naming a pattern that is not valid or matches the empty text
     */
    public static Redaction of(List<String> patterns) {
        List<Pattern> compiled = new ArrayList<>();
        for (String text : patterns) {
            Stream.of(text)
                    .flatMap(name -> NAMED.getOrDefault(name, List.of(name)).stream())
                    .map(Redaction::compile)
                    .forEach(compiled::add);
        }
        return new Redaction(compiled);
    }

    /** Whether it replaces nothing. */
    public boolean none() {
        return patterns.isEmpty();
    }

    /** {@code text} with matches replaced, also in addresses of documents, where they are percent-encoded. */
    public String text(String text) {
        // Addresses come first: a mark in one would hide where it ends.
        return matched(none() || !text.contains(DocumentAddress.SCHEME) ? text : addresses(text));
    }

    private String addresses(String text) {
        Matcher matcher = ADDRESS.matcher(text);
        StringBuilder rest = new StringBuilder();
        int end = 0;
        while (matcher.find()) {
            rest.append(text, end, matcher.start()).append(DocumentAddress.SCHEME);
            rest.append(
                    Stream.of(matcher.group(1).split("/", -1)).map(this::part).collect(Collectors.joining("/")));
            end = matcher.end();
        }
        return rest.append(text, end, text.length()).toString();
    }

    /** A part of an address, without what matches if it is decoded. */
    private String part(String encoded) {
        try {
            String decoded = PercentEncoding.decoded(encoded);
            return matched(decoded).equals(decoded) ? encoded : MARK;
        } catch (IllegalArgumentException _) { // it is no address
            return encoded;
        }
    }

    private String matched(String text) {
        String rest = text;
        for (Pattern pattern : patterns) {
            rest = pattern.matcher(rest).replaceAll(MARK);
        }
        return rest;
    }

    /** {@code node} with all strings redacted; names of fields stay. */
    @SuppressWarnings("unchecked") // an object becomes an object
    public <T extends JsonNode> T tree(T node) {
        return none() ? node : (T) redacted(node);
    }

    private JsonNode redacted(JsonNode node) {
        return switch (node) {
            case TextNode text -> TextNode.valueOf(text(text.textValue()));
            case ArrayNode array -> {
                ArrayNode copy = Json.array();
                array.forEach(element -> copy.add(redacted(element)));
                yield copy;
            }
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.properties().forEach(field -> copy.set(field.getKey(), redacted(field.getValue())));
                yield copy;
            }
            default -> node;
        };
    }

    private static Pattern compile(String text) {
        try {
            Pattern pattern = Pattern.compile(text);
            if (pattern.matches("")) {
                throw new IllegalArgumentException("the pattern \"" + text + "\" matches the empty text");
            }
            return pattern;
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("the pattern \"" + text + "\" can't be read: " + e.getDescription(), e);
        }
    }
}
