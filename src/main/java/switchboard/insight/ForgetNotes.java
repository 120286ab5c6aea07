package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.files.PrivateFiles;

/**
 * Notes for the gateway of what was forgotten of late, so that it does not write it afterwards. Names are hashed in them. Its
 * callers exclude each other.
 *
 * @param file where they are
 */
record ForgetNotes(Path file) {
    /** Longer than a line may wait, and than something that is done belongs to a search. */
    private static final Duration KEPT = Duration.ofDays(7);

    /**
     * A note.
     *
     * @param at what was answered until then is concerned
     * @param what with hashed names
     */
    record ForgetNote(Instant at, Forgetting what) {}

    List<ForgetNote> read() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        JsonNode all = Json.parse(Files.readAllBytes(file));
        return all.valueStream().map(ForgetNotes::note).toList();
    }

    /** Adds a note, and removes old ones. */
    void add(ForgetNote note) throws IOException {
        write(Stream.concat(read().stream(), Stream.of(note)).toList(), note.at());
    }

    /** Removes old notes. */
    void tidy(Instant now) throws IOException {
        List<ForgetNote> all = read();
        if (!all.isEmpty()) {
            write(all, now);
        }
    }

    private void write(List<ForgetNote> notes, Instant now) throws IOException {
        ArrayNode all = Json.array();
        notes.stream()
                .filter(note -> note.at().isAfter(now.minus(KEPT)) && !note.at().isAfter(now.plus(KEPT)))
                .forEach(note -> all.add(json(note)));
        if (all.isEmpty()) {
            Files.deleteIfExists(file);
        } else {
            PrivateFiles.replaceDurably(file, Json.bytes(all));
        }
    }

    /** What is left of a line that tells of a search that was answered at {@code since}; empty if nothing is. */
    static Optional<JsonNode> rest(List<ForgetNote> notes, Instant since, JsonNode line, UnaryOperator<String> hash) {
        Optional<JsonNode> rest = Optional.of(line);
        for (ForgetNote note : notes) {
            if (!since.isAfter(note.at())) {
                rest = rest.flatMap(left -> note.what().rest(left, hash));
            }
        }
        return rest;
    }

    /**
     * {@code line} without the ids of other searches, if one of these is to be forgotten; {@code linked} is when the first of them was
     * answered.
     */
    static JsonNode unlinked(
            List<ForgetNote> notes, @Nullable Instant linked, JsonNode line, UnaryOperator<String> hash) {
        boolean stays = linked == null
                || notes.stream()
                        .noneMatch(note ->
                                !linked.isAfter(note.at()) && note.what().forgetsSearch(linked, line, hash));
        return stays ? line : ((ObjectNode) line.deepCopy()).without(List.of("after", "rest_of"));
    }

    private static ObjectNode json(ForgetNote note) {
        return json(note.what()).put("at", note.at().toString());
    }

    /** What is to be forgotten as JSON. */
    static ObjectNode json(Forgetting what) {
        ObjectNode json = Json.object();
        json.put("team", what.team());
        json.put("key", what.key());
        json.put("document", what.document());
        json.put("before", what.before() == null ? null : what.before().toString());
        return json;
    }

    private static ForgetNote note(JsonNode json) {
        return new ForgetNote(Instant.parse(json.path("at").asText()), what(json));
    }

    /** What {@link #json(Forgetting)} has made. */
    static Forgetting what(JsonNode json) {
        String before = text(json, "before");
        return new Forgetting(
                text(json, "team"),
                text(json, "key"),
                text(json, "document"),
                before == null ? null : Instant.parse(before));
    }

    private static @Nullable String text(JsonNode json, String name) {
        return json.hasNonNull(name) ? json.path(name).asText() : null;
    }
}
