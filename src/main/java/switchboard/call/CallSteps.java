package switchboard.call;

import org.jspecify.annotations.Nullable;

/** Is told how the steps of a request went: its calls of backends, and their requests to engines. Thread-safe; does not block. */
public interface CallSteps {
    /** Keeps nothing. */
    CallSteps NONE = new CallSteps() {
        @Override
        public CallSteps call(String backend, String name) {
            return this;
        }

        @Override
        public void launched() {}

        @Override
        public void ended(BackendReply reply) {}

        @Override
        public void engine(String backend, String name, long sinceNanos, @Nullable String error) {}

        @Override
        public String toString() {
            return "NONE";
        }
    };

    /** A call of {@code backend} begins. Its own steps are told to what is returned. */
    CallSteps call(String backend, String name);

    /** This call has waited long enough: the backend has it now. */
    void launched();

    /** This call is over, with this reply. */
    void ended(BackendReply reply);

    /**
     * A request of this call to its engine is over.
     *
     * @param name the HTTP method; nothing that a client has sent
     * @param sinceNanos when it began, a {@code System.nanoTime()}
     * @param error why it failed, or null for success
     */
    void engine(String backend, String name, long sinceNanos, @Nullable String error);
}
