package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.auth.OpenAuthenticator;
import switchboard.testing.TestCertificate;

/** Requests of HTTP/2 whose pseudo headers are missing, doubled or malformed: refused, and never a defect. */
class MalformedStreamTest {
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int PRIORITY = 0x20;
    private static final int END_STREAM_AND_HEADERS = 0x5;

    @TempDir
    Path folder;

    @Test
    void whatIsNoRequestIsRefused() throws Exception {
        TestCertificate certificate = TestCertificate.make(folder, "server", "dns:localhost,ip:127.0.0.1");
        HttpSettings settings = new HttpSettings(
                "127.0.0.1",
                0,
                null,
                Set.of(),
                HttpLimits.DEFAULT,
                Duration.ofSeconds(10),
                new HttpTls(certificate.certificate(), certificate.key(), null),
                List.of());
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(lines);
        try (ScriptedServer server = new ScriptedServer(settings, new OpenAuthenticator(), ScriptedServer.OK)) {
            String own = "127.0.0.1:" + server.port();
            Map<String, String> wrong = new LinkedHashMap<>();
            for (List<String> more : List.of(
                    List.<String>of(),
                    List.of("host", "localhost:" + server.port()),
                    List.of("x", "tabs\tare allowed"))) {
                List<String> head = new ArrayList<>(head("GET", "/mcp", "localhost:" + server.port()));
                head.addAll(more);
                assertEquals("200", asked(server.port(), certificate, head), head::toString);
            }
            for (List<String> head : heads(own)) {
                String outcome = asked(server.port(), certificate, head);
                if (!Set.of("400", "reset", "goaway", "closed").contains(outcome)) {
                    wrong.put(head.toString(), outcome);
                }
            }
            assertEquals(Map.of(), wrong);
        } finally {
            root.detachAppender(lines);
        }
        assertEquals(
                List.of(),
                lines.list.stream()
                        .filter(line -> line.getLevel().isGreaterOrEqual(Level.ERROR))
                        .map(ILoggingEvent::getFormattedMessage)
                        .toList());
    }

    private static List<List<String>> heads(String own) {
        List<List<String>> heads = new ArrayList<>();
        heads.add(List.of(":method", "GET", ":scheme", "https", ":path", "/mcp"));
        for (String authority : List.of("", "a@b", "127.0.0.1:abc", "[::1", "a b", own + "," + own, own + "@" + own)) {
            heads.add(head("GET", "/mcp", authority));
        }
        for (String path : List.of("", "mcp", "*", "/mcp/%zz", "/mcp?x=%", "/m cp", "http://" + own + "/mcp")) {
            heads.add(head("GET", path, own));
        }
        for (String method : List.of("", "G T", "CONNECT")) {
            heads.add(head(method, "/mcp", own));
        }
        for (List<String> more : List.of(
                List.of("host", "evil.example.com"),
                List.of(":authority", "evil.example.com"),
                List.of(":path", "/other"),
                List.of(":unknown", "x"),
                List.of("transfer-encoding", "chunked"),
                List.of("connection", "close"),
                List.of("X-Upper", "y"),
                List.of("x", "a\u0000b"),
                List.of("x", "a\r\nb: c"),
                List.of("x y", "z"),
                List.of("content-length", "abc"),
                List.of("content-length", "7"))) {
            List<String> head = new ArrayList<>(head("GET", "/mcp", own));
            head.addAll(more);
            heads.add(head);
        }
        return heads;
    }

    private static List<String> head(String method, String path, String authority) {
        return List.of(":method", method, ":scheme", "https", ":path", path, ":authority", authority);
    }

    /** What comes of a request with that head on a connection of its own: a status, or how it was ended without one. */
    private static String asked(int port, TestCertificate trusted, List<String> head) throws Exception {
        try (SSLSocket socket = (SSLSocket) context(trusted).getSocketFactory().createSocket("127.0.0.1", port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(120_000);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            frame(out, SETTINGS, 0, 0, new byte[0]);
            frame(out, HEADERS, END_STREAM_AND_HEADERS, 1, literals(head));
            out.flush();
            return outcome(new DataInputStream(socket.getInputStream()));
        } catch (EOFException | SocketException gone) {
            return "closed";
        }
    }

    private static String outcome(DataInputStream in) throws IOException {
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            in.skipNBytes(4);
            byte[] payload = in.readNBytes(length);
            switch (type) {
                case HEADERS -> {
                    return status(payload, (flags & PRIORITY) == 0 ? 0 : 5);
                }
                case RST_STREAM -> {
                    return "reset";
                }
                case GOAWAY -> {
                    return "goaway";
                }
                default -> {} // settings and windows
            }
        }
    }

    /** The status comes first; most are in the static table of HPACK (RFC 7541, appendix A). */
    private static String status(byte[] block, int from) {
        return switch (block[from] & 0xff) {
            case 0x88 -> "200";
            case 0x8c -> "400";
            case 0x8d -> "404";
            case 0x8e -> "500";
            default -> HexFormat.of().formatHex(block);
        };
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length & 0xffff);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
    }

    /** Literal fields with literal names, without indexing and without Huffman coding. */
    private static byte[] literals(List<String> head) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int n = 0; n < head.size(); n++) {
            if (n % 2 == 0) {
                block.write(0);
            }
            byte[] text = head.get(n).getBytes(StandardCharsets.ISO_8859_1);
            block.write(text.length);
            block.writeBytes(text);
        }
        return block.toByteArray();
    }

    private static SSLContext context(TestCertificate trusted) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (var in = Files.newInputStream(trusted.certificate())) {
            store.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
