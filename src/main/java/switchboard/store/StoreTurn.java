package switchboard.store;

import java.util.Optional;

/** A turn to change a namespace, which no other process has at the same time. */
public interface StoreTurn {
    /** The store of the turn: changes that are made with it fail once the turn is over. */
    DocumentStore store();

    /** Why no more changes can be made; empty while they can. */
    Optional<String> over();

    /** A turn in a store that no other process can change. */
    record Undisputed(DocumentStore store) implements StoreTurn {
        @Override
        public Optional<String> over() {
            return Optional.empty();
        }
    }
}
