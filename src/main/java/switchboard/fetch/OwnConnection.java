package switchboard.fetch;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClientConnection;
import org.jspecify.annotations.Nullable;

/** The connection that a request has by itself, and that is closed when nobody waits for its answer any more. Thread-safe. */
final class OwnConnection {
    private final Future<?> over;
    private volatile @Nullable HttpClientConnection current;

    /** None yet. What comes after {@code over} is closed at once. */
    OwnConnection(Future<?> over) {
        this.over = over;
    }

    /** Takes {@code connection}, and returns it. */
    HttpClientConnection take(HttpClientConnection connection) {
        current = connection;
        if (over.isComplete()) {
            close();
        }
        return connection;
    }

    /** Closes it and reads nothing more from it. */
    void close() {
        HttpClientConnection connection = current;
        current = null;
        if (connection != null) {
            connection.close();
        }
    }
}
