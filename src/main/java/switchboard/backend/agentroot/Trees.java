package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import switchboard.store.DocumentFacts;
import switchboard.store.DocumentStore;
import switchboard.store.Space;

/**
 * The folders of collections, told from their documents. Counting walks the facts of all documents of a collection
 * once; the outcome is kept until the collection changes, a few numbers and words for each folder.
 */
final class Trees {
    private static final int MAX_CONCEPTS = 20;
    private static final int MAX_WORDS = 500;
    private static final String EXTENSION = "file_type";
    private static final String TITLE = "title";
    private static final String LANGUAGE = Facets.field("language");
    private static final String CONCEPTS = Facets.field("concepts");

    private final Supplier<DocumentStore> store;
    private final ConcurrentHashMap<Space, Future<TreeMap<String, Folder>>> known = new ConcurrentHashMap<>();

    Trees(Supplier<DocumentStore> store) {
        this.store = store;
    }

    /** What is known of a folder. Written while it is made, only read afterwards. */
    static final class Folder {
        private int files;
        private int children;
        private final Map<String, Integer> extensions = new TreeMap<>();
        private final Map<String, Integer> languages = new TreeMap<>();
        private final TreeMap<String, Integer> concepts = new TreeMap<>();
        private final TreeSet<String> words = new TreeSet<>();

        /** Files directly in it. */
        int files() {
            return files;
        }

        /** Folders directly in it. */
        int children() {
            return children;
        }

        /** The commonest language of its files; where none is known, the commonest extension. */
        String dominantLanguage() {
            return commonest(languages.isEmpty() ? extensions : languages).stream()
                    .findFirst()
                    .orElse("");
        }

        /** The languages of its files, commonest first. */
        List<String> languages() {
            return commonest(languages);
        }

        /** What its files are about, in alphabetical order, at most twenty: the commonest. */
        List<String> concepts() {
            return commonest(concepts).stream().limit(MAX_CONCEPTS).sorted().toList();
        }

        /** Words of its files' titles and names, the first of them in a large folder. */
        TreeSet<String> words() {
            return words;
        }

        private static List<String> commonest(Map<String, Integer> counts) {
            return counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey)
                    .toList();
        }

        private void add(DocumentFacts document) {
            files++;
            extensions.merge(document.one(EXTENSION), 1, Integer::sum);
            String language = document.one(LANGUAGE);
            if (!language.isEmpty()) {
                languages.merge(language, 1, Integer::sum);
            }
            document.all(CONCEPTS).forEach(concept -> concepts.merge(concept, 1, Integer::sum));
            if (words.size() < MAX_WORDS) {
                words.addAll(DirectoryTools.words(document.one(TITLE)));
                words.addAll(DirectoryTools.words(
                        document.source().substring(document.source().lastIndexOf('/') + 1)));
            }
        }
    }

    /** The folders of a collection by path; the top is {@code ""} and there if there is any document. */
    Future<TreeMap<String, Folder>> of(Space space) {
        Future<TreeMap<String, Folder>> tree = known.computeIfAbsent(space, this::read);
        return tree.onFailure(_ -> known.remove(space, tree));
    }

    /** Forgets what was told of a collection. */
    void changed(Space space) {
        known.remove(space);
    }

    private Future<TreeMap<String, Folder>> read(Space space) {
        TreeMap<String, Folder> tree = new TreeMap<>();
        return store.get()
                .facts(space, Set.of(EXTENSION, TITLE, LANGUAGE, CONCEPTS), document -> folder(
                                Facets.directory(document.source()), tree)
                        .add(document))
                .map(_ -> tree);
    }

    /** The folder of that path; it and those above are made where missing. */
    private static Folder folder(String path, TreeMap<String, Folder> tree) {
        Folder known = tree.get(path);
        if (known != null) {
            return known;
        }
        Folder made = new Folder();
        tree.put(path, made);
        if (!path.isEmpty()) {
            folder(Facets.directory(path), tree).children++;
        }
        return made;
    }
}
