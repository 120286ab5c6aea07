package switchboard.convert;

import java.util.Optional;
import switchboard.call.DiskError;
import switchboard.call.ToolException;

/** Distinguishes a full disk for a parser's temporary files from a damaged document. */
final class TemporaryFileCheck {
    private TemporaryFileCheck() {}

    /** @throws ToolException if {@code failure} is the disk's, not the document's */
    static void check(Throwable failure) {
        if (failure instanceof ToolException known) {
            throw known;
        }
        Optional<DiskError> disk = DiskError.in(failure);
        if (disk.isPresent()) {
            throw new ToolException(
                    disk.get().failed("The document was not read, since there is no room for temporary files"));
        }
    }
}
