package switchboard.backend.agentroot.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;

/** Somebody swaps folders, files and links as fast as they can while the folder is gone through and read. */
@ExtendWith(VertxExtension.class)
class SwappedLinksTest {
    private static final String SECRET = "the secret of outside";
    private static final int ROUNDS = 1500;

    @TempDir
    Path disk;

    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger swaps = new AtomicInteger();
    private final ExecutorService attacker = Executors.newSingleThreadExecutor();
    private Path open;
    private Path outside;
    private Roots roots;
    private FileTree tree;

    @BeforeEach
    void files(Vertx vertx) throws IOException {
        Path real = disk.toRealPath();
        open = Files.createDirectories(real.resolve("open"));
        outside = Files.createDirectories(real.resolve("outside/deep")).getParent();
        for (String name : List.of("note.md", "only-outside.md", "deep/note.md", "deep/only-outside.md")) {
            Files.writeString(outside.resolve(name), SECRET);
        }
        Files.writeString(outside.resolve(".gitignore"), "*.txt");
        Files.createDirectories(open.resolve("sub/deep"));
        Files.createDirectories(open.resolve("spare"));
        for (String name : List.of("top.md", "sub/note.md", "sub/deep/note.md", "sub/kept.txt")) {
            Files.writeString(open.resolve(name), "inside");
        }
        roots = new Roots("docs", List.of(open), false);
        tree = new FileTree(
                roots,
                new BlockingExecutor(vertx, new SimpleMeterRegistry(), "files", 1, 10, TeamShare.ALL),
                new CollectionLimits(10_000, 1000));
    }

    @AfterEach
    void end() throws InterruptedException {
        stop.set(true);
        attacker.shutdown();
        assertTrue(attacker.awaitTermination(60, TimeUnit.SECONDS));
    }

    /** Puts a link to {@code target} in the place of {@code path} and takes it away again, for ever. */
    private Future<?> swap(Path path, Path target) {
        Path away = open.resolve("spare").resolve(path.getFileName() + ".away");
        return attacker.submit(() -> {
            try {
                Path link = Files.createSymbolicLink(open.resolve("spare/link"), target);
                while (!stop.get()) {
                    Files.move(path, away, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(link, path, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(path, link, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(away, path, StandardCopyOption.ATOMIC_MOVE);
                    swaps.incrementAndGet();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private void goThrough(boolean links) throws Exception {
        int read = 0;
        for (int round = 0; round < ROUNDS || swaps.get() < ROUNDS; round++) {
            FolderWalk walk = new FolderWalk(
                    roots,
                    new FolderWalk.FileSelection(path -> !path.startsWith("spare"), 1000, false, links),
                    () -> false);
            walk.walk(open);
            List<String> names = new ArrayList<>();
            walk.skipped().forEach(one -> names.add(one.file().path()));
            for (FolderWalk.FoundFile found : walk.found()) {
                names.add(found.path());
                try {
                    assertEquals(
                            "inside",
                            new String(
                                    tree.read(found.file(), new FilePermissions(roots, false))
                                            .bytes(),
                                    StandardCharsets.UTF_8));
                    read++;
                } catch (ToolException _) {
                    // It was away just then.
                }
            }
            assertFalse(names.stream().anyMatch(name -> name.contains("only-outside")), names.toString());
        }
        assertTrue(read > ROUNDS, "too few were read to say anything: " + read);
    }

    @Test
    void aFolderThatBecomesALinkIsNotGoneThrough() throws Exception {
        Future<?> attack = swap(open.resolve("sub"), outside);
        goThrough(false);
        stop.set(true);
        attack.get();
    }

    @Test
    void norWhereLinksAreFollowed() throws Exception {
        Future<?> attack = swap(open.resolve("sub/deep"), outside.resolve("deep"));
        goThrough(true);
        stop.set(true);
        attack.get();
    }

    @Test
    void aFileThatBecomesALinkIsNotRead() throws Exception {
        Future<?> attack = swap(open.resolve("sub/note.md"), outside.resolve("note.md"));
        goThrough(true);
        stop.set(true);
        attack.get();
    }

    @Test
    void rulesOfOutsideAreNotFollowed() throws Exception {
        Files.createSymbolicLink(open.resolve("sub/.gitignore"), outside.resolve(".gitignore"));
        FolderWalk walk = new FolderWalk(roots, new FolderWalk.FileSelection(_ -> true, 1000, true, true), () -> false);
        walk.walk(open);
        assertTrue(walk.found().stream().anyMatch(found -> found.path().equals("sub/kept.txt")));
    }

    @Test
    void linksThatStayInsideAreFollowedOnce() throws Exception {
        Files.createSymbolicLink(open.resolve("spare/sub"), open.resolve("sub"));
        Files.createSymbolicLink(open.resolve("spare/up"), open);
        Files.createSymbolicLink(open.resolve("spare/nowhere"), open.resolve("nothing"));
        Files.createSymbolicLink(open.resolve("spare/outside.md"), outside.resolve("note.md"));
        Files.createSymbolicLink(open.resolve("spare/loop"), Path.of("loop"));
        Files.createSymbolicLink(open.resolve("spare/unreadable"), Path.of("n".repeat(300)));
        FolderWalk walk = new FolderWalk(roots, new FolderWalk.FileSelection(_ -> true, 1000, true, true), () -> false);
        walk.walk(open);
        assertEquals(
                List.of(
                        "spare/sub/deep/note.md",
                        "spare/sub/kept.txt",
                        "spare/sub/note.md",
                        "sub/deep/note.md",
                        "sub/kept.txt",
                        "sub/note.md",
                        "top.md"),
                walk.found().stream().map(FolderWalk.FoundFile::path).toList());
        assertEquals(
                List.of("spare/outside.md", "spare/unreadable"),
                walk.skipped().stream().map(one -> one.file().path()).sorted().toList());
        assertTrue(walk.complete());
    }
}
