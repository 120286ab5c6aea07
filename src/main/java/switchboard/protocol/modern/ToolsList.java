package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import switchboard.call.Json;
import switchboard.catalog.PublishedTool;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;

/** {@code tools/list}: the visible tools sorted by name, each as it was encoded when the catalog was built. */
final class ToolsList implements MethodHandler {
    private final ProtocolSettings settings;
    private final VisibleTools tools;
    private final ToolEntries entries = new ToolEntries();

    ToolsList(ProtocolSettings settings, VisibleTools tools) {
        this.settings = settings;
        this.tools = tools;
    }

    @Override
    public String method() {
        return "tools/list";
    }

    @Override
    public Caching caching() {
        return Caching.PRIVATE;
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        String after = Cursor.of(method(), call.params()).map(Cursor::at).orElse("");
        List<PublishedTool> rest = tools.list(call.principal(), call.view()).stream()
                .filter(tool -> tool.name().compareTo(after) > 0)
                .toList();
        List<PublishedTool> page = rest.subList(0, Math.min(settings.pageSize(), rest.size()));
        ObjectNode fields = Json.object();
        if (page.size() < rest.size()) {
            fields.put("nextCursor", new Cursor(method(), page.getLast().name(), null).encode());
        }
        return Future.succeededFuture(new RpcResult.Sliced(
                "tools",
                page.stream().map(tool -> entries.of(tool, call.version())).toList(),
                fields));
    }
}
