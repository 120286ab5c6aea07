package switchboard.federation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.federation.SignalRules.Treatment;
import switchboard.signal.PassageSignal;
import switchboard.signal.PassageSignals;
import switchboard.store.PerDocumentLimit;

/**
 * The hits of an answer with the signals of their whole passages, after the operator's rules.
 *
 * @param best the hits, in the order of the answer
 * @param hidden how many were left out, by the kind of signal that was the reason; null if none were
 */
record SignalledHits(
        List<FusedHit> best, @Nullable Map<String, Integer> hidden, Map<FusedHit, PassageSignals> signals) {
    /** The member of an answer that has {@link #hidden}. */
    static final String HIDDEN = "hidden";

    /**
     * How many hits are shown.
     *
     * @param all at most, from 1
     * @param perDocument of one document at most, 0 for no limit
     */
    record Most(int all, int perDocument) {}

    /**
     * The first of {@code hits} that the rules leave. No more hits are looked at than that needs: those behind the last one that
     * is shown are not counted as hidden. A hit that would be demoted or hidden is shown as the first of its copies that would
     * not be, if there is one. A hit that is hidden takes no place of its document, and one that is demoted only what is left.
     *
     * @param explanations told which copies are shown
     */
    static SignalledHits of(
            List<FusedHit> hits, Most most, SignalTreatments treatments, ScoreExplanations explanations) {
        PerDocumentLimit<DocumentUri> places = new PerDocumentLimit<>(most.perDocument());
        SignalRules rules = treatments.rules();
        Map<FusedHit, PassageSignals> signals = new IdentityHashMap<>();
        Map<String, Integer> hidden = new TreeMap<>();
        List<FusedHit> best = new ArrayList<>();
        List<FusedHit> demoted = new ArrayList<>();
        for (FusedHit hit : hits) {
            if (best.size() == most.all()) {
                break;
            }
            // What no rule treats takes its place before its signals are looked for.
            if (rules.marksOnly() && !hit.take(places)) {
                continue;
            }
            TreatedHit treated = treated(hit, treatments, explanations);
            signals.put(treated.hit(), treated.by().signals());
            switch (treated.by().treatment()) {
                case MARK -> {
                    if (rules.marksOnly() || treated.hit().take(places)) {
                        best.add(treated.hit());
                    }
                }
                case DEMOTE -> demoted.add(treated.hit());
                case HIDE ->
                    treated.by().signals().kinds().stream()
                            .filter(rules::hides)
                            .forEach(kind -> hidden.merge(kind.word(), 1, Integer::sum));
            }
        }
        demoted.stream()
                .filter(hit -> hit.take(places))
                .limit(most.all() - best.size())
                .forEach(best::add);
        return new SignalledHits(List.copyOf(best), hidden.isEmpty() ? null : hidden, signals);
    }

    /**
     * A hit, by the copy that is shown.
     *
     * @param treatment what happens to it
     */
    record ShownHit(FusedHit hit, Treatment treatment) {}

    /** As which of its copies {@code hit} is shown. */
    static ShownHit shown(FusedHit hit, SignalTreatments treatments) {
        if (treatments.rules().marksOnly()) {
            return new ShownHit(hit, Treatment.MARK);
        }
        TreatedHit treated = treated(hit, treatments, ScoreExplanations.NONE);
        return new ShownHit(treated.hit(), treated.by().treatment());
    }

    /** A passage and what happens to it. */
    private record TreatedPassage(Candidate candidate, PassageSignals signals, Treatment treatment) {
        static TreatedPassage of(Candidate candidate, SignalTreatments treatments) {
            return new TreatedPassage(
                    candidate, treatments.signals(candidate.passage()), treatments.of(candidate.passage()));
        }
    }

    /** A hit, and the passage by which it is treated, which is its best. */
    private record TreatedHit(FusedHit hit, TreatedPassage by) {}

    private static TreatedHit treated(FusedHit hit, SignalTreatments treatments, ScoreExplanations explanations) {
        TreatedPassage first = TreatedPassage.of(hit.best(), treatments);
        if (first.treatment() == Treatment.MARK || hit.others().isEmpty()) {
            return new TreatedHit(hit, first);
        }
        List<TreatedPassage> all = Stream.concat(
                        Stream.of(first), hit.others().stream().map(other -> TreatedPassage.of(other, treatments)))
                .toList();
        TreatedPassage shown = all.stream()
                .min(Comparator.comparing(TreatedPassage::treatment))
                .orElse(first);
        explanations.shownAs(hit.best(), shown.candidate());
        List<Candidate> others = all.stream()
                .filter(one -> !one.equals(shown) && one.treatment() != Treatment.HIDE)
                .map(TreatedPassage::candidate)
                .toList();
        return new TreatedHit(new FusedHit(shown.candidate(), hit.score(), hit.relevance(), others, hit.side()), shown);
    }

    /** The signals of a hit; null if it has none. */
    @Nullable
    List<PassageSignal> of(FusedHit hit) {
        PassageSignals found = signals.get(hit);
        return found == null ? null : found.shown();
    }
}
