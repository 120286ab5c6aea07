package switchboard.protocol;

import switchboard.catalog.View;

/** The views as they are now. */
@FunctionalInterface
public interface Views {
    /** The view of that name, {@code ""} for the default one; only asked for names that the transport knows to exist. */
    View view(String name);
}
