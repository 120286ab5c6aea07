package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.apache.lucene.util.StringHelper;
import switchboard.call.FilterField;
import switchboard.call.FilterField.ValueType;

/** Finds out which fields documents have, from a few terms of each: it takes as long for few documents as for many. */
final class FieldReader {
    /** Maximum number of examples of each type. */
    private static final int MOST_VALUES = 3;

    /** So many terms of a type are looked at for short ones. */
    private static final int MOST_TERMS = 8;

    private static final int LONGEST_VALUE = 60;
    private static final double LARGEST_WHOLE = 0x1p53;
    private static final Map<ValueType, Character> MARKS = Map.of(
            ValueType.BOOLEAN,
            MetadataTerms.BOOL,
            ValueType.NUMBER,
            MetadataTerms.NUMBER,
            ValueType.STRING,
            MetadataTerms.TEXT);

    private final SortedMap<String, FieldTerms> fields = new TreeMap<>();

    private FieldReader() {}

    /** The types of a field's values, and the least short values of each by their terms. */
    private record FieldTerms(Set<ValueType> types, Map<ValueType, NavigableMap<BytesRef, JsonNode>> values) {
        FieldTerms() {
            this(EnumSet.noneOf(ValueType.class), new TreeMap<>());
        }

        void add(ValueType type, BytesRef term, int prefix) {
            NavigableMap<BytesRef, JsonNode> least = values.computeIfAbsent(type, _ -> new TreeMap<>());
            if (term.length - prefix <= LONGEST_VALUE) {
                least.put(BytesRef.deepCopyOf(term), value(type, term, prefix));
            }
            if (least.size() > MOST_VALUES) {
                least.pollLastEntry();
            }
        }

        FilterField field(String name) {
            return new FilterField(
                    name,
                    List.copyOf(types),
                    !types.equals(EnumSet.of(ValueType.BOOLEAN)),
                    values.values().stream()
                            .flatMap(least -> least.values().stream())
                            .toList());
        }
    }

    /** See {@link DocumentStore#fields}. */
    static Map<Namespace, List<FilterField>> read(Snapshot snapshot, Set<String> names, int most) throws IOException {
        Map<Namespace, List<FilterField>> all = new HashMap<>();
        for (Map.Entry<Namespace, DirectoryReader> part : snapshot.parts().entrySet()) {
            FieldReader named = new FieldReader();
            FieldReader metadata = new FieldReader();
            for (LeafReaderContext leaf : part.getValue().leaves()) {
                Terms facts = leaf.reader().terms(MetadataTerms.FIELD);
                if (facts != null) {
                    TermsEnum terms = facts.iterator();
                    for (String name : names) {
                        named.add(name, terms);
                    }
                    metadata.addMetadata(terms, most);
                }
            }
            SortedMap<String, FieldTerms> found = new TreeMap<>(named.fields);
            metadata.fields.entrySet().stream()
                    .limit(most)
                    .forEach(field -> found.putIfAbsent(field.getKey(), field.getValue()));
            all.put(
                    part.getKey(),
                    found.entrySet().stream()
                            .map(field -> field.getValue().field(field.getKey()))
                            .toList());
        }
        return all;
    }

    private void addMetadata(TermsEnum terms, int most) throws IOException {
        BytesRef prefix = new BytesRef(MetadataTerms.METADATA);
        BytesRef next = prefix;
        for (int found = 0; found < most; found++) {
            if (terms.seekCeil(next) == TermsEnum.SeekStatus.END || !StringHelper.startsWith(terms.term(), prefix)) {
                return;
            }
            String key = MetadataTerms.key(terms.term());
            add(key, terms);
            next = MetadataTerms.afterKey(key);
        }
    }

    private void add(String name, TermsEnum terms) throws IOException {
        for (Map.Entry<ValueType, Character> mark : MARKS.entrySet()) {
            BytesRef prefix = MetadataTerms.prefix(name, mark.getValue());
            boolean more = terms.seekCeil(prefix) != TermsEnum.SeekStatus.END;
            for (int looked = 0; more && looked < MOST_TERMS; looked++) {
                if (!StringHelper.startsWith(terms.term(), prefix)) {
                    break;
                }
                FieldTerms found = fields.computeIfAbsent(name, _ -> new FieldTerms());
                found.types().add(mark.getKey());
                found.add(mark.getKey(), terms.term(), prefix.length);
                more = terms.next() != null;
            }
        }
    }

    private static JsonNode value(ValueType type, BytesRef term, int prefix) {
        return switch (type) {
            case BOOLEAN -> BooleanNode.valueOf(term.bytes[term.offset + prefix] != 0);
            case NUMBER ->
                number(NumericUtils.sortableLongToDouble(
                        NumericUtils.sortableBytesToLong(term.bytes, term.offset + prefix)));
            case STRING, DATE_TIME -> TextNode.valueOf(MetadataTerms.text(term, prefix));
        };
    }

    private static JsonNode number(double number) {
        return number == Math.rint(number) && Math.abs(number) <= LARGEST_WHOLE
                ? LongNode.valueOf((long) number)
                : DoubleNode.valueOf(number);
    }
}
