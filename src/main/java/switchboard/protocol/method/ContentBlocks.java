package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import switchboard.call.ContentBlock;
import switchboard.call.Json;
import switchboard.protocol.ProtocolVersion;

/** Writes content blocks; a revision that does not know a kind of block gets text in its place. */
final class ContentBlocks {
    ObjectNode write(ContentBlock block, ProtocolVersion version) {
        return switch (block) {
            case ContentBlock.TextBlock text -> text(text.text());
            case ContentBlock.ImageBlock image ->
                Json.object().put("type", "image").put("data", image.data()).put("mimeType", image.mimeType());
            case ContentBlock.AudioBlock audio ->
                known("audio", version)
                        ? Json.object()
                                .put("type", "audio")
                                .put("data", audio.data())
                                .put("mimeType", audio.mimeType())
                        : text("[audio, " + audio.mimeType() + "]");
            case ContentBlock.EmbeddedResource resource -> resource(resource);
            case ContentBlock.ResourceLink link ->
                known("resource_link", version) ? link(link) : text(link.name() + ": " + link.uri());
        };
    }

    /** A block of another server. */
    ObjectNode write(ObjectNode block, ProtocolVersion version) {
        String type = block.path("type").asText();
        return known(type, version)
                ? block
                : text(("[" + type + "] " + block.path("name").asText() + " "
                                + block.path("uri").asText())
                        .strip());
    }

    private static boolean known(String type, ProtocolVersion version) {
        return switch (type) {
            case "audio" -> version.atLeast(ProtocolVersion.V2025_03_26);
            case "resource_link" -> version.atLeast(ProtocolVersion.V2025_06_18);
            default -> true;
        };
    }

    private static ObjectNode resource(ContentBlock.EmbeddedResource resource) {
        ObjectNode contents = Json.object().put("uri", resource.uri());
        putIfGiven(contents, "name", resource.name());
        putIfGiven(contents, "title", resource.title());
        putIfGiven(contents, "mimeType", resource.mimeType());
        contents.put("text", resource.text());
        ObjectNode block = Json.object().put("type", "resource");
        block.set("resource", contents);
        return block;
    }

    private static ObjectNode link(ContentBlock.ResourceLink link) {
        ObjectNode block = Json.object()
                .put("type", "resource_link")
                .put("uri", link.uri())
                .put("name", link.name());
        putIfGiven(block, "mimeType", link.mimeType());
        putIfGiven(block, "description", link.description());
        return block;
    }

    private static ObjectNode text(String text) {
        return Json.object().put("type", "text").put("text", text);
    }

    private static void putIfGiven(ObjectNode object, String field, @Nullable String value) {
        if (value != null) {
            object.put(field, value);
        }
    }
}
