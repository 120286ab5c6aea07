package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.ObservedFiles;

/** The folders of namespaces: what is on the disk when one was made or removed, and what a crash leaves. */
class NamespaceCatalogTest {
    private static final Namespace BOOKS = Namespace.of("books");
    private static final Namespace LETTERS = Namespace.of("letters");

    @TempDir
    Path temp;

    private final ObservedFiles files = new ObservedFiles();
    private Path spaces;

    @BeforeEach
    void folder() throws IOException {
        spaces = Files.createDirectories(temp.resolve("spaces"));
    }

    private NamespaceCatalog open() throws IOException {
        return NamespaceCatalog.open(files.path(spaces), path -> FSDirectory.open(Path.of(path.toString())));
    }

    private Path home(Namespace namespace) {
        return spaces.resolve(NamespaceCatalog.folderName(namespace));
    }

    @Test
    void aNamespaceIsOnTheDiskWhenItIsMade() throws IOException {
        NamespaceCatalog catalog = open();
        NamespaceIndex made = catalog.make(BOOKS);
        assertEquals(made, catalog.make(BOOKS));
        assertTrue(Files.exists(home(BOOKS).resolve(NamespaceCatalog.NAME_FILE)));
        List<Path> forced = files.forced();
        assertEquals(NamespaceCatalog.NAME_FILE, forced.getFirst().getFileName().toString());
        assertEquals(spaces, forced.getLast(), "the folder that has its name comes last");
        assertEquals(List.of(BOOKS), open().namespaces());
    }

    @Test
    void aNamespaceIsGoneFromTheDiskWhenItIsDropped() throws IOException {
        NamespaceCatalog catalog = open();
        catalog.make(BOOKS);
        catalog.make(LETTERS);
        int before = files.forced().size();
        assertTrue(catalog.drop(BOOKS, DocumentAccess.EVERYTHING));
        assertEquals(
                List.of(spaces), files.forced().subList(before, files.forced().size()));
        assertFalse(catalog.drop(BOOKS, DocumentAccess.EVERYTHING));
        assertEquals(Optional.empty(), catalog.find(BOOKS));
        assertFalse(Files.exists(home(BOOKS)));
        assertEquals(List.of(LETTERS), open().namespaces());
        catalog.make(BOOKS);
        assertEquals(List.of(BOOKS, LETTERS), open().namespaces());
    }

    @Test
    void whatACrashLeftHalfMadeOrHalfRemovedGoesAtTheNextStart() throws IOException {
        open().make(BOOKS);
        Path made = Files.createDirectories(spaces.resolve(".new-1"));
        Path removed = Files.createDirectories(spaces.resolve(".gone-2").resolve("index"));
        Files.writeString(made.resolve(NamespaceCatalog.NAME_FILE), "{\"owner\":\"\",\"name\":\"half\"}");
        Files.writeString(removed.resolve("_0.cfs"), "x");
        Path foreign = Files.createDirectories(spaces.resolve("lost+found"));
        NamespaceCatalog catalog = open();
        assertEquals(List.of(BOOKS), catalog.namespaces());
        assertEquals(List.of(), catalog.damaged());
        assertFalse(Files.exists(made));
        assertFalse(Files.exists(removed.getParent()));
        assertTrue(Files.exists(foreign), "what is not the store's is left");
    }
}
