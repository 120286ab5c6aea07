package switchboard.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Orders by a text of sorted doc values where everything before it is equal, ascending, documents without one first. Lucene's own
 * comparator reads the text of each document that may be among the first, and texts are compressed; this one reads those of
 * equals in different segments, and those of the result. For one thread, as all comparators.
 */
final class TieText extends FieldComparator<BytesRef> implements LeafFieldComparator {
    private static final int NONE = -1;

    private final String field;
    private final Place[] slots;
    private @Nullable SortedDocValues segment;
    private @Nullable Place bottom;
    private @Nullable Position bottomHere;
    private @Nullable BytesRef top;

    /** The text with the number {@code ord} of a segment, or {@link #NONE}. */
    private record Place(@Nullable SortedDocValues segment, int ord) {
        @Nullable
        BytesRef text() {
            try {
                return segment == null || ord == NONE ? null : BytesRef.deepCopyOf(segment.lookupOrd(ord));
            } catch (IOException e) {
                throw new UncheckedIOException(e); // comparisons can't throw checked exceptions
            }
        }
    }

    /**
     * Where the bottom's text is among those of the current segment.
     *
     * @param ord its number, or that of the next text
     * @param exact whether the segment has it
     */
    private record Position(int ord, boolean exact) {
        int compareTo(int other) {
            return exact || other < ord ? Integer.compare(ord, other) : -1;
        }
    }

    private TieText(String field, int count) {
        this.field = field;
        this.slots = new Place[count];
    }

    /** A sort field over the sorted doc values {@code field}. */
    static SortField field(String field) {
        return new SortField(field, new FieldComparatorSource() {
            @Override
            public FieldComparator<?> newComparator(String name, int count, Pruning pruning, boolean reversed) {
                return new TieText(name, count);
            }
        });
    }

    @Override
    public LeafFieldComparator getLeafComparator(LeafReaderContext leaf) throws IOException {
        segment = DocValues.getSorted(leaf.reader(), field);
        bottomHere = null;
        return this;
    }

    @Override
    public int compare(int slot, int other) {
        return compare(slots[slot], slots[other]);
    }

    private int compare(Place one, Place other) {
        return Objects.equals(one.segment(), other.segment())
                ? Integer.compare(one.ord(), other.ord())
                : compareValues(one.text(), other.text());
    }

    private Place place(int document) throws IOException {
        SortedDocValues values = segment;
        return values != null && values.advanceExact(document)
                ? new Place(values, values.ordValue())
                : new Place(values, NONE);
    }

    @Override
    public void copy(int slot, int document) throws IOException {
        slots[slot] = place(document);
    }

    @Override
    public void setBottom(int slot) {
        bottom = slots[slot];
        bottomHere = null;
    }

    @Override
    public int compareBottom(int document) throws IOException {
        Position here = bottomHere;
        if (here == null) {
            here = position();
            bottomHere = here;
        }
        return here.compareTo(place(document).ord());
    }

    private Position position() throws IOException {
        if (bottom == null || segment == null) {
            throw new IllegalStateException("there is no bottom, or no segment");
        }
        if (Objects.equals(bottom.segment(), segment)) {
            return new Position(bottom.ord(), true);
        }
        BytesRef text = bottom.text();
        if (text == null) {
            return new Position(NONE, true);
        }
        int found = segment.lookupTerm(text);
        return found >= 0 ? new Position(found, true) : new Position(-found - 1, false);
    }

    @Override
    public void setTopValue(BytesRef value) {
        top = value;
    }

    @Override
    public int compareTop(int document) throws IOException {
        return compareValues(top, place(document).text());
    }

    @Override
    public @Nullable BytesRef value(int slot) {
        return slots[slot].text();
    }

    @Override
    public void setScorer(Scorable scorer) {
        // The score is not used.
    }
}
