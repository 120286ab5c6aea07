package switchboard.replica;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.cluster.DocumentTables;
import switchboard.store.DocumentDigest;
import switchboard.store.DocumentForm;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;

/**
 * Copies all documents of a backend from a data folder into the shared database, or back, as they are. What is there already is not
 * copied again, so a later run continues where one was stopped. Nothing is removed. Blocks: call it on the thread of a command.
 */
public final class StoreMove {
    /** So many documents are named in a message. */
    private static final int NAMED = 5;

    private final MovedDocuments source;
    private final MovedDocuments target;
    private final MoveListener listener;

    private StoreMove(MovedDocuments source, MovedDocuments target, MoveListener listener) {
        this.source = source;
        this.target = target;
        this.listener = listener;
    }

    /** Follows a move. */
    public interface MoveListener {
        /** Called often. May throw, which ends the move. */
        void check();

        /** {@code done} documents were compared with the target. */
        void compared(long done, Namespace library);

        /** {@code done} of {@code total} documents are in the target. */
        void moved(long done, long total, Namespace library);
    }

    /**
     * What became of a library: its documents are in the target.
     *
     * @param documents how many there are in the source
     * @param chunks their chunks
     * @param copied how many of them were copied
     * @param kept how many the target had with the same contents and another id
     * @param others how many documents the target has besides
     * @param digest SHA-256 of the contents of all documents of the source, and of the same ones in the target
     */
    public record MovedLibrary(
            Namespace library, long documents, long chunks, long copied, long kept, long others, String digest) {}

    /** Moves into the database. {@code local} is only read. */
    public static List<MovedLibrary> toCluster(
            LuceneDocumentStore local, DocumentTables tables, String backend, MoveListener listener) {
        return new StoreMove(new LocalDocuments(local), new SharedDocuments(tables, backend), listener).run();
    }

    /** Moves out of the database, which is only read. */
    public static List<MovedLibrary> toLocal(
            DocumentTables tables, String backend, LuceneDocumentStore local, MoveListener listener) {
        return new StoreMove(new SharedDocuments(tables, backend), new LocalDocuments(local), listener).run();
    }

    /**
     * Moves.
     *
     * @throws ToolException if the target has other documents of the same sources, before anything is copied; or if they are not the
     *     same at the end
     */
    private List<MovedLibrary> run() {
        List<Namespace> libraries = source.libraries();
        libraries.forEach(target::check);
        long total = compare(libraries);
        List<MovedLibrary> moved = new ArrayList<>();
        long before = 0;
        for (Namespace library : libraries) {
            MovedLibrary one = new LibraryMove(library, before, total).run();
            before += one.documents();
            moved.add(one);
        }
        return moved;
    }

    /** Looks for documents that differ; returns how many the source has. */
    private long compare(List<Namespace> libraries) {
        long[] done = {0};
        List<String> differing = new ArrayList<>();
        for (Namespace library : libraries) {
            Map<String, DocumentDigest> there = digests(target, library);
            source.each(
                    library,
                    forms -> forms.forEach(form -> {
                        String name = sourceOf(library, form);
                        DocumentDigest other = there.get(name);
                        if (other != null
                                && !other.content()
                                        .equals(DocumentDigest.of(form).content())) {
                            differing.add(name + " in " + library.name());
                        }
                        listener.check();
                        listener.compared(++done[0], library);
                    }));
        }
        if (!differing.isEmpty()) {
            throw conflict(
                    "The target has other contents of " + named(differing)
                            + ". Nothing was copied. Remove these documents from the side that is wrong, and run the command again.");
        }
        return done[0];
    }

    private static String sourceOf(Namespace library, DocumentForm form) {
        return DocumentForm.document(library, form.facts()).source();
    }

    private Map<String, DocumentDigest> digests(MovedDocuments side, Namespace library) {
        Map<String, DocumentDigest> digests = new HashMap<>();
        side.each(library, forms -> {
            listener.check();
            forms.forEach(form -> digests.put(sourceOf(library, form), DocumentDigest.of(form)));
        });
        return digests;
    }

    private static String named(List<String> documents) {
        String some = String.join(", ", documents.subList(0, Math.min(NAMED, documents.size())));
        return documents.size()
                + (documents.size() == 1 ? " document: " : " documents: ")
                + some
                + (documents.size() > NAMED ? " ..." : "");
    }

    private static ToolException conflict(String message) {
        return new ToolException(FailureKind.CONFLICT, message);
    }

    /** One library. */
    private final class LibraryMove {
        private final Namespace library;
        private final long total;
        private final Map<String, DocumentDigest> expected = new TreeMap<>();
        private final Set<String> copied = new HashSet<>();
        private long done;

        LibraryMove(Namespace library, long before, long total) {
            this.library = library;
            this.done = before;
            this.total = total;
        }

        MovedLibrary run() {
            String version = source.version(library);
            Set<String> there = digests(target, library).keySet();
            source.each(library, forms -> copy(forms, there));
            target.added(library);
            MovedLibrary moved = verified();
            if (!source.version(library).equals(version)) {
                throw conflict(library.name() + " was changed during the move, so the copy may lack the changes."
                        + " Stop the gateways that change it, and run the command again.");
            }
            return moved;
        }

        private void copy(List<DocumentForm> forms, Set<String> there) {
            listener.check();
            List<DocumentForm> missing = new ArrayList<>();
            for (DocumentForm form : forms) {
                String name = sourceOf(library, form);
                expected.put(name, DocumentDigest.of(form));
                if (!there.contains(name)) {
                    missing.add(form);
                    copied.add(name);
                }
            }
            if (!missing.isEmpty()) {
                target.add(library, missing);
            }
            done += forms.size();
            listener.moved(done, Math.max(done, total), library);
        }

        /** Reads everything again. */
        private MovedLibrary verified() {
            Map<String, DocumentDigest> actual = digests(target, library);
            List<String> wrong = new ArrayList<>();
            long[] counts = {0, 0};
            expected.forEach((name, digest) -> {
                DocumentDigest other = actual.get(name);
                if (other == null || !same(name, digest, other)) {
                    wrong.add(name);
                } else {
                    counts[0] += other.chunks();
                    counts[1] += other.exact().equals(digest.exact()) ? 0 : 1;
                }
            });
            if (!wrong.isEmpty()) {
                throw conflict("After the move, the target lacks or has otherwise in " + library.name() + " "
                        + named(wrong) + ". Stop the gateways that change it, and run the command again.");
            }
            long others = actual.keySet().stream()
                    .filter(name -> !expected.containsKey(name))
                    .count();
            return new MovedLibrary(
                    library,
                    expected.size(),
                    counts[0],
                    copied.size(),
                    counts[1],
                    others,
                    DocumentDigest.ofAll(expected.values()));
        }

        private boolean same(String name, DocumentDigest digest, DocumentDigest other) {
            return copied.contains(name)
                    ? other.equals(digest)
                    : other.content().equals(digest.content()) && other.chunks() == digest.chunks();
        }
    }
}
