package switchboard.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import switchboard.call.Json;
import switchboard.cluster.UsageBatch;
import switchboard.cluster.UsageRow;

/**
 * Usage as lines of JSON: the first one has the version of the format, each other one is a row of an hour or of a day. In a
 * cluster a row also says of which batch it is.
 */
final class UsageFile {
    private static final int FORMAT = 1;
    static final int MOST_ROWS = 4 * UsageStore.MOST_ROWS;

    private UsageFile() {}

    /**
     * A row.
     *
     * @param unit an hour or a day
     * @param number its number
     * @param run of which run's batch it is; empty if that is not known
     * @param batch the number of the batch
     */
    record SavedRow(UsageUnit unit, long number, UsageKey key, UsageCounts counts, String run, long batch) {
        UsageRow row() {
            return new UsageRow(
                    unit.word(), unit.firstHour(number), key.team(), key.backend(), key.tool(), counts.values());
        }
    }

    /** Nothing if there are no rows. */
    static byte[] write(Collection<UsagePeriod> hours, Collection<UsagePeriod> days) {
        if (hours.isEmpty() && days.isEmpty()) {
            return new byte[0];
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        write(file, Json.object().put("format", FORMAT));
        hours.forEach(hour -> write(file, UsageUnit.HOUR, hour));
        days.forEach(day -> write(file, UsageUnit.DAY, day));
        return file.toByteArray();
    }

    /** The same of batches that a cluster is to get. */
    static byte[] write(List<UsageBatch> batches) {
        if (batches.isEmpty()) {
            return new byte[0];
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        write(file, Json.object().put("format", FORMAT));
        batches.forEach(batch -> batch.rows().forEach(counted -> {
            UsageUnit unit = unit(counted.unit());
            UsageKey key = new UsageKey(counted.team(), counted.backend(), counted.tool());
            ObjectNode row = row(unit.start(unit.ofHour(counted.hour())), unit, key);
            UsageCounts.of(counted.counts()).write(row);
            write(file, row.put("run", batch.run()).put("batch", batch.number()));
        }));
        return file.toByteArray();
    }

    private static void write(ByteArrayOutputStream file, UsageUnit unit, UsagePeriod period) {
        Instant start = unit.start(period.number());
        period.forEach((key, counts) -> {
            ObjectNode row = row(start, unit, key);
            counts.write(row);
            write(file, row);
        });
    }

    private static ObjectNode row(Instant start, UsageUnit unit, UsageKey key) {
        return Json.object()
                .put("unit", unit.word())
                .put("time", start.toString())
                .put("team", key.team())
                .put("backend", key.backend())
                .put("tool", key.tool());
    }

    private static void write(ByteArrayOutputStream file, ObjectNode line) {
        file.writeBytes(Json.bytes(line));
        file.write('\n');
    }

    /**
     * The rows of {@link #write}.
     *
     * @throws IllegalArgumentException if these are none
     */
    static List<SavedRow> read(byte[] file) {
        List<String> lines = new String(file, StandardCharsets.UTF_8)
                .lines()
                .limit(MOST_ROWS + 1L)
                .toList();
        try {
            if (lines.isEmpty() || Json.parse(lines.getFirst()).path("format").asInt() != FORMAT) {
                throw new IllegalArgumentException("it has no format that is known here");
            }
            List<SavedRow> rows = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                rows.add(row(Json.parse(line)));
            }
            return rows;
        } catch (JsonProcessingException | DateTimeException e) {
            throw new IllegalArgumentException("it has a line that is no row", e);
        }
    }

    private static SavedRow row(JsonNode row) {
        UsageUnit unit = unit(text(row, "unit"));
        return new SavedRow(
                unit,
                unit.of(Instant.parse(text(row, "time"))),
                new UsageKey(text(row, "team"), text(row, "backend"), text(row, "tool")),
                UsageCounts.read(row),
                row.path("run").asText(),
                row.path("batch").asLong());
    }

    private static UsageUnit unit(String word) {
        return word.equals(UsageUnit.HOUR.word()) ? UsageUnit.HOUR : UsageUnit.DAY;
    }

    private static String text(JsonNode row, String field) {
        String text = row.path(field).textValue();
        if (text == null) {
            throw new IllegalArgumentException("a row without \"" + field + "\"");
        }
        return text;
    }
}
