package switchboard.embed;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Prevents native memory from being released while a call uses it, which would crash the process. Calls run
 * concurrently. The release waits for calls that have begun; later calls fail.
 */
final class NativeResourceGuard {
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
    private boolean released;

    /** A call that uses the memory. */
    @FunctionalInterface
    interface NativeCall<T, E extends Exception> {
        T run() throws E;
    }

    /** Releases the memory. */
    @FunctionalInterface
    interface Release<E extends Exception> {
        void run() throws E;
    }

    /**
     * Runs {@code work}, during which the memory stays valid.
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

    /** The failure of calls after the release. */
    static ToolException closed() {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                "The embedding model is closed: the gateway is stopping. Try again in a moment.");
    }
}
