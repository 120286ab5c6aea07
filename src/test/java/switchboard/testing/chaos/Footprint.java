package switchboard.testing.chaos;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.testing.GatewayProcess;
import switchboard.testing.Programs;

/**
 * What a gateway process holds at a moment: live objects after a full collection, as {@code jcmd GC.class_histogram}
 * counts them, file handles and threads as {@code /proc} lists them, and what its own metrics say is under way.
 *
 * @param heapBytes live bytes
 * @param counts everything that must be as before once nothing is under way, by name
 * @param files open files of the store, which come and go with its segments
 */
public record Footprint(long heapBytes, Map<String, Long> counts, long files) {
    private static final Map<String, String> CLASSES = Map.of(
            "timers", "io.vertx.core.impl.VertxImpl$InternalTimerHandler",
            "permits", "switchboard.dispatch.Admission$Permit",
            "flights", "switchboard.dispatch.Dispatcher$InFlightCall",
            "running calls", "switchboard.backend.RunningCall",
            "exchanges with callers", "switchboard.http.ReplyChannel",
            "event streams", "switchboard.http.EventStream",
            "exchanges with engines", "switchboard.upstream.UpstreamExchange");
    private static final List<String> GAUGES = List.of(
            "switchboard_calls_in_flight",
            "switchboard_calls_waiting",
            "switchboard_http_exchanges_open",
            "switchboard_http_streams_open",
            "switchboard_upstream_in_flight",
            "switchboard_upstream_streams_open",
            "switchboard_executor_running",
            "switchboard_executor_waiting",
            "switchboard_postgres_connections");
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{[^}]*})? (\\S+)");
    private static final Pattern HISTOGRAM =
            Pattern.compile("(?m)^\\s*(?:\\d+:|Total)\\s+(\\d+)\\s+(\\d+)(?:\\s+(\\S+).*)?$");

    private static final Duration UNUSED = Duration.ofSeconds(12);
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final int LOOKS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Takes it of {@code gateway} now. */
    public static Footprint of(GatewayProcess gateway) {
        Map<String, Long> counts = new TreeMap<>();
        CLASSES.forEach((name, watched) -> counts.put(existing(watched, name), 0L));
        GAUGES.forEach(name -> counts.put(name, 0L));
        long heap = histogram(gateway.pid(), counts);
        gauges(gateway.managementUrl(), counts);
        long files = handles(gateway.pid(), counts);
        return new Footprint(heap, Map.copyOf(counts), files);
    }

    /**
     * What is there at each of some looks, after pools and the store have closed what they do not use: connections of
     * probes, and of the looks themselves, come and go.
     */
    public static Footprint idle(GatewayProcess gateway) {
        LockSupport.parkNanos(UNUSED.toNanos());
        Footprint least = of(gateway);
        for (int i = 1; i < LOOKS; i++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            least = least.least(of(gateway));
        }
        return least;
    }

    private Footprint least(Footprint other) {
        Map<String, Long> both = new TreeMap<>();
        counts.forEach((name, count) -> both.put(name, Math.min(count, other.counts.getOrDefault(name, 0L))));
        return new Footprint(Math.min(heapBytes, other.heapBytes), Map.copyOf(both), Math.min(files, other.files));
    }

    /** What {@code gateway}, which nobody calls any more, still has more of than this; nothing, in good time. */
    public List<String> leaks(GatewayProcess gateway, PrintStream out) {
        long start = System.nanoTime();
        Footprint now = of(gateway);
        while (!more(now).isEmpty() && System.nanoTime() - start < PATIENCE.toNanos()) {
            LockSupport.parkNanos(PAUSE.toNanos());
            now = now.least(of(gateway));
        }
        out.println("before: " + this);
        out.println("after:  " + now);
        return more(now);
    }

    private List<String> more(Footprint after) {
        return counts.entrySet().stream()
                .filter(entry -> after.counts.getOrDefault(entry.getKey(), 0L) > entry.getValue())
                .map(entry -> entry.getKey() + ": " + entry.getValue() + " before, " + after.counts.get(entry.getKey())
                        + " after")
                .toList();
    }

    private static long histogram(long pid, Map<String, Long> counts) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Matcher lines = HISTOGRAM.matcher(Programs.run(List.of(jcmd, Long.toString(pid), "GC.class_histogram"), null));
        long total = 0;
        while (lines.find()) {
            long instances = Long.parseLong(lines.group(1));
            String name = lines.group(3);
            if (name == null) {
                total = Long.parseLong(lines.group(2));
            }
            CLASSES.forEach((what, watched) -> {
                if (watched.equals(name)) {
                    counts.put(what, instances);
                }
            });
        }
        return total;
    }

    private static void gauges(URI management, Map<String, Long> counts) {
        scrape(management).lines().map(SAMPLE::matcher).filter(Matcher::matches).forEach(sample -> {
            if (GAUGES.contains(sample.group(1))) {
                counts.merge(sample.group(1), (long) Double.parseDouble(sample.group(2)), Long::sum);
            }
        });
    }

    /** {@code what}, once it is sure that there are instances of {@code watched} to count: a renamed class has none. */
    private static String existing(String watched, String what) {
        try {
            Class.forName(watched, false, Footprint.class.getClassLoader());
            return what;
        } catch (ClassNotFoundException e) {
            throw new AssertionError(what + " are counted as instances of a class that is none", e);
        }
    }

    /** What {@code management} serves as metrics. */
    public static String scrape(URI management) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(management + "/metrics")).build();
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static long handles(long pid, Map<String, Long> counts) {
        long sockets = 0;
        long deleted = 0;
        long others = 0;
        long files = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path one : all) {
                String target = target(one);
                if (target.startsWith("socket:")) {
                    sockets++;
                } else if (target.endsWith(" (deleted)")) {
                    deleted++;
                } else if (target.startsWith("/") && !target.startsWith("/dev/")) {
                    files++;
                } else if (!target.isEmpty()) {
                    others++;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        counts.put("sockets", sockets);
        counts.put("open files that were deleted", deleted);
        counts.put("other handles", others);
        return files;
    }

    private static String target(Path handle) throws IOException {
        try {
            return Files.readSymbolicLink(handle).toString();
        } catch (NoSuchFileException e) {
            return ""; // closed meanwhile
        }
    }
}
