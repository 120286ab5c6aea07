package switchboard.store;

import org.jspecify.annotations.Nullable;
import switchboard.call.NotOwnerException;

/** Another process uses the data folder. */
public final class FolderInUseException extends NotOwnerException {
    private static final long serialVersionUID = 1L;

    FolderInUseException(String folder, @Nullable String owner) {
        super(
                "The data folder " + folder
                        + " is in use by another process, which can't be reached. Stop that process,"
                        + " or give this one another folder.",
                owner);
    }
}
