package switchboard.replica;

import io.vertx.core.Future;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.cluster.LibraryRow;
import switchboard.cluster.LibraryTransaction;
import switchboard.store.StoreReplica.PreparedDocument;

/** Where the chunks of documents are. */
interface ChunkPlace {
    /**
     * A document whose chunks are where they belong.
     *
     * @param document what its row gets
     * @param library the incarnation of the library that has the chunks; null if the row has them
     */
    record Placed(PreparedDocument document, @Nullable UUID library) {}

    /** The library that has the chunks is not there any more; nothing was stored. */
    final class LibraryReplacedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private LibraryReplacedException() {
            super("the library was replaced", null, false, false);
        }

        static ToolException told() {
            return new ToolException(
                    new ToolReply.Failed(
                            FailureKind.CONFLICT,
                            "The library was removed at the same time; nothing was stored. Try again."),
                    new LibraryReplacedException());
        }
    }

    /** Writes the chunks of a new document; {@code library} finds its library, or makes it. */
    Future<Placed> place(PreparedDocument document, Supplier<Future<LibraryRow>> library);

    /** The chunks are used once {@code transaction} is committed. */
    Future<Void> use(LibraryTransaction transaction, Placed placed);

    /** The chunks of a document that was replaced or removed are not used any more once {@code transaction} is committed. */
    Future<Void> leave(LibraryTransaction transaction, String document);

    /** The document was not stored, or nobody knows whether it was. */
    void failed(Placed placed);

    /** The library is dropped once {@code transaction} is committed. */
    Future<Void> drop(LibraryTransaction transaction);

    /** In the rows of their documents. */
    ChunkPlace ROWS = new ChunkPlace() {
        @Override
        public Future<Placed> place(PreparedDocument document, Supplier<Future<LibraryRow>> library) {
            return Future.succeededFuture(new Placed(document, null));
        }

        @Override
        public Future<Void> use(LibraryTransaction transaction, Placed placed) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> leave(LibraryTransaction transaction, String document) {
            return Future.succeededFuture();
        }

        @Override
        public void failed(Placed placed) {}

        @Override
        public Future<Void> drop(LibraryTransaction transaction) {
            return Future.succeededFuture();
        }
    };
}
