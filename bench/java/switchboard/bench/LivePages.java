package switchboard.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;

/**
 * What pages of the console that watch calls cost: calls without I/O in turns with such pages open and without them, and the
 * processor time that the gateway uses for a call. Fails when 50 pages add more than 5 %, get no calls, or leave something
 * behind. Arguments: pages (50), rounds (7), and calls of a turn (20000).
 */
final class LivePages {
    private static final int CLIENTS = 8;
    private static final int WARM_UP = 80_000;
    private static final double MOST_ADDED_PERCENT = 5;
    private static final String STREAMS = "switchboard_http_streams_open";
    private static final String YAML = """
            audit: {to: none}
            embedders: {default: {provider: none}}
            console: {enabled: true}
            backends: {vectordb: {type: vectordb}}
            """;

    private final GatewayProcess gateway;
    private final int console;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final LongAdder opened = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final List<Socket> pages = new ArrayList<>();

    private LivePages(GatewayProcess gateway, int console) {
        this.gateway = gateway;
        this.console = console;
    }

    /** A turn: calls a second, and microseconds of the gateway's processor time for each. */
    private record Turn(double perSecond, double micros) {}

    static void main(String[] arguments) throws Exception {
        int pages = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 50;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 7;
        int calls = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 20_000;
        Path folder = Files.createTempDirectory("switchboard-live");
        Path data = folder.resolve("data");
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), YAML);
        try (GatewayProcess gateway =
                GatewayProcess.lasting(new GatewayProcess.Launch(config, data, "512m", 0))) {
            new LivePages(gateway, console(data)).run(pages, rounds, calls);
        }
        System.exit(0);
    }

    /** The port that it has announced. */
    private static int console(Path data) throws IOException {
        byte[] announced = Files.readAllBytes(data.resolve("gateway.json"));
        return URI.create(Json.parse(announced).path("console").asText()).getPort();
    }

    private void run(int count, int rounds, int calls) throws Exception {
        turn(WARM_UP);
        List<Turn> without = new ArrayList<>();
        List<Turn> with = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            without.add(turn(calls));
            open(count);
            long before = bytes.sum();
            with.add(turn(calls));
            System.out.printf(
                    "round %2d: %s without, %s with %d pages, which got %.1f MB%n",
                    round, without.getLast(), with.getLast(), count, (bytes.sum() - before) / 1e6);
            if (bytes.sum() == before) {
                throw new AssertionError("the pages got nothing");
            }
            close();
        }
        double alone = median(without);
        double added = 100 * (median(with) - alone) / alone;
        Goal.print(List.of(new Goal(
                "processor time of a call that " + count + " pages add, %",
                Goal.Sense.AT_MOST,
                MOST_ADDED_PERCENT,
                added)));
        if (added > MOST_ADDED_PERCENT) {
            throw new AssertionError("the pages add " + added + " %");
        }
    }

    private static double median(List<Turn> turns) {
        double[] sorted = turns.stream().mapToDouble(Turn::micros).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private Turn turn(int calls) throws Exception {
        long before = ProcessUse.of(gateway.pid()).cpuMicros();
        ClosedLoop.Result result = ClosedLoop.calls(CLIENTS, calls, this::call);
        long after = ProcessUse.of(gateway.pid()).cpuMicros();
        return new Turn(Math.round(result.perSecond()), Math.round(10.0 * (after - before) / calls) / 10.0);
    }

    private void call(int number) {
        HttpRequest request = Searches.call(gateway.url(), number, "list_libraries", "{}")
                .build();
        try {
            HttpResponse<String> answer = answer(request);
            if (answer.statusCode() != 200 || answer.body().contains("isError\":true")) {
                throw new IllegalStateException(answer.body());
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The JDK's client sometimes takes an early answer for data of a connection that nobody uses (JDK-8357639): asked again. */
    private HttpResponse<String> answer(HttpRequest request) throws IOException, InterruptedException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private void open(int count) throws IOException {
        long already = opened.sum();
        for (int page = 0; page < count; page++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), console);
            pages.add(socket);
            socket.getOutputStream()
                    .write("GET /api/v1/calls HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nSec-Fetch-Site: same-origin\r\n\r\n"
                            .formatted(console)
                            .getBytes(StandardCharsets.US_ASCII));
            Thread.ofVirtual().start(() -> read(socket));
        }
        Eventually.that(() -> opened.sum() == already + count, () -> opened.sum() + " pages are open");
    }

    private void read(Socket socket) {
        byte[] piece = new byte[1 << 16];
        try (InputStream in = socket.getInputStream()) {
            int length = in.read(piece);
            if (new String(piece, 0, Math.max(0, length), StandardCharsets.UTF_8).startsWith("HTTP/1.1 200")) {
                opened.increment();
            }
            while (length >= 0) {
                bytes.add(length);
                length = in.read(piece);
            }
        } catch (IOException _) {
            // closed here, at the end of a round
        }
    }

    private void close() throws IOException {
        for (Socket page : pages) {
            page.close();
        }
        pages.clear();
        Eventually.within(Duration.ofSeconds(30), () -> streams() == 0, () -> streams() + " streams are left");
    }

    private double streams() {
        return Arrays.stream(gateway.management("/metrics").body().split("\n"))
                .filter(line -> line.startsWith(STREAMS + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(STREAMS.length())))
                .sum();
    }
}
