package switchboard.federation;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.federation.SignalRules.Treatment;
import switchboard.store.PerDocumentLimit;

/**
 * Which hits of two rankings have room in a mix of them, after the operator's rules. Where a text is in several documents, how many
 * hits have room depends on their order, so a hit waits while it would take room from more others than it gives: the mix has as many
 * hits as the ranking that shows more. Not thread-safe.
 */
final class MixedPlaces implements TeamDraft.Places<FusedHit> {
    private final Map<FusedHit, PlacedHit> placed = new IdentityHashMap<>();
    private final PerDocumentLimit<DocumentUri> places;
    private final List<FusedHit> demoted;

    /** Documents of which a hit may take room that another one wants, because they have the same text. */
    private final Set<DocumentUri> contested;

    /** The hits of these documents that are not taken, in the order of the ranking that shows more. */
    private final List<PlacedHit> left;

    /** How many of {@link #left} have to find room. */
    private int wanted;

    /** A hit as it is shown, with the other documents that have its text. */
    private record PlacedHit(FusedHit hit, Treatment treatment, List<DocumentUri> copies) {
        DocumentUri document() {
            return hit.best().address();
        }

        boolean take(PerDocumentLimit<DocumentUri> places) {
            return places.take(document(), copies);
        }
    }

    /** Room for the same hits in two orders, of each document {@code perDocument}; 0 for no limit. */
    MixedPlaces(List<FusedHit> current, List<FusedHit> proposed, int perDocument, SignalTreatments treatments) {
        for (FusedHit hit : current) {
            SignalledHits.ShownHit shown = SignalledHits.shown(hit, treatments);
            placed.put(
                    hit,
                    new PlacedHit(shown.hit(), shown.treatment(), shown.hit().copies()));
        }
        places = new PerDocumentLimit<>(perDocument);
        contested = perDocument == 0
                ? Set.of()
                : placed.values().stream()
                        .filter(one -> !one.copies().isEmpty())
                        .flatMap(one -> Stream.concat(Stream.of(one.document()), one.copies().stream()))
                        .collect(Collectors.toSet());
        List<PlacedHit> ofCurrent = contested(current);
        List<PlacedHit> ofProposed = contested(proposed);
        int currently = room(ofCurrent, places.copy());
        int otherwise = room(ofProposed, places.copy());
        wanted = Math.max(currently, otherwise);
        left = new ArrayList<>(otherwise > currently ? ofProposed : ofCurrent);
        demoted = treated(otherwise > currently ? proposed : current, Treatment.DEMOTE)
                .toList();
    }

    private PlacedHit as(FusedHit hit) {
        return Objects.requireNonNull(placed.get(hit));
    }

    private Stream<FusedHit> treated(List<FusedHit> ranking, Treatment treatment) {
        return ranking.stream().filter(hit -> as(hit).treatment() == treatment);
    }

    /** The hits of contested documents, in the order in which they get room. */
    private List<PlacedHit> contested(List<FusedHit> ranking) {
        return Stream.concat(treated(ranking, Treatment.MARK), treated(ranking, Treatment.DEMOTE))
                .map(this::as)
                .filter(one -> contested.contains(one.document()))
                .toList();
    }

    private static int room(List<PlacedHit> hits, PerDocumentLimit<DocumentUri> places) {
        return (int) hits.stream().filter(hit -> hit.take(places)).count();
    }

    /** The hits of a ranking that are not put last. */
    List<FusedHit> drafted(List<FusedHit> ranking) {
        return ranking.stream()
                .filter(hit -> as(hit).treatment() != Treatment.DEMOTE)
                .toList();
    }

    /** The hits that come after all others. */
    List<FusedHit> demoted() {
        return demoted;
    }

    @Override
    public boolean isOpen(FusedHit hit) {
        PlacedHit one = as(hit);
        PerDocumentLimit<DocumentUri> after = places.copy();
        return one.take(after) && (!contested.contains(one.document()) || 1 + room(without(one), after) >= wanted);
    }

    private List<PlacedHit> without(PlacedHit hit) {
        return left.stream().filter(other -> !other.equals(hit)).toList();
    }

    @Override
    public void take(FusedHit hit) {
        PlacedHit one = as(hit);
        one.take(places);
        if (left.remove(one)) {
            wanted--;
        }
    }

    @Override
    public boolean shows(FusedHit hit) {
        return as(hit).treatment() != Treatment.HIDE;
    }
}
