package switchboard.backend.vectordb;

import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.store.NamespaceStats;

/** {@code list_libraries}. */
record ListLibrariesTool(CallerStore store, LibraryResolver libraryResolver)
        implements ToolHandler<ListLibrariesTool.Args> {
    record Args() {}

    /** One library; component names are those on the wire. */
    record LibraryItem(String library, long document_count, long chunk_count) {}

    record Reply(List<LibraryItem> libraries) {}

    @Override
    public String name() {
        return "list_libraries";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return store.of(context.caller())
                .stats(libraryResolver.existing(context.caller()))
                .map(stats -> ToolReply.ok(new Reply(stats.stream()
                        .filter(space -> space.documents() > 0 || space.damage() != null)
                        .map(ListLibrariesTool::item)
                        .sorted(Comparator.comparing(LibraryItem::library))
                        .toList())));
    }

    private static LibraryItem item(NamespaceStats stats) {
        return new LibraryItem(stats.namespace().name(), stats.documents(), stats.chunks());
    }
}
