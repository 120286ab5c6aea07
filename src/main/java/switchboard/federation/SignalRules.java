package switchboard.federation;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import switchboard.signal.SignalKind;

/** What happens to hits with signals, by their kind. Immutable. */
public final class SignalRules {
    /** All hits are shown where they rank. */
    public static final SignalRules MARK_ALL = new SignalRules(Map.of());

    /** Passages of a document that may be left out before it has fewer than are wanted. */
    private static final int SPARE = 5;

    private final Map<SignalKind, Treatment> byKind;

    /** What happens to a hit; the last one is the strictest. */
    public enum Treatment {
        /** It is shown with its mark. */
        MARK,
        /** It is shown behind all others. */
        DEMOTE,
        /** It is left out and counted. */
        HIDE
    }

    /** Kinds that {@code byKind} lacks are marked only. */
    public SignalRules(Map<SignalKind, Treatment> byKind) {
        this.byKind = new EnumMap<>(SignalKind.class);
        byKind.forEach((kind, treatment) -> {
            if (treatment != Treatment.MARK) {
                this.byKind.put(kind, treatment);
            }
        });
    }

    /** Whether nothing is demoted or hidden. */
    boolean marksOnly() {
        return byKind.isEmpty();
    }

    /** What happens to a hit with signals of these kinds. */
    Treatment of(Set<SignalKind> kinds) {
        Treatment strictest = Treatment.MARK;
        for (SignalKind kind : kinds) {
            Treatment treatment = byKind.getOrDefault(kind, Treatment.MARK);
            strictest = treatment.compareTo(strictest) > 0 ? treatment : strictest;
        }
        return strictest;
    }

    /**
     * How many passages of a document to ask a source for, so that others can take the place of those that are left out or moved.
     *
     * @param perDocument how many are wanted; 0 for no limit
     */
    int asked(int perDocument) {
        return perDocument > 0 && !marksOnly() ? perDocument + SPARE : perDocument;
    }

    /** Whether hits with this kind are left out. */
    boolean hides(SignalKind kind) {
        return byKind.get(kind) == Treatment.HIDE;
    }
}
