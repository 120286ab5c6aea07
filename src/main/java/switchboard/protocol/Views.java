package switchboard.protocol;

import switchboard.catalog.View;

/** The current views. */
@FunctionalInterface
public interface Views {
    /**
     * The view of that name, {@code ""} for the default one. Only called with names that the transport knows to exist.
     */
    View view(String name);
}
