package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.DocumentPage;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;

/** {@code browse_directory}: the folders and files of a folder. */
record BrowseDirectoryTool(CallerStore store, CollectionRegistry registry, FolderTrees trees)
        implements ToolHandler<BrowseDirectoryTool.Args> {
    private static final int MAX_FILES = 200;
    private static final int MAX_DIRECTORIES = 1000;

    record Args(String collection, @Nullable String path, int max_depth) {}

    @Override
    public String name() {
        return "browse_directory";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        String path = args.path() == null ? "" : DocumentAddresses.normal(args.path());
        return registry.require(args.collection(), context.caller()).compose(definition -> {
            Namespace namespace = registry.namespace(definition.name(), context.caller());
            ListRequest files = new ListRequest(
                    List.of(namespace), DocumentMetadata.inDirectory(path), ListRequest.Order.BY_SOURCE, 0, MAX_FILES);
            return trees.of(namespace, context.caller()).compose(tree -> {
                if (!path.isEmpty() && !tree.containsKey(path)) {
                    throw new ToolException(
                            FailureKind.NOT_FOUND,
                            "Directory not found: " + args.collection() + "/" + path
                                    + ". Browse without path to list all.");
                }
                return store.of(context.caller()).list(files).map(page -> ToolReply.ok(reply(args, path, tree, page)));
            });
        });
    }

    private static ObjectNode reply(
            Args args, String path, NavigableMap<String, FolderTrees.Folder> tree, DocumentPage page) {
        ObjectNode reply = Json.object().put("collection", args.collection()).put("path", path);
        ArrayNode directories = reply.putArray("directories");
        int base = FolderTrees.depth(path);
        List<Map.Entry<String, FolderTrees.Folder>> below = tree.entrySet().stream()
                .filter(one -> !one.getKey().equals(path)
                        && (path.isEmpty() || one.getKey().startsWith(path + "/")))
                .filter(one -> FolderTrees.depth(one.getKey()) - base <= args.max_depth())
                .toList();
        below.stream()
                .limit(MAX_DIRECTORIES)
                .forEach(one -> directories.add(one.getValue().described(args.collection(), one.getKey())));
        ArrayNode files = reply.putArray("files");
        page.documents().forEach(document -> DocumentView.name(files.addObject(), document));
        return reply.put("filesTotal", page.total()).put("directoriesTotal", below.size());
    }
}
