package switchboard.signal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the signals of a passage from its fields. Not thread-safe. */
public final class PassageSignals {
    /** The member of an answer's hit that has them. */
    public static final String MEMBER = "signals";

    /** Nested deeper, values are not looked at. */
    private static final int DEEPEST = 16;
    /** Names are those of documents, so they may have any length. */
    private static final int LONGEST_NAME = 100;

    private final Map<SignalKind, PassageSignal> found = new EnumMap<>(SignalKind.class);

    /** Those that were found before, to which others can be added. */
    public static PassageSignals of(Collection<PassageSignal> before) {
        PassageSignals signals = new PassageSignals();
        before.forEach(signals::add);
        return signals;
    }

    private void add(PassageSignal one) {
        found.merge(one.kind(), one, PassageSignal::and);
    }

    /** Adds those of {@code text}, the whole value of {@code field}; null has none. */
    public PassageSignals add(String field, @Nullable String text) {
        if (text != null) {
            for (TextSignal one : TextSignals.of(text)) {
                add(new PassageSignal(one.kind(), field, one.start(), one.end(), one.count()));
            }
        }
        return this;
    }

    /** Adds those of all texts within {@code value}. */
    public PassageSignals addAll(String field, JsonNode value) {
        return addAll(field, value, 0);
    }

    private PassageSignals addAll(String field, JsonNode value, int depth) {
        if (value.isTextual()) {
            return add(field, value.textValue());
        }
        if (depth < DEEPEST) {
            if (value.isArray()) {
                value.forEach(element -> addAll(field, element, depth + 1));
            }
            value.properties().forEach(member -> addAll(within(field, member.getKey()), member.getValue(), depth + 1));
        }
        return this;
    }

    private static String within(String field, String key) {
        return field.length() + key.length() < LONGEST_NAME ? field + "." + key : field;
    }

    /** The kinds that were found. */
    public Set<SignalKind> kinds() {
        return Set.copyOf(found.keySet());
    }

    /** What was found, one for each kind, in the order of the kinds; empty if nothing was. */
    public List<PassageSignal> all() {
        return List.copyOf(found.values());
    }

    /** In the order of the kinds; null if there are none, so that an answer without any has no member for them. */
    public @Nullable List<PassageSignal> shown() {
        return found.isEmpty() ? null : all();
    }
}
