package switchboard.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingDeque;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Receives webhooks on the loopback address, and checks their signatures. */
public final class HookReceiver implements AutoCloseable {
    /** Never answers until it is closed. */
    public static final int HANG = 0;

    private final HttpServer server;
    private final byte[] key;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final Map<String, LinkedBlockingDeque<Integer>> answers = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** A message, and whether its signature is right. */
    public record Received(String path, String id, String time, String body, boolean signed) {}

    /** A receiver that has the secret {@code whsec_<base64>}. */
    public HookReceiver(String secret) {
        key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::receive);
        server.start();
    }

    private void receive(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        String id = String.valueOf(exchange.getRequestHeaders().getFirst("webhook-id"));
        String time = String.valueOf(exchange.getRequestHeaders().getFirst("webhook-timestamp"));
        String expected = "v1," + mac(id + "." + time + "." + new String(body, StandardCharsets.UTF_8));
        // First: who sees the message says what the next one is answered.
        Integer next = answers.getOrDefault(path, new LinkedBlockingDeque<>()).poll();
        int status = next == null ? 200 : next;
        received.add(new Received(
                path,
                id,
                time,
                new String(body, StandardCharsets.UTF_8),
                expected.equals(exchange.getRequestHeaders().getFirst("webhook-signature"))));
        if (status == HANG) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else if (status == 302) {
            exchange.getResponseHeaders().add("Location", "http://127.0.0.1:" + port() + "/redirected");
        }
        exchange.sendResponseHeaders(status == HANG ? 500 : status, -1);
        exchange.close();
    }

    private String mac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Answers the next messages to {@code path} so; all others with 200. */
    public void answers(String path, Integer... statuses) {
        answers.computeIfAbsent(path, _ -> new LinkedBlockingDeque<>()).addAll(List.of(statuses));
    }

    /** What came to {@code path}. */
    public List<Received> at(String path) {
        return received.stream().filter(one -> one.path().equals(path)).toList();
    }

    /** Its port. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
