package switchboard.replica;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
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

        /** Something that an operator should look at. The move goes on. */
        void warned(String message);
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
            Namespace library, long documents, long chunks, long copied, long kept, long others, String digest) {
        /** The library's name for people, with its owner. */
        public String name() {
            return MovedNames.of(library);
        }
    }

    /** Moves into the database. Documents of {@code local} are only read. */
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
        SortedMap<Namespace, String> versions = source.versions();
        Set<Namespace> libraries = versions.keySet();
        libraries.forEach(target::check);
        long total = compare(libraries);
        List<MovedLibrary> moved = new ArrayList<>();
        long before = 0;
        for (Namespace library : libraries) {
            MovedLibrary one = new LibraryMove(library, before, total).run();
            before += one.documents();
            moved.add(one);
            unchanged(versions);
        }
        unchanged(versions);
        besides(
                "libraries",
                target.versions().keySet().stream()
                        .filter(library -> !libraries.contains(library))
                        .map(MovedNames::of)
                        .toList());
        return moved;
    }

    /** Fails if any library of the source was changed, made or dropped. */
    private void unchanged(SortedMap<Namespace, String> versions) {
        SortedMap<Namespace, String> now = source.versions();
        Set<Namespace> all = new TreeSet<>(versions.keySet());
        all.addAll(now.keySet());
        List<String> changed = all.stream()
                .filter(library -> !Objects.equals(versions.get(library), now.get(library)))
                .map(MovedNames::of)
                .toList();
        if (!changed.isEmpty()) {
            throw conflict(MovedNames.some(changed) + (changed.size() == 1 ? " was" : " were")
                    + " changed during the move, so the copy may differ. Stop the gateways, and move again. "
                    + target.remedy());
        }
    }

    /** Tells what only the target has: it may have been removed from the source since an earlier run. */
    private void besides(String what, List<String> names) {
        if (!names.isEmpty()) {
            listener.warned("Only the target has these " + what + ", and they stay: " + MovedNames.some(names)
                    + ". If they were removed from the source after an earlier run, remove them there too.");
        }
    }

    /** Looks for documents that differ; returns how many the source has. */
    private long compare(Set<Namespace> libraries) {
        long[] done = {0};
        Differences differences = new Differences();
        for (Namespace library : libraries) {
            Map<String, DocumentDigest> there = digests(target, library);
            source.each(
                    library,
                    forms -> forms.forEach(form -> {
                        target.check(library, form);
                        String name = sourceOf(library, form);
                        DocumentDigest other = there.get(name);
                        if (other != null) {
                            differences.add(MovedNames.of(library, name), DocumentDigest.of(form), other);
                        }
                        listener.check();
                        listener.compared(++done[0], library);
                    }));
        }
        differences.check(target.remedy());
        return done[0];
    }

    /** Documents that both sides have, but not the same. */
    private static final class Differences {
        private final List<String> contents = new ArrayList<>();
        private final List<String> models = new ArrayList<>();
        private final List<String> vectors = new ArrayList<>();

        void add(String name, DocumentDigest here, DocumentDigest there) {
            if (!there.words().equals(here.words())) {
                contents.add(name);
            } else if (!there.content().equals(here.content())) {
                models.add(name);
            } else if (!same(here, there)) {
                vectors.add(name);
            }
        }

        void check(String remedy) {
            if (!contents.isEmpty()) {
                throw conflict(
                        "The target has other contents of " + named(contents) + ". Nothing was copied. " + remedy);
            }
            if (!models.isEmpty()) {
                throw conflict("The target has vectors of another model of " + named(models)
                        + ". Nothing was copied. Run `switchboard reindex` on one side, with the model of the other.");
            }
            if (!vectors.isEmpty()) {
                throw conflict("The target has other vectors of the same model of " + named(vectors)
                        + ", which an earlier run has copied. Nothing was copied. " + remedy);
            }
        }
    }

    /** What was copied is the same in all; of what each side has got by itself, what it says is. */
    private static boolean same(DocumentDigest here, DocumentDigest there) {
        return here.id().equals(there.id())
                ? here.equals(there)
                : here.content().equals(there.content()) && here.chunks() == there.chunks();
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
        return documents.size() + (documents.size() == 1 ? " document: " : " documents: ") + MovedNames.some(documents);
    }

    private static ToolException conflict(String message) {
        return new ToolException(FailureKind.CONFLICT, message);
    }

    /** One library. */
    private final class LibraryMove {
        private final Namespace library;
        private final long total;
        private final Map<String, DocumentDigest> expected = new TreeMap<>();
        private long copied;
        private long done;

        LibraryMove(Namespace library, long before, long total) {
            this.library = library;
            this.done = before;
            this.total = total;
        }

        MovedLibrary run() {
            Set<String> there = Set.copyOf(digests(target, library).keySet());
            source.each(library, forms -> copy(forms, there));
            target.added(library);
            return verified();
        }

        private void copy(List<DocumentForm> forms, Set<String> there) {
            listener.check();
            List<DocumentForm> missing = new ArrayList<>();
            for (DocumentForm form : forms) {
                String name = sourceOf(library, form);
                expected.put(name, DocumentDigest.of(form));
                if (!there.contains(name)) {
                    missing.add(form);
                    copied++;
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
                if (other == null || !same(digest, other)) {
                    wrong.add(MovedNames.shown(name));
                } else {
                    counts[0] += other.chunks();
                    counts[1] += other.exact().equals(digest.exact()) ? 0 : 1;
                }
            });
            if (!wrong.isEmpty()) {
                throw conflict("After the move, the target lacks or has otherwise in " + MovedNames.of(library) + " "
                        + named(wrong) + ". Stop the gateways that change it, and run the command again.");
            }
            List<String> others = actual.keySet().stream()
                    .filter(name -> !expected.containsKey(name))
                    .sorted()
                    .toList();
            besides(
                    "%d documents".formatted(others.size()),
                    others.stream().map(name -> MovedNames.of(library, name)).toList());
            return new MovedLibrary(
                    library,
                    expected.size(),
                    counts[0],
                    copied,
                    counts[1],
                    others.size(),
                    DocumentDigest.ofAll(expected.values()));
        }
    }
}
