package switchboard.store;

import java.io.IOException;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.StoredFields;

/**
 * The text of a document, which is stored in slices of about {@link DocumentSchema#SLICE_LENGTH} characters.
 *
 * @param fields what is stored
 * @param first the number of its first slice
 * @param slices how many it has
 */
record SlicedText(StoredFields fields, int first, int slices) {
    private static final Set<String> SLICE = Set.of(DocumentSchema.SLICE_TEXT, DocumentSchema.SLICE_FROM);

    /**
     * The UTF-16 units from {@code start} to before {@code end}.
     *
     * @throws CorruptIndexException if the slices end before
     */
    String range(int start, int end) throws IOException {
        StringBuilder text = new StringBuilder(end - start);
        int slice = Math.min(DocumentSchema.sliceOf(start), Math.max(0, slices - 1));
        if (slice > 0 && from(fields.document(first + slice, Set.of(DocumentSchema.SLICE_FROM))) > start) {
            slice--;
        }
        while (text.length() < end - start) {
            if (slice >= slices) {
                throw new CorruptIndexException("the text ends early", "slice " + slice);
            }
            Document stored = fields.document(first + slice, SLICE);
            String part = stored.get(DocumentSchema.SLICE_TEXT);
            int from = start + text.length() - from(stored);
            text.append(part, from, Math.min(part.length(), from + end - start - text.length()));
            slice++;
        }
        return text.toString();
    }

    private static int from(Document slice) throws CorruptIndexException {
        if (slice.getField(DocumentSchema.SLICE_FROM) == null) {
            throw new CorruptIndexException("not a slice of text", "slice");
        }
        return slice.getField(DocumentSchema.SLICE_FROM).numericValue().intValue();
    }
}
