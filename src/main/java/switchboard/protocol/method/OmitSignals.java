package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import switchboard.call.ContentBlock;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.catalog.ToolDescriptor;
import switchboard.signal.PassageSignals;
import switchboard.signal.Quotation;

/** Removes marks and the notice on quoted texts from answers in views that do without ({@code views.<name>.signals: false}). */
final class OmitSignals {
    /** Answers with several searches in one have the results of each a level deeper. */
    private static final int DEEPEST = 2;

    /** {@code reply} as the tool's view shows it. */
    ToolReply from(RequestedTool tool, ToolReply reply) {
        ToolDescriptor descriptor = tool.descriptor();
        if (descriptor.answer().signals() || !quotes(descriptor) || !(reply instanceof ToolReply.Ok ok)) {
            return reply;
        }
        ObjectNode whole = ok.structured();
        return whole != null
                        && (whole.has(Quotation.MEMBER)
                                || objects(whole, 0).anyMatch(object -> object.has(PassageSignals.MEMBER)))
                ? without(ok, whole)
                : reply;
    }

    private static ToolReply without(ToolReply.Ok ok, ObjectNode whole) {
        ObjectNode plain = whole.deepCopy();
        plain.remove(Quotation.MEMBER);
        objects(plain, 0).toList().forEach(object -> object.remove(PassageSignals.MEMBER));
        // Another block, such as a line for people, stays.
        ContentBlock before = new ContentBlock.TextBlock(Json.text(whole));
        List<ContentBlock> content = ok.content().stream()
                .map(block -> block.equals(before) ? new ContentBlock.TextBlock(Json.text(plain)) : block)
                .toList();
        return ok.with(content, plain);
    }

    /** Whether the answers of a tool of the gateway say that they quote. Those of other servers stay as they are. */
    private static boolean quotes(ToolDescriptor descriptor) {
        return descriptor.original() == null
                && descriptor.outputSchema() != null
                && descriptor.outputSchema().path("properties").has(Quotation.MEMBER);
    }

    /** {@code value}, if it is an object, and the objects in its arrays. */
    private static Stream<ObjectNode> objects(JsonNode value, int depth) {
        if (!(value instanceof ObjectNode object)) {
            return Stream.empty();
        }
        Stream<ObjectNode> within = depth == DEEPEST
                ? Stream.empty()
                : object.valueStream()
                        .filter(JsonNode::isArray)
                        .flatMap(JsonNode::valueStream)
                        .flatMap(element -> objects(element, depth + 1));
        return Stream.concat(Stream.of(object), within);
    }
}
