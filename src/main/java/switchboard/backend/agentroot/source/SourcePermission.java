package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.store.AllowedReaders;

/**
 * Who may read a document, as its source says.
 *
 * @param readers those who may
 * @param wrong why what it says can't be understood, so that the document is for nobody; null if it can
 * @param partial whether it may say more, in what could not be read
 */
public record SourcePermission(
        AllowedReaders readers, @Nullable String wrong, boolean partial) {
    /** The source says nothing. */
    public static final SourcePermission NONE = new SourcePermission(AllowedReaders.ALL);

    /** What the source says could not be read. */
    public static final SourcePermission UNKNOWN = NONE.inPart();

    /** All that the source says. */
    public SourcePermission(AllowedReaders readers) {
        this(readers, null, false);
    }

    /** The same of a document that may say more, which could not be read. */
    public SourcePermission inPart() {
        return new SourcePermission(readers, wrong, true);
    }

    /** Who may read what is stored of the document. */
    public AllowedReaders readersOfStored() {
        return wrong == null ? readers : AllowedReaders.NOBODY;
    }

    /** What {@code readers} gives; wrong if it throws an {@link IllegalArgumentException}. */
    public static SourcePermission of(Supplier<AllowedReaders> readers) {
        return NONE.and(readers);
    }

    /** The same of a document that says it in a way that can't be understood. */
    public SourcePermission wrong(IllegalArgumentException why) {
        return wrong != null ? this : new SourcePermission(readers, String.valueOf(why.getMessage()), partial);
    }

    /** Who may read it by this and by {@code more}, too; wrong if that throws an {@link IllegalArgumentException}. */
    public SourcePermission and(Supplier<AllowedReaders> more) {
        try {
            return wrong != null ? this : new SourcePermission(readers.and(more.get()), null, partial);
        } catch (IllegalArgumentException e) {
            return wrong(e);
        }
    }

    /** The same by this and by {@code other}. */
    public SourcePermission and(SourcePermission other) {
        SourcePermission both = and(other::readers);
        return new SourcePermission(
                both.readers, both.wrong == null ? other.wrong : both.wrong, partial || other.partial);
    }

    /**
     * The readers in a value of a record: a list, or a text with a JSON list or with commas. Null and an empty text say
     * nothing; a record without the value is wrong.
     *
     * @param name the value's column or key, for the message
     */
    static SourcePermission of(String name, @Nullable JsonNode value) {
        return of(() -> {
            if (value == null || value.isMissingNode()) {
                throw new IllegalArgumentException(
                        "it has no " + name + ", which says who may read it; leave the value empty for everyone");
            }
            try {
                if (value.isNull()) {
                    return AllowedReaders.ALL;
                }
                return value.isTextual() ? parsed(value.asText()) : listed(value);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("its " + name + " is wrong: " + e.getMessage(), e);
            }
        });
    }

    /** The readers in a text: a JSON list, or names with commas between them; everyone if it is blank. */
    static AllowedReaders parsed(String text) {
        if (text.isBlank()) {
            return AllowedReaders.ALL;
        }
        if (text.strip().startsWith("[")) {
            try {
                return listed(Json.parse(text));
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException(
                        "it is not valid JSON; write [\"group:NAME\"], or names with commas", e);
            }
        }
        return AllowedReaders.of(
                Arrays.stream(text.split(",", -1)).map(String::strip).toList());
    }

    private static AllowedReaders listed(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.forEach(name -> names.add(name.isTextual() ? name.asText() : ""));
        if (!list.isArray() || names.isEmpty()) {
            throw new IllegalArgumentException("give a list of user:NAME, group:NAME or everyone");
        }
        return AllowedReaders.of(names);
    }
}
