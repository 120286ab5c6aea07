package switchboard.signal;

import java.util.ArrayList;
import java.util.List;

/** Counts places by their kind, and keeps the first of each. Not thread-safe. */
final class SignalCounter {
    private final int[] starts = new int[SignalKind.values().length];
    private final int[] ends = new int[starts.length];
    private final int[] counts = new int[starts.length];

    void add(SignalKind kind, int start, int end) {
        int i = kind.ordinal();
        if (counts[i]++ == 0 || start < starts[i]) {
            starts[i] = start;
            ends[i] = end;
        }
    }

    /** Adds all places of {@code other}. */
    void addAll(SignalCounter other) {
        for (TextSignal signal : other.signals()) {
            add(signal.kind(), signal.start(), signal.end());
            counts[signal.kind().ordinal()] += signal.count() - 1;
        }
    }

    /** One for each kind that was found, in the order of the kinds. */
    List<TextSignal> signals() {
        List<TextSignal> found = new ArrayList<>();
        for (SignalKind kind : SignalKind.values()) {
            int i = kind.ordinal();
            if (counts[i] > 0) {
                found.add(new TextSignal(kind, starts[i], ends[i], counts[i]));
            }
        }
        return List.copyOf(found);
    }
}
