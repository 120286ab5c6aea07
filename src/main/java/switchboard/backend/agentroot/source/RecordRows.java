package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.source.DocumentProvider.Scan;
import switchboard.backend.agentroot.source.DocumentProvider.Skipped;
import switchboard.text.SurrogatePairs;

/** The records of a file or table, as documents. Their texts are kept in memory while an update runs, up to a limit. */
final class RecordRows {
    /** Maximum length of all texts of one update. */
    private static final long MAX_CHARS = 256L << 20;

    private static final int MAX_PATH = 500;

    private final int maxDocuments;
    private final int maxRecords;
    private final int maxBytes;
    private final List<RowDocument> sourceDocuments = new ArrayList<>();
    private final Set<String> paths = new HashSet<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private long chars;
    private int records;
    private boolean complete = true;

    RecordRows(CollectionLimits limits) {
        this.maxDocuments = limits.documents();
        this.maxRecords = limits.records();
        this.maxBytes = limits.fileBytes();
    }

    /**
     * A record.
     *
     * @param name identifies it among its neighbours
     * @param title its title, or null
     * @param text its text
     * @param facts additional metadata
     * @param permission who may read it
     */
    record DataRecord(String name, @Nullable String title, String text, ObjectNode facts, SourcePermission permission) {
        /** The same for those only whom {@code more} permits, too. */
        DataRecord within(SourcePermission more) {
            return new DataRecord(name, title, text, facts, more.and(permission));
        }

        private long size() {
            long size = text.length();
            for (var fact : facts.properties()) {
                size += fact.getKey().length() + fact.getValue().asText().length();
            }
            return size;
        }
    }

    /** Adds a record with the path {@code path}; false if there is no room for more. */
    boolean add(String path, DataRecord row, @Nullable Instant modified) {
        if (++records > maxRecords) {
            skip(
                    addressable(path),
                    "and all after it: no more than " + maxRecords + " records are read",
                    row.permission());
            complete = false;
            return false;
        }
        if (row.text().isBlank()) {
            return true;
        }
        String shown = addressable(path);
        byte[] bytes = row.text().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > maxBytes) {
            skip(shown, "is larger than the limit of " + maxBytes + " bytes", row.permission());
            return true;
        }
        if (!paths.add(shown)) {
            skip(shown, "has the same name as an earlier record", row.permission());
            return true;
        }
        long size = row.size();
        if (sourceDocuments.size() >= maxDocuments || chars + size > MAX_CHARS) {
            skip(
                    shown,
                    "and all after it: there is no room for more than " + maxDocuments + " records or " + MAX_CHARS
                            + " characters; make several collections of it",
                    row.permission());
            complete = false;
            return false;
        }
        chars += size;
        sourceDocuments.add(new RowDocument(
                shown,
                new SourceDocument.RawContent(bytes, shown + ".txt", null, row.title(), null, modified, row.facts())
                        .with(row.permission())));
        return true;
    }

    /** A path that {@code get} finds again: without empty parts, dots and control characters. */
    private static String addressable(String path) {
        StringBuilder clean = new StringBuilder();
        for (String part : path.split("/")) {
            String plain = part.replaceAll("\\p{Cntrl}", " ").strip();
            if (plain.isEmpty() || plain.equals(".") || plain.equals("..")) {
                plain = "_";
            }
            clean.append(clean.isEmpty() ? "" : "/").append(plain);
        }
        return clean.length() <= MAX_PATH
                ? clean.toString()
                : SurrogatePairs.start(clean.toString(), MAX_PATH).strip();
    }

    /** Adds a record that can't be used, or a file of records. */
    void skip(String path, String reason, SourcePermission permission) {
        skipped.add(new Skipped(path, reason, permission));
    }

    /** Records that something may exist that is missing here. */
    void incomplete() {
        complete = false;
    }

    /** The result. */
    Scan scan() {
        return within(SourcePermission.NONE);
    }

    /** The result, for those only whom {@code more} permits, too. */
    Scan within(SourcePermission more) {
        return new Scan(
                sourceDocuments.stream()
                        .<SourceDocument>map(row -> row.within(more))
                        .toList(),
                skipped.stream().map(one -> one.within(more)).toList(),
                complete);
    }

    private record RowDocument(String path, RawContent content) implements SourceDocument {
        RowDocument within(SourcePermission more) {
            return new RowDocument(path, content.with(content.permission().and(more)));
        }

        @Override
        public Future<SourcePermission> permission() {
            return Future.succeededFuture(content.permission());
        }

        @Override
        public Future<RawContent> load() {
            return Future.succeededFuture(content);
        }
    }
}
