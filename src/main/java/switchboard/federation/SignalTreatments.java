package switchboard.federation;

import java.util.IdentityHashMap;
import java.util.Map;
import switchboard.call.Passage;
import switchboard.signal.PassageSignals;

/** What the operator's rules say of the passages of one search; looks for the signals of each only once. Not thread-safe. */
final class SignalTreatments {
    private final SignalRules rules;
    private final Map<Passage, PassageSignals> signals = new IdentityHashMap<>();

    SignalTreatments(SignalRules rules) {
        this.rules = rules;
    }

    SignalRules rules() {
        return rules;
    }

    /** The signals of everything in a passage that may be shown, whatever the call shows of it. */
    PassageSignals signals(Passage passage) {
        return signals.computeIfAbsent(passage, _ -> new PassageSignals()
                .add("text", passage.text())
                .add("title", passage.title())
                .add("url", passage.url())
                .addAll("fields", passage.fields()));
    }

    /** What happens to a hit that has nothing but this passage. */
    SignalRules.Treatment of(Passage passage) {
        return rules.of(signals(passage).kinds());
    }

    /** Whether the passage is left out or moved. Signals are looked for only if there is a rule that does so. */
    boolean moves(Passage passage) {
        return !rules.marksOnly() && of(passage) != SignalRules.Treatment.MARK;
    }
}
