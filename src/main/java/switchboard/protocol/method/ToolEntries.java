package switchboard.protocol.method;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import switchboard.call.Json;
import switchboard.catalog.PublishedTool;
import switchboard.protocol.ProtocolVersion;

/** A tool's entry in a list, for each revision: older ones know no {@code outputSchema}, or only that of an object. */
final class ToolEntries {
    private final LoadingCache<PublishedTool, byte[]> withoutOutput =
            Caffeine.newBuilder().weakKeys().executor(Runnable::run).build(ToolEntries::stripped);

    byte[] of(PublishedTool tool, ProtocolVersion version) {
        ObjectNode output = tool.descriptor().outputSchema();
        boolean understood = output == null
                || version.modern()
                || (version.atLeast(ProtocolVersion.V2025_06_18)
                        && output.path("type").asText().equals("object"));
        return understood ? tool.json() : withoutOutput.get(tool);
    }

    private static byte[] stripped(PublishedTool tool) {
        try {
            ObjectNode entry = (ObjectNode) Json.parse(tool.json());
            entry.remove("outputSchema");
            return Json.bytes(entry);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the catalog wrote unreadable JSON for " + tool.name(), e);
        }
    }
}
