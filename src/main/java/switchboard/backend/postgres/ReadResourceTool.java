package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code read_resource}: the server's resources for clients that know only tools. */
record ReadResourceTool(ServerResources resources) implements ToolHandler<ReadResourceTool.Args> {
    record Args(
            @Nullable String uri, boolean list, @Nullable String database) {}

    @Override
    public String name() {
        return "read_resource";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.list()) {
            return Future.succeededFuture(listing(context.caller()));
        }
        String uri = args.uri();
        if (uri == null || uri.isBlank()) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT,
                    "'uri' parameter is required. Use 'list': true to see the resources there are."));
        }
        return resources.contents(uri, args.database(), context).map(found -> found.<ToolReply>map(contents ->
                        new ToolReply.Ok(List.of(new ContentBlock.TextBlock(ResultJson.pretty(contents))), contents))
                .orElseGet(() -> ToolReply.failed(
                        FailureKind.NOT_FOUND,
                        "Resource not found: " + uri + ". Available: "
                                + resources.visible(context.caller()).stream()
                                        .map(ServerResources.ServerResource::uri)
                                        .collect(Collectors.joining(", ")))));
    }

    private ToolReply listing(Caller caller) {
        StringBuilder text = new StringBuilder("Available Resources:\n");
        ObjectNode structured = Json.object();
        ArrayNode array = structured.putArray("resources");
        for (ServerResources.ServerResource known : resources.visible(caller)) {
            text.append("\nURI: ")
                    .append(known.uri())
                    .append("\nName: ")
                    .append(known.title())
                    .append("\nDescription: ")
                    .append(known.description())
                    .append("\nMIME Type: application/json\n");
            array.addObject()
                    .put("uri", known.uri())
                    .put("name", known.title())
                    .put("description", known.description())
                    .put("mimeType", "application/json");
        }
        return new ToolReply.Ok(List.of(new ContentBlock.TextBlock(text.toString())), structured);
    }
}
