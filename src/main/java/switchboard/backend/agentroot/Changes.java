package switchboard.backend.agentroot;

import java.util.function.Consumer;
import switchboard.store.Space;

/** Tells who remembers something of a collection that it has changed. */
final class Changes {
    private final Trees trees;
    private final Consumer<String> announcement;

    /** {@code announcement} tells clients that the documents of a collection have changed. */
    Changes(Trees trees, Consumer<String> announcement) {
        this.trees = trees;
        this.announcement = announcement;
    }

    /** The documents of a collection may be others than before. */
    void perhaps(Space space) {
        trees.changed(space);
    }

    /** The documents of a collection are others than before. */
    void surely(Space space) {
        trees.changed(space);
        announcement.accept(space.name());
    }
}
