package switchboard.backend.vectordb;

import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import switchboard.backend.CallContext;
import switchboard.backend.ToolHandler;
import switchboard.call.ToolReply;
import switchboard.store.DocumentStore;
import switchboard.store.SpaceStats;

/** {@code list_libraries}. */
final class ListLibrariesTool implements ToolHandler<ListLibrariesTool.Args> {
    private final Supplier<DocumentStore> store;
    private final Libraries libraries;

    ListLibrariesTool(Supplier<DocumentStore> store, Libraries libraries) {
        this.store = store;
        this.libraries = libraries;
    }

    record Args() {}

    /** One library; component names are those on the wire. */
    record Item(String library, long document_count, long chunk_count) {}

    record Reply(List<Item> libraries) {}

    @Override
    public String name() {
        return "list_libraries";
    }

    @Override
    public Class<Args> argsType() {
        return Args.class;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return store.get()
                .stats(libraries.existing(context.caller()))
                .map(stats -> ToolReply.ok(new Reply(stats.stream()
                        .filter(space -> space.documents() > 0 || space.damage() != null)
                        .map(ListLibrariesTool::item)
                        .sorted(Comparator.comparing(Item::library))
                        .toList())));
    }

    private static Item item(SpaceStats stats) {
        return new Item(stats.space().name(), stats.documents(), stats.chunks());
    }
}
