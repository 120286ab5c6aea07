package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;

/** All that the Lucene files of a store have: each document that is not deleted with its stored fields, values, terms and vectors. */
public final class IndexContents {
    private IndexContents() {}

    /**
     * Those of each namespace of the store in {@code folder}, by the name of its folder, in an order that is the same for
     * equal files. Folders that are being removed are left out: their names begin with a dot, or they get such a name
     * while they are read.
     */
    public static Map<String, List<String>> of(Path folder) {
        Map<String, List<String>> all = new TreeMap<>();
        try (Stream<Path> spaces = Files.list(folder.resolve("spaces"))) {
            for (Path space : spaces.filter(IndexContents::isNamespace).toList()) {
                contents(space)
                        .ifPresent(contents -> all.put(space.getFileName().toString(), contents));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static boolean isNamespace(Path space) {
        return Files.isDirectory(space) && !space.getFileName().toString().startsWith(".");
    }

    private static Optional<List<String>> contents(Path space) throws IOException {
        Path index = space.resolve("index");
        if (!Files.isDirectory(index)) { // Lucene would create it
            assertFalse(Files.exists(space), () -> space + " has no index");
            return Optional.empty();
        }
        try {
            return Optional.of(read(index));
        } catch (NoSuchFileException | IndexNotFoundException failure) {
            if (Files.exists(space)) {
                throw failure;
            }
            return Optional.empty();
        }
    }

    private static List<String> read(Path index) throws IOException {
        List<String> documents = new ArrayList<>();
        try (Directory directory = new NIOFSDirectory(index);
                DirectoryReader reader = DirectoryReader.open(directory)) {
            for (LeafReaderContext leaf : reader.leaves()) {
                documents.addAll(read(leaf.reader()));
            }
        }
        documents.sort(null);
        return documents;
    }

    private static List<String> read(LeafReader leaf) throws IOException {
        List<TreeSet<String>> parts =
                Stream.generate(TreeSet<String>::new).limit(leaf.maxDoc()).toList();
        for (FieldInfo field : leaf.getFieldInfos()) {
            terms(leaf, field.name, parts);
            values(leaf, field, parts);
            vectors(leaf, field, parts);
        }
        List<String> documents = new ArrayList<>();
        for (int number = 0; number < leaf.maxDoc(); number++) {
            if (leaf.getLiveDocs() == null || leaf.getLiveDocs().get(number)) {
                TreeSet<String> document = parts.get(number);
                leaf.storedFields().document(number).forEach(field -> document.add(stored(field)));
                documents.add(document.toString());
            }
        }
        return documents;
    }

    private static String stored(IndexableField field) {
        return "stored " + field.name() + "="
                + (field.binaryValue() == null
                        ? field.stringValue()
                        : field.binaryValue().utf8ToString());
    }

    private static void terms(LeafReader leaf, String field, List<TreeSet<String>> parts) throws IOException {
        if (leaf.terms(field) == null) {
            return;
        }
        TermsEnum terms = leaf.terms(field).iterator();
        while (terms.next() != null) {
            String name = "term " + field + "=" + terms.term();
            PostingsEnum postings = terms.postings(null, PostingsEnum.FREQS);
            for (int number = postings.nextDoc();
                    number != DocIdSetIterator.NO_MORE_DOCS;
                    number = postings.nextDoc()) {
                parts.get(number).add(name + " x " + postings.freq());
            }
        }
    }

    private interface ValueAt {
        Object at(int number) throws IOException;
    }

    private static void values(LeafReader leaf, FieldInfo field, List<TreeSet<String>> parts) throws IOException {
        String name = field.name;
        switch (field.getDocValuesType()) {
            case NUMERIC -> {
                var values = leaf.getNumericDocValues(name);
                each(values, name, parts, _ -> values.longValue());
            }
            case SORTED -> {
                var values = leaf.getSortedDocValues(name);
                each(values, name, parts, _ -> values.lookupOrd(values.ordValue()));
            }
            case BINARY -> {
                var values = leaf.getBinaryDocValues(name);
                each(values, name, parts, _ -> values.binaryValue());
            }
            case NONE -> {}
            default -> throw new AssertionError(name + " has values that are not compared");
        }
    }

    private static void vectors(LeafReader leaf, FieldInfo field, List<TreeSet<String>> parts) throws IOException {
        if (field.getVectorDimension() > 0) {
            FloatVectorValues values = leaf.getFloatVectorValues(field.name);
            KnnVectorValues.DocIndexIterator all = values.iterator();
            each(all, field.name, parts, _ -> Arrays.toString(values.vectorValue(all.index())));
        }
    }

    private static void each(DocIdSetIterator all, String name, List<TreeSet<String>> parts, ValueAt value)
            throws IOException {
        for (int number = all.nextDoc(); number != DocIdSetIterator.NO_MORE_DOCS; number = all.nextDoc()) {
            parts.get(number).add("value " + name + "=" + value.at(number));
        }
    }
}
