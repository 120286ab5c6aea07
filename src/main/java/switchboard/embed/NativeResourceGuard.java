package switchboard.embed;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Keeps native memory from being released while a call is in it, which would end the process. Calls run beside each
 * other; the release waits for those that have begun, and calls after it fail.
 */
final class NativeResourceGuard {
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
    private boolean released;

    /** What is done with the memory. */
    @FunctionalInterface
    interface NativeCall<T, E extends Exception> {
        T run() throws E;
    }

    /** How the memory is given back. */
    @FunctionalInterface
    interface Release<E extends Exception> {
        void run() throws E;
    }

    /**
     * Does {@code work} with the memory.
     *
     * @throws ToolException {@code UNAVAILABLE}, if the memory has been released
     */
    <T, E extends Exception> T during(NativeCall<T, E> work) throws E {
        life.readLock().lock();
        try {
            if (released) {
                throw closed();
            }
            return work.run();
        } finally {
            life.readLock().unlock();
        }
    }

    /** Releases the memory, once. */
    <E extends Exception> void end(Release<E> release) throws E {
        life.writeLock().lock();
        try {
            if (!released) {
                released = true;
                release.run();
            }
        } finally {
            life.writeLock().unlock();
        }
    }

    /** What calls after the end fail with. */
    static ToolException closed() {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                "The embedding model is closed: the gateway is stopping. Try again in a moment.");
    }
}
