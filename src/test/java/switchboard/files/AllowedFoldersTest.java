package switchboard.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.files.AllowedFolders.LocatedPath;

class AllowedFoldersTest {
    @TempDir
    private Path temporary;

    private Path open;
    private Path secret;
    private AllowedFolders folders;

    @BeforeEach
    void makeFolders() throws IOException {
        Path home = temporary.toRealPath();
        open = Files.createDirectories(home.resolve("open"));
        secret = Files.writeString(home.resolve("secret.md"), "secret");
        Files.writeString(open.resolve("a.md"), "a");
        folders = new AllowedFolders(List.of(home.resolve("later"), open));
    }

    @Test
    void aNameIsAbsoluteOrRelativeToAnyFolder() throws IOException {
        LocatedPath inside = new LocatedPath.Inside(open.resolve("a.md"));
        assertEquals(inside, folders.locate("a.md"));
        assertEquals(inside, folders.locate(open.resolve("x/../a.md").toString()));
        assertEquals(new LocatedPath.Inside(open), folders.locate(open.toString()));
        assertEquals(Optional.of(open), folders.rootOf(open.resolve("a.md")));
    }

    @Test
    void whatIsMissingIsToldFromWhatIsOutside() throws IOException {
        assertEquals(new LocatedPath.Missing(), folders.locate("b.md"));
        assertEquals(new LocatedPath.Outside(), folders.locate("../secret.md"));
        assertEquals(new LocatedPath.Outside(), folders.locate(secret.toString()));
        assertEquals(new LocatedPath.Outside(), folders.locate(open + "-other/a.md"));
        assertEquals(Optional.empty(), folders.rootOf(secret));
    }

    @Test
    void aLinkCountsAsWhatItLeadsTo() throws IOException {
        Files.createSymbolicLink(open.resolve("out.md"), secret);
        Files.createSymbolicLink(open.resolve("in.md"), open.resolve("a.md"));
        assertEquals(new LocatedPath.Outside(), folders.locate("out.md"));
        assertEquals(new LocatedPath.Inside(open.resolve("a.md")), folders.locate("in.md"));
        assertFalse(folders.holds(open.resolve("out.md")));
        assertTrue(folders.holds(open.resolve("in.md")));
    }

    @Test
    void aFolderMayBeALinkItself() throws IOException {
        Path link = Files.createSymbolicLink(open.resolveSibling("link"), open);
        AllowedFolders linked = new AllowedFolders(List.of(link));
        assertEquals(
                new LocatedPath.Inside(open.resolve("a.md")),
                linked.locate(link.resolve("a.md").toString()));
        assertEquals(
                new LocatedPath.Inside(open.resolve("a.md")),
                linked.locate(open.resolve("a.md").toString()));
        assertEquals(Optional.of(open), linked.rootOf(open.resolve("a.md")));
    }

    @Test
    void aLinkInACircleIsAFailureUnlessAnotherFolderHasTheName() throws IOException {
        Path other = Files.createDirectories(open.resolveSibling("other"));
        Files.createSymbolicLink(open.resolve("loop.md"), open.resolve("loop.md"));
        assertInstanceOf(LocatedPath.Unreadable.class, folders.locate("loop.md"));
        Files.writeString(other.resolve("loop.md"), "found");
        assertEquals(
                new LocatedPath.Inside(other.resolve("loop.md")),
                new AllowedFolders(List.of(open, other)).locate("loop.md"));
    }

    @Test
    void aNameThatNoFileCanHaveSaysWhy() {
        assertInstanceOf(LocatedPath.NoPath.class, folders.locate("a\0.md"));
    }

    @Test
    void withoutFoldersEverythingIsOutside() throws IOException {
        AllowedFolders none = new AllowedFolders(List.of());
        assertTrue(none.isEmpty());
        assertEquals(new LocatedPath.Outside(), none.locate("a.md"));
        assertFalse(none.holds(open));
    }
}
