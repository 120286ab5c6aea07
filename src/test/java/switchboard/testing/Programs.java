package switchboard.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs other programs for tests on real servers. Servers that refuse root run as the user {@code nobody} then. */
public final class Programs {
    private static final int SECONDS = 600;
    private static final int LOWEST_PORT = 10_000;
    private static final int HIGHEST_PORT = 32_000;
    private static final int PORT_TRIES = 100;
    private static final int FORK = Integer.getInteger("switchboard.fork", 1);
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Programs() {}

    /** The folder that downloads are kept in between runs. */
    static Path cache() throws IOException {
        return Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "switchboard-cache"));
    }

    /**
     * A port on the loopback address that nobody listened on a moment ago, and another one each time: programs take theirs
     * later. It is below those that the system gives to clients, which would take it first.
     */
    public static int freePort() throws IOException {
        for (int tries = 0; ; tries++) {
            // Each process that runs tests has its own half, so that no other takes it meanwhile.
            int port = 2 * ThreadLocalRandom.current().nextInt(LOWEST_PORT / 2, HIGHEST_PORT / 2) + FORK % 2;
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (GIVEN.add(port)) {
                    return port;
                }
            } catch (BindException e) {
                if (tries == PORT_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** {@code command} as the user that servers run as. */
    static List<String> asServer(List<String> command) {
        List<String> whole = new ArrayList<>();
        if (isRoot()) {
            whole.addAll(List.of("setpriv", "--reuid=nobody", "--clear-groups", "--"));
        }
        whole.addAll(command);
        return whole;
    }

    /** Makes {@code folder} readable for all, and writable for the user that servers run as. */
    static void giveToServer(Path folder) {
        run(List.of("chmod", "755", folder.toString()), null);
        if (isRoot()) {
            run(List.of("chown", "nobody", folder.toString()), null);
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Runs {@code command} to its end; returns what it printed, and fails the test if it failed. */
    public static String run(List<String> command, @Nullable String input) {
        try {
            Path output = Files.createTempFile("switchboard-", ".out");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try (OutputStream stdin = process.getOutputStream()) {
                if (input != null) {
                    stdin.write(input.getBytes(StandardCharsets.UTF_8));
                }
            }
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                end(process);
                throw new AssertionError("does not end: " + command);
            }
            String text = Files.readString(output);
            Files.delete(output);
            if (process.exitValue() != 0) {
                // The command comes last, because a class path is long.
                throw new AssertionError(
                        "exit code " + process.exitValue() + "\n" + text + "\nof " + String.join(" ", command));
            }
            return text.strip();
        } catch (IOException e) {
            throw new AssertionError(command.getFirst() + " is needed for tests on real servers", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Removes {@code folder} with everything in it. */
    public static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Kills {@code process}; when this returns, it is gone. */
    static void end(Process process) {
        process.destroyForcibly();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("a killed process does not end: " + process.info());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
