package switchboard.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.app.BootException.Stage;
import switchboard.http.HttpTls;

/** The files of the server's certificate while it runs: when it expires, and that a new one is taken into use. */
final class Certificates {
    private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);
    private static final long PERIOD_MS = TimeUnit.SECONDS.toMillis(1);

    private final HttpTls files;
    private volatile Instant expires;
    private List<FileStamp> seen;

    private Certificates(HttpTls files, Instant expires) {
        this.files = files;
        this.expires = expires;
        this.seen = stamps();
    }

    /**
     * The files that {@code tls} names.
     *
     * @throws BootException if they can't be used
     */
    static Certificates of(HttpTls tls, Vertx vertx) {
        try {
            return new Certificates(tls, tls.check(vertx));
        } catch (IllegalArgumentException e) {
            throw new BootException(Stage.CONFIGURATION, List.of("server.tls can't be used: " + e.getMessage()));
        }
    }

    /** When the certificate in use ends. */
    Instant expires() {
        return expires;
    }

    /** Has {@code renew} called when the files have changed, as long as {@code vertx} runs. */
    void watch(Vertx vertx, Supplier<Future<?>> renew) {
        vertx.setPeriodic(PERIOD_MS, _ -> vertx.executeBlocking(this::changed).onSuccess(changed -> {
            if (changed) {
                renew(vertx, renew);
            }
        }));
    }

    /** A pair that can't be used, or of which only half is written yet, leaves the old one in use. */
    private void renew(Vertx vertx, Supplier<Future<?>> renew) {
        vertx.executeBlocking(() -> files.check(vertx))
                .compose(until -> renew.get().map(until))
                .onSuccess(until -> {
                    expires = until;
                    LOG.info("the certificate was read again; it is good until {}", until);
                })
                .onFailure(failure -> LOG.error(
                        "the certificate has changed and can't be used; the one before stays in use: {}",
                        failure.getMessage()));
    }

    private synchronized boolean changed() {
        List<FileStamp> now = stamps();
        boolean changed = !now.equals(seen);
        seen = now;
        return changed;
    }

    private List<FileStamp> stamps() {
        return Stream.of(files.certificate(), files.key(), files.clientAuthorities())
                .filter(Objects::nonNull)
                .map(FileStamp::of)
                .toList();
    }
}
