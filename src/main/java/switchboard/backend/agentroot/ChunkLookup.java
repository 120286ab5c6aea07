package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.Filter;
import switchboard.store.StoredChunk;

/** Finds chunks by their hashes and places. */
record ChunkLookup(CallerStore store, CollectionRegistry registry) {
    /** The chunk with that hash in the collections that the caller may see; fails if there is none. */
    Future<StoredChunk> byHash(String hash, Caller caller) {
        Filter filter = Filter.equal("label." + ChunkLabels.HASH, hash.strip());
        return registry.reading(null, caller)
                .compose(namespaces -> store.of(caller).chunks(namespaces, filter, 1))
                .map(found -> {
                    if (found.isEmpty()) {
                        throw new ToolException(
                                FailureKind.NOT_FOUND,
                                "Chunk not found: " + hash
                                        + ". A hash changes with its text; search_chunks shows the current ones.");
                    }
                    return found.getFirst();
                });
    }

    /** The chunk of the same document {@code steps} after {@code from}, or before it if negative; empty beyond its ends. */
    Future<Optional<StoredChunk>> neighbour(StoredChunk from, int steps, Caller caller) {
        int index = from.index() + steps;
        if (index < 0 || index >= from.document().chunkCount()) {
            return Future.succeededFuture(Optional.empty());
        }
        Filter place = new Filter.And(List.of(
                Filter.equal("doc_id", from.document().id()),
                new Filter.Equal("chunk_index", new Filter.Value.NumberValue(index))));
        return store.of(caller)
                .chunks(List.of(from.document().namespace()), place, 1)
                .map(found -> found.stream().findFirst());
    }
}
