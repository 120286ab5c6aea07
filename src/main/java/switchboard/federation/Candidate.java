package switchboard.federation;

import java.util.List;
import switchboard.call.Passage;

/**
 * A passage that a source found.
 *
 * @param address the address of its document
 * @param source label of its source
 * @param rank its rank in that source, from 1
 * @param weight weight of its source
 * @param passage the passage itself
 */
record Candidate(DocumentUri address, String source, int rank, double weight, Passage passage) {
    /** What keywords are looked for in. */
    String searchedText() {
        return passage.text().startsWith(passage.title()) ? passage.text() : passage.title() + "\n" + passage.text();
    }

    /** The addresses of other documents of its source with the same text. */
    List<DocumentUri> copies() {
        return passage.copies().stream()
                .map(copy -> new DocumentUri(address.backend(), address.source(), copy))
                .toList();
    }
}
