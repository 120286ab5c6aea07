package switchboard.backend.embedded;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import switchboard.store.AllowedReaders;
import switchboard.text.YamlNesting;

/**
 * Finds {@code allow} among the keys of a YAML mapping. It reads the parser's events one by one: nothing is built from
 * them, and aliases are not followed, so that no document needs more than its length.
 */
final class PermissionYaml {
    /** The key. */
    static final String ALLOW = "allow";

    /** Maximum length, in UTF-16 units. */
    static final int MAX_LENGTH = 64 * 1024;

    private static final Pattern SEVERAL = Pattern.compile(",\\s*(?:user:|group:|everyone)");
    private static final String FORM = "give a list of user:NAME, group:NAME or everyone";

    private final Iterator<Event> events;
    private final List<String> others = new ArrayList<>();
    private @Nullable AllowEntry found;
    private boolean seen;

    private PermissionYaml(String yaml) {
        this.events =
                new Parse(LoadSettings.builder().build()).parseString(yaml).iterator();
    }

    /** The text is not a YAML mapping that can be read, and no {@code allow} was found until there. */
    static final class NoMappingException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        NoMappingException(String why, @Nullable Throwable cause) {
            super(why, cause);
        }
    }

    /** An {@code allow}: its readers, and its lines, from 0; whether nothing else is in these lines. */
    record AllowEntry(AllowedReaders readers, int first, int last, boolean alone) {}

    /**
     * Reads a mapping.
     *
     * @param entry its {@code allow}, if it has one; in capitals, too
     * @param others its other keys, if they are texts
     */
    record Mapping(Optional<AllowEntry> entry, List<String> others) {}

    /**
     * The mapping {@code yaml}; one without entries if it is something else.
     *
     * @throws IllegalArgumentException that says what is wrong: with {@code allow}, or with the YAML, if it is not valid;
     *     {@link NoMappingException} if the text can't be read and has no {@code allow} up to there
     */
    static Mapping read(String yaml) {
        PermissionYaml reader = new PermissionYaml(yaml);
        try {
            reader.read();
        } catch (MarkedYamlEngineException e) {
            String line = e.getProblemMark()
                    .map(mark -> " in line " + (mark.getLine() + 1))
                    .orElse("");
            throw reader.unread("it is not valid YAML" + line + ": " + e.getProblem(), e);
        } catch (YamlEngineException | IndexOutOfBoundsException e) {
            throw reader.unread("it is not valid YAML: it has characters that YAML does not have", e);
        }
        return new Mapping(Optional.ofNullable(reader.found), List.copyOf(reader.others));
    }

    private IllegalArgumentException unread(String why, @Nullable Throwable cause) {
        return seen ? new IllegalArgumentException(why, cause) : new NoMappingException(why, cause);
    }

    private void read() {
        int documents = 0;
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof DocumentStartEvent && ++documents > 1) {
                throw unread("it has several YAML documents; give one", null);
            }
            if (event instanceof MappingStartEvent mapping) {
                entries(mapping.isFlow());
            } else {
                skip(event);
            }
        }
    }

    private void entries(boolean flow) {
        for (Event key = events.next(); !(key instanceof MappingEndEvent); key = events.next()) {
            String name = key instanceof ScalarEvent scalar ? scalar.getValue() : "";
            seen |= name.toLowerCase(Locale.ROOT).equals(ALLOW);
            skip(key);
            Event value = events.next();
            if (!name.toLowerCase(Locale.ROOT).equals(ALLOW)) {
                others.add(name);
                skip(value);
            } else if (found != null) {
                throw new IllegalArgumentException("allow is there twice; keep one");
            } else {
                found = entry(key.getStartMark().orElseThrow().getLine(), value, !flow);
            }
        }
    }

    /** Passes over the rest of a node that begins with {@code event}. */
    private void skip(Event event) {
        int depth = 0;
        Event at = event;
        while (true) {
            switch (at) {
                case MappingStartEvent _, SequenceStartEvent _ -> depth++;
                case MappingEndEvent _, SequenceEndEvent _ -> depth--;
                default -> {}
            }
            if (depth > YamlNesting.MOST) {
                throw unread("it is nested too deeply", null);
            }
            if (depth == 0) {
                return;
            }
            at = events.next();
        }
    }

    private AllowEntry entry(int first, Event value, boolean alone) {
        Deque<Event> last = new ArrayDeque<>(List.of(value));
        List<String> names = new ArrayList<>();
        switch (value) {
            case ScalarEvent scalar -> names.add(name(scalar));
            case SequenceStartEvent list -> {
                Event item = events.next();
                for (; !(item instanceof SequenceEndEvent); item = events.next()) {
                    names.add(name(item));
                    last.push(item);
                }
                if (list.isFlow()) {
                    last.push(item);
                }
                if (names.isEmpty()) {
                    throw new IllegalArgumentException("allow is an empty list; " + FORM + ", or remove allow");
                }
            }
            default -> throw new IllegalArgumentException("allow is neither a list nor a text; " + FORM);
        }
        return new AllowEntry(
                AllowedReaders.of(names),
                first,
                line(last.getFirst().getEndMark().orElseThrow(), first),
                alone);
    }

    /** The last line of what ends at {@code end}; a text of several lines ends where the next line begins. */
    private static int line(Mark end, int first) {
        return end.getColumn() == 0 && end.getLine() > first ? end.getLine() - 1 : end.getLine();
    }

    private static String name(Event event) {
        return switch (event) {
            case ScalarEvent scalar -> checked(scalar);
            case MappingStartEvent _ ->
                throw new IllegalArgumentException(
                        "allow has an entry with a space after its colon; write user:NAME or group:NAME without one");
            case AliasEvent _ -> throw new IllegalArgumentException("allow has an alias; write the names themselves");
            default -> throw new IllegalArgumentException("allow has a list in its list; " + FORM);
        };
    }

    private static String checked(ScalarEvent scalar) {
        String name = scalar.getValue();
        if (name.isBlank()) {
            throw new IllegalArgumentException("allow is empty; " + FORM + ", or remove allow");
        }
        if (scalar.getTag().isPresent()) {
            throw new IllegalArgumentException("allow has a tag; write plain texts");
        }
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("allow has a name with a line break or a control character");
        }
        if (SEVERAL.matcher(name).find()) {
            throw new IllegalArgumentException("allow has several readers in one text; give a list: [group:a, user:b]");
        }
        return name;
    }
}
