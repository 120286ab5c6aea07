package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Header values that repeat parameters of a request (2026-07-28, transports, section on custom headers). */
public final class HeaderText {
    private static final Pattern PLAIN = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?");
    private static final String PREFIX = "=?base64?";
    private static final String SUFFIX = "?=";

    private HeaderText() {}

    /** {@code value} in a form for headers: encoded if it is not plain text, or looks encoded already. */
    public static String of(String value) {
        if (PLAIN.matcher(value).matches() && !(value.startsWith(PREFIX) && value.endsWith(SUFFIX))) {
            return value;
        }
        return PREFIX + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)) + SUFFIX;
    }

    /** The {@code Mcp-Param-*} headers that {@code inputSchema} requires for {@code arguments}. */
    public static Map<String, String> parameters(JsonNode inputSchema, JsonNode arguments) {
        Map<String, String> headers = new LinkedHashMap<>();
        collect(inputSchema, arguments, headers);
        return headers;
    }

    private static void collect(JsonNode schema, JsonNode value, Map<String, String> headers) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode given = value.path(property.getKey());
            JsonNode name = property.getValue().path("x-mcp-header");
            if (name.isTextual() && given.isValueNode() && !given.isNull()) {
                headers.put("Mcp-Param-" + name.asText(), of(given.asText()));
            }
            collect(property.getValue(), given, headers);
        }
    }
}
