package switchboard.cluster;

import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import switchboard.auth.BudgetAnswer;
import switchboard.auth.BudgetLedger;
import switchboard.auth.BudgetPayer;
import switchboard.auth.BudgetReport;

/** The shared limits, as one node uses them. Thread-safe. */
final class NodeBudgets implements BudgetLedger {
    private final String node;
    private final ClusterDatabase database;
    private final BudgetTable table;
    private final IntSupplier nodes;
    private final Consumer<BudgetPayer> asks;
    private final AtomicLong exchanges = new AtomicLong();
    private volatile Consumer<BudgetPayer> listener = _ -> {};

    /**
     * The limits.
     *
     * @param nodes how many nodes there are, as last seen
     * @param asks tells the others that this node needs what they don't use
     */
    NodeBudgets(String node, ClusterDatabase database, String schema, IntSupplier nodes, Consumer<BudgetPayer> asks) {
        this.node = node;
        this.database = database;
        this.table = new BudgetTable(database, schema);
        this.nodes = nodes;
        this.asks = asks;
    }

    @Override
    public Future<BudgetAnswer> exchange(List<BudgetReport> reports) {
        long number = exchanges.incrementAndGet();
        return table.exchange(node, reports, nodes(), () -> exchanges.get() == number);
    }

    @Override
    public int nodes() {
        return nodes.getAsInt();
    }

    @Override
    public boolean reachable() {
        return database.up();
    }

    @Override
    public void ask(BudgetPayer payer) {
        asks.accept(payer);
    }

    @Override
    public void listen(Consumer<BudgetPayer> asked) {
        listener = asked;
    }

    /** Another node needs what this one does not use. */
    void asked(BudgetPayer payer) {
        listener.accept(payer);
    }

    Future<Void> sweep() {
        return table.sweep();
    }
}
