package switchboard.backend.mcp;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.SharedApprovals;

/**
 * The approvals for one server, as of the last valid version of its file. A file that is lost or unreadable changes
 * nothing. Blocks, except {@link #failed}; thread-safe.
 */
final class LiveApprovals {
    private static final Logger LOG = LoggerFactory.getLogger(LiveApprovals.class);

    private final String backend;
    private final ApprovalFile file;
    private final SharedApprovals shared;
    private ApprovalFile.ToolApprovals approvals = ApprovalFile.ToolApprovals.NONE;
    private Optional<FileTime> written = Optional.empty();
    private Optional<FileTime> changing = Optional.empty();
    private volatile boolean failed;

    /** Whether there is a decision that is not in the file yet. */
    private volatile boolean unsaved;

    /** Whether the failure to write has been logged. */
    private boolean failureLogged;

    /** The shared approvals that the last decision was made with. */
    private Map<String, SharedApprovals.SharedApproval> used = Map.of();

    /** The hashes of what is approved here and still offered, which are shared as soon as that is possible. */
    private volatile Map<String, String> published = Map.of();

    LiveApprovals(String backend, ApprovalFile file, SharedApprovals shared) {
        this.backend = backend;
        this.file = file;
        this.shared = shared;
    }

    /** Runs {@code look} when {@link #changed} may be true. */
    void listen(Runnable look) {
        shared.listen(look);
    }

    /**
     * Shares the approved definitions of the tools that are offered, also of one that is held back now because it has changed: on
     * another gateway the changed one may be the first that it sees.
     */
    void share(Set<String> offered) {
        Map<String, String> hashes;
        synchronized (this) {
            hashes = new HashMap<>(approvals.approved());
        }
        hashes.keySet().retainAll(offered);
        published = hashes;
        shared.published(backend, hashes);
    }

    /** Whether the file can't be used or written. */
    boolean failed() {
        return failed || unsaved;
    }

    /** Reads the file for the first time. A missing file is empty. */
    synchronized ApprovalFile.ToolApprovals open() throws IOException {
        written = file.written();
        approvals = file.read();
        return approvals;
    }

    /** Whether what is shared has changed, or somebody else has changed the file, and two checks found it the same. */
    synchronized boolean changed() {
        save();
        shared.published(backend, published);
        if (!shared.of(backend).equals(used)) {
            return true;
        }
        Optional<FileTime> now = file.written();
        boolean settled = now.equals(changing);
        changing = now;
        return settled && !now.equals(written);
    }

    /** The current approvals, including changes that somebody else has written. What is shared holds whatever the file says. */
    synchronized ApprovalFile.ToolApprovals current() {
        ApprovalFile.ToolApprovals own = read();
        used = shared.of(backend);
        return own.with(used);
    }

    private ApprovalFile.ToolApprovals read() {
        save();
        Optional<FileTime> now = file.written();
        if (now.equals(written)) {
            return approvals;
        }
        try {
            if (now.isEmpty()) {
                LOG.warn("{}: the file of its approvals was missing and is written again", backend);
                written = now;
                unsaved = true;
                save();
                return approvals;
            }
            approvals = file.read();
            failed = false;
        } catch (IOException e) {
            failed = true;
            LOG.error(
                    "{}: the file of its approvals can't be used; the previous approvals stay in use: {}",
                    backend,
                    e.toString());
        }
        written = now;
        return approvals;
    }

    /** Replaces the approvals. A file that can't be used is not overwritten. */
    synchronized void replace(ApprovalFile.ToolApprovals decided) {
        if (decided.equals(approvals)) {
            return;
        }
        approvals = decided;
        if (!failed) {
            unsaved = true;
            save();
        }
    }

    /**
     * Writes approvals that are not in the file yet. If that fails, for example because the disk is full, it is tried
     * again at each check. Changes that somebody else has written are read first, and decided about again.
     */
    private void save() {
        if (!unsaved) {
            return;
        }
        file.lock().lock();
        try {
            saveAlone();
        } finally {
            file.lock().unlock();
        }
    }

    private void saveAlone() {
        if (!file.written().equals(written)) {
            unsaved = false;
            return;
        }
        try {
            file.write(approvals);
            unsaved = false;
            failed = false;
            written = file.written();
            changing = written;
            if (failureLogged) {
                LOG.info("{}: the file of its approvals has been written", backend);
            }
            failureLogged = false;
        } catch (IOException e) {
            if (!failureLogged) {
                LOG.warn(
                        "{}: the file of its approvals can't be written ({}); the decisions are in use, and it is"
                                + " tried again",
                        backend,
                        e.toString());
            }
            failureLogged = true;
        }
    }
}
