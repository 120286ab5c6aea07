package switchboard.federation;

import org.jspecify.annotations.Nullable;
import switchboard.call.DocumentVersion;
import switchboard.call.Passage;
import switchboard.call.PassagePlace;
import switchboard.call.PassageRef;
import switchboard.call.PassageRefs;
import switchboard.call.PassageSpan;

/** Makes the refs of passages that are given to a caller. */
final class HitRefs {
    private HitRefs() {}

    /** The ref of a hit's complete passage, however much of it is shown; null if it has no text, or none is wanted. */
    static @Nullable PassageRef of(Candidate hit, PassageRefs refs) {
        Passage passage = hit.passage();
        PassagePlace place = passage.place();
        String cited = passage.text().substring(place == null ? 0 : place.leading());
        PassageSpan span =
                place == null ? PassageSpan.somewhere(cited.length()) : new PassageSpan(place.start(), cited.length());
        return refs.ref(document(hit.address(), place == null ? null : place.version()), span, cited);
    }

    /** The document at {@code address}. */
    static PassageRefs.CitedDocument document(DocumentUri address, @Nullable DocumentVersion version) {
        return new PassageRefs.CitedDocument(
                address.backend(),
                address.source(),
                version == null ? address.document() : version.name(),
                version == null ? null : version.version());
    }
}
