package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A gateway that lacks a part of what the others read deletes nothing of it. */
@Tag("engines")
class SharedFoldersTest extends AgentrootFixture {
    @RegisterExtension
    static final SharedNodes NODES = new SharedNodes();

    @Override
    SharedNodes nodes() {
        return NODES;
    }

    private static String counts(JsonNode report) {
        return report.path("removed").asInt() + " removed, "
                + report.path("unchanged").asInt() + " unchanged, "
                + report.path("added").asInt() + " added, complete "
                + report.path("complete").asBoolean() + ", skipped "
                + texts(report.path("skipped"), "path");
    }

    /** As if what is mounted at a folder in the collection's were not. */
    @Test
    void aFolderWithNothingInItMayNotBeMounted() throws IOException {
        write("red/a.md", "heron of red");
        write("blue/b.md", "heron of blue");
        write("blue/deep/er/c.md", "heron of the deep");
        write("old/d.md", "heron of old");
        index("docs");
        Path away = temp.resolve("away");
        Files.move(folder.resolve("blue"), away);
        Files.createDirectory(folder.resolve("blue"));
        Files.delete(folder.resolve("old/d.md"));
        Files.delete(folder.resolve("old"));
        JsonNode unmounted = update("docs");
        assertEquals("1 removed, 1 unchanged, 0 added, complete true, skipped [blue]", counts(unmounted));
        assertTrue(
                unmounted.path("skipped").path(0).path("reason").asText().contains("as if it were not mounted"),
                unmounted::toString);
        ok("metadata_add", "{'docid':'docs/blue/b.md','metadata':{'author':'Ada'}}");
        Files.delete(folder.resolve("blue"));
        Files.move(away, folder.resolve("blue"));
        assertEquals("0 removed, 3 unchanged, 0 added, complete true, skipped []", counts(update("docs")));
        Files.delete(folder.resolve("blue/deep/er/c.md"));
        assertEquals("0 removed, 2 unchanged, 0 added, complete true, skipped [blue/deep/er]", counts(update("docs")));
        write("blue/deep/er/.keep", "");
        assertEquals("1 removed, 2 unchanged, 0 added, complete true, skipped []", counts(update("docs")));
    }

    /** The collection's own folder has an entry, and nothing of what the pattern takes. */
    @Test
    void aPatternOfOneFolderIsNoDifference() throws IOException {
        write("notes/a.md", "heron");
        index("docs", "notes/**");
        Files.delete(folder.resolve("notes/a.md"));
        assertEquals("0 removed, 0 unchanged, 0 added, complete true, skipped [notes]", counts(update("docs")));
        Files.delete(folder.resolve("notes"));
        assertEquals(
                "CONFLICT", call("collection_update", "{'name':'docs'}").errorKind(), "now the top has nothing in it");
        write("other.txt", "x");
        assertEquals("1 removed, 0 unchanged, 0 added, complete true, skipped []", counts(update("docs")));
    }

    @Test
    void recordsOfAFileInAFolderThatIsNotMountedStay() throws IOException {
        write("tables/rows.csv", "id,content\n1,heron\n2,egret\n");
        write("other.csv", "id,content\n1,rail\n");
        ok("collection_add", "{'name':'rows','path':'" + folder + "','provider':'csv','config':{'id_column':'id'}}");
        assertEquals(3, update("rows").path("added").asInt());
        Files.delete(folder.resolve("tables/rows.csv"));
        assertEquals("0 removed, 1 unchanged, 0 added, complete true, skipped [tables]", counts(update("rows")));
        Files.delete(folder.resolve("tables"));
        assertEquals("2 removed, 1 unchanged, 0 added, complete true, skipped []", counts(update("rows")));
    }

    @Test
    void aLinkThatLeadsNowhereDeletesNothing() throws IOException {
        Path kb = Files.createDirectory(folder.resolve("kb"));
        write("volume/sub/a.md", "heron of the volume");
        write("kb/v1.md", "heron one");
        Files.createSymbolicLink(kb.resolve("vol"), folder.resolve("volume"));
        Files.createSymbolicLink(kb.resolve("one.md"), folder.resolve("volume/sub/a.md"));
        Files.createSymbolicLink(kb.resolve("latest.md"), Path.of("v1.md"));
        ok("collection_add", "{'name':'docs','path':'" + kb + "','pattern':'**/*.md'}");
        assertEquals(4, update("docs").path("added").asInt());
        Path away = Files.move(folder.resolve("volume"), temp.resolve("away"));
        JsonNode without = update("docs");
        assertEquals("0 removed, 2 unchanged, 0 added, complete true, skipped [one.md, vol]", counts(without));
        assertEquals(
                List.of("docs/one.md", "docs/vol/sub/a.md"),
                found("search", "volume").stream().sorted().toList());
        Files.move(away, folder.resolve("volume"));
        assertEquals("0 removed, 4 unchanged, 0 added, complete true, skipped []", counts(update("docs")));
        Files.delete(kb.resolve("v1.md"));
        assertEquals("2 removed, 2 unchanged, 0 added, complete true, skipped []", counts(update("docs")));
    }

    @Test
    void loopsOfLinksAreNothing() throws IOException {
        write("a/real.md", "heron");
        Files.createSymbolicLink(folder.resolve("a/self.md"), folder.resolve("a/self.md"));
        Files.createSymbolicLink(folder.resolve("a/one"), Path.of("two"));
        Files.createSymbolicLink(folder.resolve("a/two"), Path.of("../a/one"));
        Files.createSymbolicLink(folder.resolve("a/through"), Path.of("one/further"));
        Files.createSymbolicLink(folder.resolve("a/up"), folder);
        ok("collection_add", "{'name':'docs','path':'" + folder + "','pattern':'a/*.md'}");
        assertEquals("0 removed, 0 unchanged, 1 added, complete true, skipped []", counts(update("docs")));
        Files.delete(folder.resolve("a/self.md"));
        write("a/self.md", "no loop any more");
        assertEquals("0 removed, 1 unchanged, 1 added, complete true, skipped []", counts(update("docs")));
        Files.delete(folder.resolve("a/self.md"));
        Files.createSymbolicLink(folder.resolve("a/self.md"), Path.of("self.md"));
        assertEquals("1 removed, 1 unchanged, 0 added, complete true, skipped []", counts(update("docs")));
    }
}
