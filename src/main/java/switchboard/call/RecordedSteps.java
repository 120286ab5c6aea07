package switchboard.call;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the first steps of a request that end, and counts the others. */
public final class RecordedSteps implements CallSteps {
    /** How many steps are kept; a search in many sources has more. */
    public static final int MOST = 32;

    private final Kept kept;
    private final int depth;
    private final String backend;
    private final String name;
    private final long sinceNanos;
    private volatile long waitedNanos = -1;

    /** What all steps of a request share. */
    private static final class Kept {
        private final long sinceNanos;
        private final List<CallStep> steps = new ArrayList<>(2);
        private int omitted;

        private Kept(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }

        private synchronized void add(CallStep step) {
            if (steps.size() < MOST) {
                steps.add(step);
            } else {
                omitted++;
            }
        }
    }

    /** The steps of a request that began at {@code sinceNanos}, a {@code System.nanoTime()}. */
    public RecordedSteps(long sinceNanos) {
        this(new Kept(sinceNanos), 0, "", "", sinceNanos);
    }

    private RecordedSteps(Kept kept, int depth, String backend, String name, long sinceNanos) {
        this.kept = kept;
        this.depth = depth;
        this.backend = backend;
        this.name = name;
        this.sinceNanos = sinceNanos;
    }

    @Override
    public CallSteps call(String callee, String called) {
        return new RecordedSteps(kept, depth + 1, callee, called, System.nanoTime());
    }

    @Override
    public void launched() {
        waitedNanos = System.nanoTime() - sinceNanos;
    }

    @Override
    public void ended(BackendReply reply) {
        long took = System.nanoTime() - sinceNanos;
        String error = reply instanceof ToolReply.Failed failed ? failed.kind().name() : null;
        long waited = waitedNanos < 0 ? took : waitedNanos; // its turn never came
        add(CallStep.StepKind.CALL, depth, backend, name, sinceNanos, waited, took, error);
    }

    @Override
    public void engine(String asked, String method, long since, @Nullable String error) {
        add(CallStep.StepKind.ENGINE, depth + 1, asked, method, since, 0, System.nanoTime() - since, error);
    }

    private void add(
            CallStep.StepKind kind,
            int at,
            String whose,
            String called,
            long since,
            long waited,
            long took,
            @Nullable String error) {
        kept.add(new CallStep(kind, at, whose, called, since - kept.sinceNanos, waited, took, error));
    }

    /** The steps that have ended so far, in this order. */
    public List<CallStep> steps() {
        synchronized (kept) {
            return List.copyOf(kept.steps);
        }
    }

    /** How many more there were. */
    public int omitted() {
        synchronized (kept) {
            return kept.omitted;
        }
    }
}
