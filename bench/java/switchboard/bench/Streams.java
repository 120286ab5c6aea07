package switchboard.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.chaos.Footprint;

/**
 * Five thousand clients that wait for changes on event streams, and calls besides, in a heap of 256 MiB: what a stream
 * costs, and what the calls notice. Fails when a stream ends or gets no heartbeat, a call fails, or a stream is left over.
 * Arguments: streams (5000), calls a second (50), and seconds of each half (20).
 */
final class Streams {
    private static final String HEAP = "256m";

    private final GatewayProcess gateway;
    private final LongAdder opened = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final List<Socket> sockets = new ArrayList<>();

    private Streams(GatewayProcess gateway) {
        this.gateway = gateway;
    }

    static void main(String[] arguments) throws Exception {
        int streams = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5000;
        int perSecond = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 50;
        Duration half = Duration.ofSeconds(arguments.length > 2 ? Integer.parseInt(arguments[2]) : 20);
        Path folder = Files.createTempDirectory("switchboard-streams");
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), Searches.YAML);
        try (GatewayProcess gateway =
                GatewayProcess.lasting(new GatewayProcess.Launch(config, folder.resolve("data"), HEAP, 0))) {
            Searches.fill(gateway.url());
            new Streams(gateway).run(streams, perSecond, half);
        }
        System.exit(0);
    }

    private void run(int streams, int perSecond, Duration half) throws Exception {
        Load load = new Load();
        load.run(perSecond, half, this::search).join();
        print("without streams", load.run(perSecond, half, this::search).join());
        Footprint before = Footprint.idle(gateway);
        long rss = rss();
        System.out.printf("heap %.1f MB, resident %.0f MB%n", before.heapBytes() / 1e6, rss / 1e6);
        for (int i = 0; i < streams; i++) {
            open();
            if (i % 100 == 99) {
                long until = i;
                Eventually.that(() -> opened.sum() > until, () -> opened.sum() + " streams are open");
            }
        }
        print(
                "beside " + streams + " streams",
                load.run(perSecond, half, this::search).join());
        long heard = bytes.sum();
        LockSupport.parkNanos(Duration.ofSeconds(20).toNanos());
        Footprint with = Footprint.of(gateway);
        System.out.printf(
                "heap %.1f MB: %.1f KB a stream; resident %.0f MB; %.0f bytes of heartbeats a stream in 20 s%n",
                with.heapBytes() / 1e6,
                (with.heapBytes() - before.heapBytes()) / 1e3 / streams,
                rss() / 1e6,
                (double) (bytes.sum() - heard) / streams);
        if (ended.sum() > 0
                || bytes.sum() - heard < streams
                || with.counts().get("switchboard_http_streams_open") < streams) {
            throw new AssertionError(ended + " streams have ended; " + with);
        }
        for (Socket socket : sockets) {
            socket.close();
        }
        List<String> left = before.leaks(gateway, System.out);
        if (!left.isEmpty()) {
            throw new AssertionError(String.join("\n", left));
        }
    }

    private static void print(String when, Load.Result result) {
        System.out.printf(
                "%s: p50 %.1f ms, p99 %.1f ms, statuses %s%n",
                when, result.percentile(0.5), result.percentile(0.99), result.statuses());
        if (!result.statuses().keySet().equals(java.util.Set.of(200))) {
            throw new AssertionError(result.statuses().toString());
        }
    }

    private HttpRequest search(long number) {
        return Searches.search(gateway.url(), number);
    }

    private void open() throws IOException {
        URI url = gateway.url();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort());
        sockets.add(socket);
        String body = """
            {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},\
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}}}\
            """;
        socket.getOutputStream()
                .write("""
                    POST /mcp HTTP/1.1\r
                    Host: 127.0.0.1:%d\r
                    Content-Type: application/json\r
                    Accept: application/json, text/event-stream\r
                    MCP-Protocol-Version: 2026-07-28\r
                    Mcp-Method: subscriptions/listen\r
                    Content-Length: %d\r
                    \r
                    %s\
                    """.formatted(url.getPort(), body.length(), body).getBytes(StandardCharsets.US_ASCII));
        Thread.ofVirtual().start(() -> read(socket));
    }

    private void read(Socket socket) {
        byte[] piece = new byte[1024];
        try (InputStream in = socket.getInputStream()) {
            int length = in.read(piece);
            String head = new String(piece, 0, Math.max(0, length), StandardCharsets.US_ASCII);
            if (head.startsWith("HTTP/1.1 200") && head.contains("text/event-stream")) {
                opened.increment();
            }
            while (length >= 0) {
                bytes.add(length);
                length = in.read(piece);
            }
            ended.increment();
        } catch (IOException _) {
            // closed here, at the end
        }
    }

    private long rss() throws IOException {
        return ProcessUse.of(gateway.pid()).rssBytes();
    }
}
