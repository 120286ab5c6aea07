package switchboard.store;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Another process owns the data folder. */
public final class FolderInUseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable String owner;

    FolderInUseException(String folder, @Nullable String owner) {
        super("The data folder " + folder + " is in use by another process"
                + (owner == null ? "." : " at " + owner + ".")
                + " Stop that process, use it, or give this one another folder.");
        this.owner = owner;
    }

    /** Where that process can be reached, if it said so. */
    public Optional<String> owner() {
        return Optional.ofNullable(owner);
    }
}
