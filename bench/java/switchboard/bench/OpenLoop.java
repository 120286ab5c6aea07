package switchboard.bench;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests at a fixed rate, whether or not the earlier ones have been answered. A latency begins when its request
 * was due, so that one slow answer also counts against those that waited for it.
 */
final class OpenLoop implements AutoCloseable {
    private static final int CONNECTIONS = 128;
    private static final long STEP_NANOS = 500_000;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = vertx.createHttpClient(
            new HttpClientOptions().setKeepAlive(true),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS).setEventLoopSize(1));

    /** Sends {@code perSecond} of {@code target} for {@code seconds}; every answer must have status 200. */
    Wrk.Result run(Target target, Contender contender, double perSecond, int seconds)
            throws IOException, InterruptedException {
        int count = (int) (perSecond * seconds);
        Run run = new Run(target, new long[count]);
        ProcessUse before = ProcessUse.of(contender.server().pid());
        long start = System.nanoTime();
        for (int sent = 0; sent < count; ) {
            int due = (int) Math.min(count, (System.nanoTime() - start) / 1e9 * perSecond + 1);
            int from = sent;
            run.send(from, due, start, 1e9 / perSecond);
            sent = due;
            LockSupport.parkNanos(STEP_NANOS);
        }
        run.done.join();
        double elapsed = (System.nanoTime() - start) / 1e9;
        ProcessUse after = ProcessUse.of(contender.server().pid());
        if (run.failed > 0) {
            throw new IOException(run.failed + " requests to " + contender.name() + " failed");
        }
        Arrays.sort(run.latencies);
        return new Wrk.Result(
                count / elapsed,
                run.latencies[count / 2] / 1e6,
                run.latencies[(int) (count * 0.99)] / 1e6,
                (double) (after.cpuMicros() - before.cpuMicros()) / count);
    }

    @Override
    public void close() {
        client.close().await();
        vertx.close().await();
    }

    /** One run; its counters change on the client's event loop only. */
    private final class Run {
        private final RequestOptions options = new RequestOptions();
        private final Buffer body;
        private final long[] latencies;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final io.vertx.core.Context loop = vertx.getOrCreateContext();
        private int answered;
        private volatile int failed;

        Run(Target target, long[] latencies) {
            this.latencies = latencies;
            this.body = Buffer.buffer(target.body());
            options.setAbsoluteURI(target.url().toString()).setMethod(HttpMethod.POST);
            target.headers().forEach(options::putHeader);
        }

        void send(int from, int to, long start, double period) {
            loop.runOnContext(_ -> {
                for (int i = from; i < to; i++) {
                    long due = start + (long) (i * period);
                    client.request(options)
                            .compose(request -> request.send(body))
                            .compose(answer -> answer.body().map(_ -> answer))
                            .onSuccess(answer -> over(answer, due))
                            .onFailure(_ -> over(null, due));
                }
            });
        }

        private void over(HttpClientResponse answer, long due) {
            latencies[answered++] = System.nanoTime() - due;
            if (answer == null || answer.statusCode() != 200) {
                failed++;
            }
            if (answered == latencies.length) {
                done.complete(null);
            }
        }
    }
}
