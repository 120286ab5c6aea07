package switchboard.auth;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/** The limits that hold over all nodes. Thread-safe. */
public interface BudgetLedger {
    /** The greatest number of reports in one exchange. */
    int MOST = 200;

    /** How long a node's slices are its own after an exchange, in milliseconds, by the database's clock. */
    long LEASE_MS = 6_000;

    /** Reports what this node uses, and returns what it may use. One exchange is made after another. */
    Future<BudgetAnswer> exchange(List<BudgetReport> reports);

    /** How many nodes there are, this one included, as last seen. */
    int nodes();

    /** Whether the database answered last. */
    boolean reachable();

    /** Asks the other nodes to give back what they don't use. They may not hear it. */
    void ask(BudgetPayer payer);

    /** Tells {@code asked} when another node asks so. */
    void listen(Consumer<BudgetPayer> asked);
}
