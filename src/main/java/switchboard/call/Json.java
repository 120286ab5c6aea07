package switchboard.call;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

/**
 * The JSON mapper for the whole gateway. Reading is strict: duplicate keys, trailing text and nesting beyond {@value
 * #MAX_DEPTH} levels are errors; integers keep their full value and decimals their digits. Writing is deterministic.
 *
 * <p>Thread-safe.
 */
public final class Json {
    /** Maximum nesting accepted from outside. */
    public static final int MAX_DEPTH = 100;

    private static final int MAX_DEPTH_OF_SERVERS = 1000;

    private static final JsonMapper MAPPER = JsonMapper.builder(new com.fasterxml.jackson.core.JsonFactoryBuilder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(400)
                            .maxStringLength(64 * 1024 * 1024)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    private static final JsonFactory DEEP = MAPPER.getFactory()
            .copy()
            .setStreamReadConstraints(MAPPER.getFactory()
                    .streamReadConstraints()
                    .rebuild()
                    .maxNestingDepth(MAX_DEPTH_OF_SERVERS)
                    .build());

    private static final Pattern PARSER_NAMES = Pattern.compile(
            ", from `StreamReadConstraints\\.\\w++\\(\\)`|Source: REDACTED \\(`[\\w.]++` disabled\\); |: enable `[\\w.]++` to allow");

    private Json() {}

    /** The mapper itself, for callers that stream. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** A new empty object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** A new empty array. */
    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    /** A new JSON array of the numbers in {@code numbers}, in their order. */
    public static ArrayNode array(float[] numbers) {
        ArrayNode array = array();
        for (float number : numbers) {
            array.add(number);
        }
        return array;
    }

    /** The JSON object of a record; its {@code null} components are left out. */
    public static ObjectNode tree(Record value) {
        return MAPPER.valueToTree(value);
    }

    /**
     * Parses UTF-8 JSON.
     *
     * @throws JsonProcessingException if it is not exactly one JSON value within the limits
     */
    public static JsonNode parse(byte[] utf8) throws JsonProcessingException {
        return parse(MAPPER.getFactory(), utf8);
    }

    /**
     * The same for JSON of another server, which may be nested deeper, so that one bad entry of a list does not make
     * the whole list unreadable.
     *
     * @throws JsonProcessingException if it is not exactly one JSON value within the limits
     */
    public static JsonNode parseDeep(byte[] utf8) throws JsonProcessingException {
        return parse(DEEP, utf8);
    }

    /** What is wrong with a text that could not be parsed, and where: for its author, so without names of the parser's classes. */
    public static String problem(JsonProcessingException failure) {
        String what = failure instanceof MismatchedInputException
                ? "something follows the value"
                : PARSER_NAMES.matcher(failure.getOriginalMessage()).replaceAll("");
        JsonLocation place = failure.getLocation();
        return place == null ? what : what + " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
    }

    private static JsonNode parse(JsonFactory factory, byte[] utf8) throws JsonProcessingException {
        try (JsonParser parser = factory.createParser(utf8)) {
            JsonNode node = MAPPER.readTree(parser);
            if (node == null || node.isMissingNode()) {
                throw new com.fasterxml.jackson.core.JsonParseException(parser, "empty");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses JSON text. See {@link #parse(byte[])}. */
    public static JsonNode parse(String text) throws JsonProcessingException {
        return parse(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** {@code node} as compact JSON text. */
    public static String text(JsonNode node) {
        try {
            return MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree is always writable", e);
        }
    }

    /** {@code node} as compact UTF-8 JSON. */
    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree is always writable", e);
        }
    }

    /** The same with the keys of each object in order, so that equal JSON has equal bytes. */
    public static byte[] sortedBytes(JsonNode node) {
        try {
            return MAPPER.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED).writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree is always writable", e);
        }
    }
}
