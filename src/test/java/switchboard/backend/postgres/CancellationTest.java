package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.junit5.VertxExtension;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request to cancel sends to a server that has no TLS: the key of a connection only where that is allowed. */
@ExtendWith(VertxExtension.class)
class CancellationTest {
    private static final Buffer REQUEST =
            Buffer.buffer().appendInt(16).appendInt(80877102).appendInt(7).appendInt(4711);
    private static final Buffer ASKING = Buffer.buffer().appendInt(8).appendInt(80877103);

    private Vertx vertx;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Everything that is sent to a server that answers "N" to the first bytes, until the sender leaves. */
    private Buffer sent(String sslMode) throws Exception {
        Promise<Buffer> all = Promise.promise();
        NetServer server = vertx.createNetServer()
                .connectHandler(socket -> {
                    Buffer seen = Buffer.buffer();
                    socket.handler(part -> {
                        seen.appendBuffer(part);
                        if (seen.equals(ASKING)) {
                            socket.write("N");
                        } else {
                            socket.end();
                        }
                    });
                    socket.closeHandler(_ -> all.tryComplete(seen));
                })
                .listen(0, "127.0.0.1")
                .await();
        PostgresSettings.Connection connection =
                new PostgresSettings.Connection(null, "127.0.0.1", server.actualPort(), "d", "u", null, sslMode, null);
        new Cancellation.CloseAfterServer(vertx, ConnectionSettings.of(connection)).request(7, 4711);
        return all.future().await(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"require", "verify-ca", "verify-full"})
    void theKeyStaysHereWhereTlsIsDemanded(String sslMode) throws Exception {
        assertEquals(ASKING, sent(sslMode));
    }

    @Test
    void withoutTheDemandItGoesInPlainText() throws Exception {
        assertEquals(ASKING.copy().appendBuffer(REQUEST), sent("prefer"));
        assertEquals(REQUEST, sent("disable"));
    }
}
