package switchboard.store;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.LockObtainFailedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.DiskError;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Translates failures of the files into messages that say what to do. Paths appear in the log only. */
final class StoreFailures {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFailures.class);

    private StoreFailures() {}

    /** Does {@code work}; its failures are translated. */
    static <T> T translated(String what, Callable<T> work) {
        try {
            return work.call();
        } catch (Exception | InternalError e) {
            throw of(e, what);
        }
    }

    /** The failure for the caller. */
    static ToolException of(Throwable cause, String what) {
        if (cause instanceof ToolException already) {
            return already;
        }
        if (cause instanceof UncheckedIOException && cause.getCause() != null) {
            return of(cause.getCause(), what);
        }
        Optional<DiskError> disk = DiskError.in(cause);
        if (disk.isPresent()) {
            LOG.warn("{} failed: {}", what, cause.toString());
            return new ToolException(disk.get().failed(what + " failed, and nothing was changed"));
        }
        if (cause instanceof IOException || cause instanceof AlreadyClosedException || cause instanceof InternalError) {
            if (damaged(cause)) {
                // The log has named the files already; another line for each call would add nothing.
                LOG.debug("{} failed", what, cause);
            } else {
                LOG.warn("{} failed: {}", what, cause.toString());
            }
            return new ToolException(FailureKind.UNAVAILABLE, what + " failed: " + describe(cause));
        }
        LOG.error("{} failed", what, cause);
        return new ToolException(
                FailureKind.INTERNAL, what + " failed because of a defect. Ask the operator to look into the log.");
    }

    /** The problem and what to do. */
    static String describe(Throwable cause) {
        Optional<DiskError> disk = DiskError.in(cause);
        if (disk.isPresent()) {
            return disk.get().problem() + ". " + disk.get().remedy();
        }
        if (damaged(cause)) {
            return "its files are damaged. Run `switchboard doctor`, then restore them from a backup.";
        }
        if (cause instanceof IndexFormatTooNewException) {
            return "its files were written by a newer version. Use that version again, or restore a backup.";
        }
        if (cause instanceof IndexFormatTooOldException) {
            return "its files were written by a version too old to be read. Upgrade step by step.";
        }
        if (cause instanceof LockObtainFailedException) {
            return "another process writes to its files. Stop that process.";
        }
        if (cause instanceof AlreadyClosedException) {
            return "the store is closed.";
        }
        if (cause instanceof AccessDeniedException) {
            return "the gateway's user has no permission for its files. Ask the operator to give them to that user (chown).";
        }
        return "its files can't be used (" + cause.getClass().getSimpleName() + "); see the log.";
    }

    /** Whether the failure means that files are damaged. */
    static boolean damaged(Throwable cause) {
        return cause instanceof CorruptIndexException
                || cause instanceof EOFException
                || cause instanceof NoSuchFileException
                || cause instanceof FileNotFoundException
                // The JVM throws this if a mapped file has become shorter or unreadable.
                || cause instanceof InternalError;
    }
}
