package switchboard.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.app.BootException.Stage;
import switchboard.concurrent.BlockingExecutor;
import switchboard.http.HttpTls;
import switchboard.telemetry.GatewayMeters;

/** The certificate files of the server: when the certificate expires, and reloading of a new one. */
final class ServerCertificates {
    private static final long PERIOD_MS = TimeUnit.SECONDS.toMillis(1);

    private final HttpTls files;
    private final Vertx vertx;
    private volatile Instant expires;

    private ServerCertificates(HttpTls files, Vertx vertx, Instant expires) {
        this.files = files;
        this.vertx = vertx;
        this.expires = expires;
    }

    /**
     * Checks the files that {@code tls} names.
     *
     * @throws BootException if they can't be used
     */
    static ServerCertificates of(HttpTls tls, Vertx vertx) {
        return new ServerCertificates(tls, vertx, checked(tls, vertx));
    }

    /** When the certificate in use expires. */
    Instant expires() {
        return expires;
    }

    /** Calls {@code renew} whenever the files have changed, until Vert.x is closed. */
    void watch(Supplier<Future<?>> renew, GatewayMeters meters, BlockingExecutor executor) {
        FileReloader watch = new FileReloader(this::paths, () -> read(renew), "the previous files");
        meters.filesOutdated("certificate", watch::failed);
        vertx.setPeriodic(PERIOD_MS, _ -> executor.run(watch::look));
    }

    /**
     * Reads and checks the pair first: a key and certificate that don't match, for example while only one is written,
     * are never passed to the server.
     */
    private String read(Supplier<Future<?>> renew) {
        Instant until = checked(files, vertx);
        try {
            renew.get().toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw refused(e.getCause() == null ? e : e.getCause());
        }
        expires = until;
        return "a certificate that is valid until " + until;
    }

    private static Instant checked(HttpTls tls, Vertx vertx) {
        try {
            return tls.check(vertx);
        } catch (IllegalArgumentException e) {
            throw refused(e);
        }
    }

    private static BootException refused(Throwable why) {
        return new BootException(Stage.CONFIGURATION, List.of("server.tls can't be used: " + why.getMessage()));
    }

    /** The certificate comes first, because the log names the first file. */
    private Set<Path> paths() {
        return Stream.of(files.certificate(), files.key(), files.clientAuthorities())
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
