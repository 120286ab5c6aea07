package switchboard.store;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.jspecify.annotations.Nullable;
import switchboard.store.NamespaceIndex.Counts;

/**
 * The user data of a Lucene commit: counts and versions that are known without reading the index.
 *
 * @param counts the number of documents and chunks
 * @param changed when callers last changed the namespace; null if that was not recorded
 * @param analysis the version of {@link TextAnalysis} that all its documents have
 * @param restricted whether it may have documents that not everyone may read. Unless the commit says that it has none, as those
 *     of earlier versions don't
 * @param followed how far its files follow a library in a shared database; null if they are its own, or were changed besides
 */
record CommitUserData(
        Counts counts,
        @Nullable Instant changed,
        String analysis,
        boolean restricted,
        @Nullable ReplicaPosition followed) {
    private static final String DOCUMENTS = "documents";
    private static final String CHUNKS = "chunks";
    private static final String CHANGED = "changed";
    private static final String ANALYSIS = "analysis";
    private static final String RESTRICTED = "restricted";
    private static final String NO = "no";

    /** The version before commits said it. */
    private static final String FIRST_ANALYSIS = "1";

    /** Before the first commit. */
    static final CommitUserData NONE = new CommitUserData(Counts.NONE, null, TextAnalysis.VERSION, false);

    /** User data of files that follow nothing. */
    CommitUserData(Counts counts, @Nullable Instant changed, String analysis, boolean restricted) {
        this(counts, changed, analysis, restricted, null);
    }

    /** Reads the user data of a commit. */
    static CommitUserData of(Map<String, String> data) {
        String changed = data.get(CHANGED);
        return new CommitUserData(
                new Counts(
                        Long.parseLong(data.getOrDefault(DOCUMENTS, "0")),
                        Long.parseLong(data.getOrDefault(CHUNKS, "0"))),
                changed == null ? null : Instant.parse(changed),
                data.getOrDefault(ANALYSIS, FIRST_ANALYSIS),
                !NO.equals(data.get(RESTRICTED)),
                ReplicaPosition.of(data));
    }

    /** The user data for a commit. */
    Map<String, String> data() {
        Map<String, String> data = new HashMap<>(Map.of(
                DOCUMENTS,
                Long.toString(counts.documents()),
                CHUNKS,
                Long.toString(counts.chunks()),
                ANALYSIS,
                analysis,
                RESTRICTED,
                restricted ? "yes" : NO));
        if (changed != null) {
            data.put(CHANGED, changed.toString());
        }
        if (followed != null) {
            followed.write(data);
        }
        return data;
    }

    /** Whether all documents have the terms that this version would give them. */
    boolean analysed() {
        return analysis.equals(TextAnalysis.VERSION);
    }

    /** After changes by callers at {@code time}. */
    CommitUserData changed(Counts now, Instant time) {
        return new CommitUserData(now, time, analysis, restricted);
    }

    /** After changes that were followed up to {@code position}. */
    CommitUserData following(Counts now, ReplicaPosition position) {
        return new CommitUserData(now, position.changed(), analysis, restricted, position);
    }

    /** The same with or without documents that not everyone may read. */
    CommitUserData restricted(boolean some) {
        return new CommitUserData(counts, changed, analysis, some, followed);
    }

    /** The same with what the files of the commit say of restricted documents. */
    CommitUserData checked(DirectoryReader commit) {
        return restricted ? restricted(ReadableDocuments.restricted(commit)) : this;
    }

    /** After all documents were analysed by this version. */
    CommitUserData withAnalysis() {
        return new CommitUserData(counts, changed, TextAnalysis.VERSION, restricted, followed);
    }
}
