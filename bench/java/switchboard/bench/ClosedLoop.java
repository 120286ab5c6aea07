package switchboard.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** So many clients, each of which sends its next request when the one before is answered; every answer is looked at. */
final class ClosedLoop implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** What came of it: how long it took, and the latencies, sorted. */
    record Result(double seconds, long[] nanos) {
        double perSecond() {
            return nanos.length / seconds;
        }

        double millis(double percentile) {
            return nanos[(int) Math.min(nanos.length - 1, percentile * nanos.length)] / 1e6;
        }
    }

    /** Sends {@code count} requests, each by its number. */
    Result run(int clients, int count, IntFunction<Target> request) {
        return calls(clients, count, number -> {
            try {
                request.apply(number).verify(http);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
    }

    /** Makes {@code count} calls in this process, each by its number. */
    static Result calls(int clients, int count, Call call) {
        AtomicInteger next = new AtomicInteger();
        long[] nanos = new long[count];
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            CompletableFuture.allOf(IntStream.range(0, clients)
                            .mapToObj(_ -> CompletableFuture.runAsync(
                                    () -> {
                                        for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                                            long begin = System.nanoTime();
                                            call.make(i);
                                            nanos[i] = System.nanoTime() - begin;
                                        }
                                    },
                                    threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        Arrays.sort(nanos);
        return new Result(seconds, nanos);
    }

    /** Something that is done again and again. */
    @FunctionalInterface
    interface Call {
        void make(int number);
    }

    @Override
    public void close() {
        http.close();
    }
}
