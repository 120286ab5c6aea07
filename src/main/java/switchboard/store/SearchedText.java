package switchboard.store;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import switchboard.embed.Embedder;

/**
 * The text of a chunk that is searched, and embedded.
 *
 * @param context the text before it (title, headings), which is not shown; may be empty
 * @param text the chunk's own
 */
public record SearchedText(String context, String text) {
    /** Maximum number of sentences that have vectors; where a chunk has more, neighbours share one. */
    private static final int MOST_SENTENCES = 16;

    /** The context, then the chunk's own text, on lines of their own. */
    public String whole() {
        return Chunk.searched(context, text);
    }

    /** What {@code model} embeds of it: the whole, then its sentences if queries are compared with these. */
    public List<String> embedded(Embedder model) {
        return model.traits().sentences()
                ? Stream.concat(Stream.of(whole()), sentences(model.dimension()))
                        .toList()
                : List.of(whole());
    }

    /** Its sentences; none of source code, nor if there is only one. */
    private Stream<String> sentences(int dimension) {
        if (SourceCode.is(List.of(text))) {
            return Stream.empty();
        }
        List<TextUnits.Unit> units = TextUnits.of(text).stream()
                .filter(unit -> !text.substring(unit.from(), unit.to()).isBlank())
                .toList();
        int most = Math.min(MOST_SENTENCES, DocumentForm.MOST_NUMBERS / dimension - 1);
        int groups = Math.min(most, units.size());
        return groups < 2
                ? Stream.empty()
                : IntStream.range(0, groups)
                        .mapToObj(group ->
                                units.subList(group * units.size() / groups, (group + 1) * units.size() / groups))
                        .map(group -> text.substring(
                                        group.getFirst().from(), group.getLast().to())
                                .strip());
    }
}
