package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import switchboard.catalog.PublishedTool;
import switchboard.protocol.ProtocolVersion;

/** A tool's entry in a list, for each revision: older ones know no {@code outputSchema}, or only that of an object. */
final class ToolEntries {
    private final LoadingCache<PublishedTool, byte[]> withoutOutput = Caffeine.newBuilder()
            .weakKeys()
            .executor(Runnable::run)
            .build(tool -> tool.withoutOutputSchema().json());

    byte[] of(PublishedTool tool, ProtocolVersion version) {
        ObjectNode output = tool.descriptor().outputSchema();
        boolean understood = output == null
                || version.modern()
                || (version.atLeast(ProtocolVersion.V2025_06_18)
                        && output.path("type").asText().equals("object"));
        return understood ? tool.json() : withoutOutput.get(tool);
    }
}
