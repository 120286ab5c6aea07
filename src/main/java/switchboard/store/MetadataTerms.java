package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.NumericUtils;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Metadata as terms of one Lucene field: the key, a zero byte, the type, and the value in a form that sorts like the
 * value. So the index has one field, however many different keys documents have.
 */
final class MetadataTerms {
    /** The field of all values. */
    static final String FIELD = "fact";

    static final char TEXT = 't';
    static final char NUMBER = 'n';
    static final char BOOL = 'b';

    /** What precedes the keys of a document's own metadata. */
    static final String METADATA = "metadata.";

    /** Maximum length of a key in bytes. */
    static final int MAX_KEY = 512;

    /** Maximum number of values of a document. */
    static final int MAX_FACTS = 5000;

    /**
     * Maximum length of a text in bytes. Of longer texts this much is kept for ranges, with a digest, so that equality
     * stays exact.
     */
    private static final int MAX_TEXT = 4096;

    private final List<BytesRef> terms = new ArrayList<>();

    /** The terms that were added. */
    List<BytesRef> terms() {
        return terms;
    }

    /** Adds a value. */
    MetadataTerms add(String key, Filter.Value value) {
        if (terms.size() >= MAX_FACTS) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "The metadata has more than " + MAX_FACTS + " values. Leave some out.");
        }
        terms.add(term(key, value));
        return this;
    }

    MetadataTerms add(String key, String text) {
        return add(key, new Filter.Value.TextValue(text));
    }

    MetadataTerms add(String key, double number) {
        return add(key, new Filter.Value.NumberValue(number));
    }

    /**
     * Adds the values of a JSON object. Keys of nested objects are joined by dots; each element of an array is a
     * value.
     */
    MetadataTerms addAll(String prefix, ObjectNode object) {
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            addNode(prefix + entry.getKey(), entry.getValue());
        }
        return this;
    }

    private void addNode(String key, JsonNode node) {
        switch (node.getNodeType()) {
            case OBJECT -> addAll(key + ".", (ObjectNode) node);
            case ARRAY -> node.forEach(element -> addNode(key, element));
            case STRING -> add(key, node.textValue());
            case NUMBER -> add(key, node.doubleValue());
            case BOOLEAN -> add(key, new Filter.Value.BooleanValue(node.booleanValue()));
            case NULL, MISSING, BINARY, POJO -> {}
        }
    }

    /** The term of a value. */
    static BytesRef term(String key, Filter.Value value) {
        return switch (value) {
            case Filter.Value.TextValue(String text) -> join(prefix(key, TEXT), bounded(text));
            case Filter.Value.NumberValue(double number) -> {
                byte[] sortable = new byte[Long.BYTES];
                // The one zero: -0.0 equals 0.0.
                NumericUtils.longToSortableBytes(NumericUtils.doubleToSortableLong(number + 0.0), sortable, 0);
                yield join(prefix(key, NUMBER), sortable);
            }
            case Filter.Value.BooleanValue(boolean bool) -> join(prefix(key, BOOL), new byte[] {(byte) (bool ? 1 : 0)});
        };
    }

    /** The common beginning of all terms of a key. */
    static BytesRef prefix(String key) {
        byte[] name = key.replace('\0', '\uFFFD').getBytes(StandardCharsets.UTF_8);
        if (name.length > MAX_KEY) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "A metadata key is longer than " + MAX_KEY + " bytes: " + key.substring(0, 40)
                            + "... Use a shorter one.");
        }
        return join(new BytesRef(name), new byte[] {0});
    }

    /** The key of {@code term}, which is one that {@link #term} made; with the prefix {@value #METADATA} if it has one. */
    static String key(BytesRef term) {
        int end = term.offset;
        while (term.bytes[end] != 0) {
            end++;
        }
        return new String(term.bytes, term.offset, end - term.offset, StandardCharsets.UTF_8);
    }

    /** Follows all terms of {@code key}, and precedes those of all later keys. */
    static BytesRef afterKey(String key) {
        return join(new BytesRef(key), new byte[] {1});
    }

    /** The common beginning of all terms of a key and type. */
    static BytesRef prefix(String key, char type) {
        return join(prefix(key), new byte[] {(byte) type});
    }

    private static BytesRef join(BytesRef left, byte[] right) {
        BytesRefBuilder builder = new BytesRefBuilder();
        builder.append(left);
        builder.append(right, 0, right.length);
        return builder.toBytesRef();
    }

    /** The text of a term whose prefix has {@code prefix} bytes. Long texts are truncated. */
    static String text(BytesRef term, int prefix) {
        int length = Math.min(term.length - prefix, MAX_TEXT);
        return new String(term.bytes, term.offset + prefix, length, StandardCharsets.UTF_8);
    }

    private static byte[] bounded(String text) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        if (all.length <= MAX_TEXT) {
            return all;
        }
        byte[] digest = DigestUtils.sha256(all);
        byte[] cut = java.util.Arrays.copyOf(all, MAX_TEXT + digest.length);
        System.arraycopy(digest, 0, cut, MAX_TEXT, digest.length);
        return cut;
    }
}
