package switchboard.backend;

import java.util.Map;

/** The approved definitions of tools of other servers that hold on several gateways. Thread-safe; does not block. */
public interface SharedApprovals {
    /** Nothing is shared. */
    SharedApprovals NONE = new SharedApprovals() {
        @Override
        public Map<String, SharedApproval> of(String backend) {
            return Map.of();
        }

        @Override
        public void published(String backend, Map<String, String> hashes) {}

        @Override
        public void listen(Runnable changed) {}
    };

    /**
     * The approved definition of a tool.
     *
     * @param hash its hash
     * @param byOperator whether an operator has approved it for all gateways, rather than its first use on one of them
     */
    record SharedApproval(String hash, boolean byOperator) {}

    /** The approved definitions of {@code backend}, by their tools. */
    Map<String, SharedApproval> of(String backend);

    /** These definitions are approved here, by tool: where none is approved for all, they are from now on. */
    void published(String backend, Map<String, String> hashes);

    /** Runs {@code changed} when approvals may have changed, on any thread; it must not block. */
    void listen(Runnable changed);
}
