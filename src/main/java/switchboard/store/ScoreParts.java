package switchboard.store;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import switchboard.call.ScorePart;

/** What the scores of chunks are made of. */
@FunctionalInterface
interface ScoreParts {
    /** The parts of a chunk's score, which add up to it. */
    List<ScorePart> of(int chunk);

    /** The same with one more part. */
    default ScoreParts and(ScorePart.Name name, IntToDoubleFunction part) {
        return chunk -> Stream.concat(of(chunk).stream(), Stream.of(new ScorePart(name, part.applyAsDouble(chunk))))
                .toList();
    }

    /** The parts of scores that count by this factor. */
    default ScoreParts times(double factor) {
        return chunk -> of(chunk).stream()
                .map(part -> new ScorePart(part.name(), factor * part.value()))
                .toList();
    }

    /** The score of a chunk: the sum of its parts. */
    default double sum(int chunk) {
        return of(chunk).stream().mapToDouble(ScorePart::value).sum();
    }
}
