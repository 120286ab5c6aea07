package switchboard.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import switchboard.text.PageOffsets;

/**
 * Completes the pages of chunks of which an earlier version stored the first page only. In the text of a PDF a blank line ends
 * each page. Where the known pages agree with that, all others follow from the text; otherwise a chunk reaches as far as the page of
 * the next one tells.
 */
final class PageNumberUpgrade {
    private static final String END_OF_PAGE = "\n\n";

    private PageNumberUpgrade() {}

    /** The same chunks, all of a document with the text {@code text}, with all pages that can be told. */
    static List<Chunk> completed(List<Chunk> chunks, String text) {
        PageOffsets starts = starts(text);
        boolean agree = chunks.stream().allMatch(chunk -> chunk.pages().equals(List.of(starts.at(chunk.start()))));
        List<Chunk> completed = new ArrayList<>();
        for (int i = 0; i < chunks.size(); i++) {
            Chunk chunk = chunks.get(i);
            completed.add(chunk.onPages(
                    agree
                            ? starts.of(text, chunk.start(), chunk.end())
                            : upTo(chunks.get(Math.min(i + 1, chunks.size() - 1)), chunk)));
        }
        return completed;
    }

    private static PageOffsets starts(String text) {
        List<Integer> starts = new ArrayList<>(List.of(0));
        for (int at = text.indexOf(END_OF_PAGE); at >= 0; at = text.indexOf(END_OF_PAGE, at + END_OF_PAGE.length())) {
            starts.add(at + END_OF_PAGE.length());
        }
        return new PageOffsets(starts);
    }

    /** The pages up to that of the next chunk; that one, too, if the chunks overlap. */
    private static List<Integer> upTo(Chunk next, Chunk chunk) {
        if (chunk.pages().isEmpty() || next.pages().isEmpty()) {
            return chunk.pages();
        }
        int first = chunk.pages().getFirst();
        int reached = next.pages().getFirst() - (next.start() < chunk.end() ? 0 : 1);
        return IntStream.rangeClosed(first, Math.max(first, reached)).boxed().toList();
    }
}
