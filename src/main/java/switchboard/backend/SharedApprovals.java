package switchboard.backend;

import java.util.Map;

/** The approved definitions of tools of other servers that hold on several gateways. Thread-safe; does not block. */
public interface SharedApprovals {
    /** Nothing is shared. */
    SharedApprovals NONE = new SharedApprovals() {
        @Override
        public Map<String, String> of(String backend) {
            return Map.of();
        }

        @Override
        public void published(String backend, Map<String, String> hashes) {}

        @Override
        public void listen(Runnable changed) {}
    };

    /** By the tools of {@code backend}, the hashes of their approved definitions. */
    Map<String, String> of(String backend);

    /** These definitions are published here: where none is approved yet, they are the approved ones from now on. */
    void published(String backend, Map<String, String> hashes);

    /** Runs {@code changed} when approvals may have changed, on any thread; it must not block. */
    void listen(Runnable changed);
}
