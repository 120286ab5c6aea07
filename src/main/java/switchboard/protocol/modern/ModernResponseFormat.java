package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.protocol.MetaKeys;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.ResponseFormat;
import switchboard.protocol.ServerDescription;

/** Adds to results their type, the server, and how long lists may be cached. Errors have HTTP statuses. */
final class ModernResponseFormat implements ResponseFormat {
    private final ProtocolSettings settings;
    private final ServerDescription server;

    ModernResponseFormat(ProtocolSettings settings) {
        this.settings = settings;
        this.server = new ServerDescription(settings);
    }

    @Override
    public ObjectNode stamp(MethodHandler handler, ObjectNode fields) {
        if (!fields.has("resultType")) { // One that asks the client for more is not to be kept.
            fields.put("resultType", "complete");
            switch (handler.caching()) {
                case NONE -> {}
                case PRIVATE -> hints(fields, "private");
                case PUBLIC -> hints(fields, "public");
            }
        }
        fields.withObjectProperty("_meta").set(MetaKeys.SERVER_INFO, server.info(ProtocolVersion.V2026_07_28));
        return fields;
    }

    private void hints(ObjectNode fields, String scope) {
        fields.put("ttlMs", settings.listTtl().toMillis()).put("cacheScope", scope);
    }
}
