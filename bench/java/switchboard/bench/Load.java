package switchboard.bench;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;

/** Sends requests at a fixed rate, whether or not the earlier ones have been answered. */
final class Load {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();

    /**
     * What came of it.
     *
     * @param nanos latencies of the answers with status 200, from when each request was due, sorted
     * @param statuses how often each status came; 0 for no answer
     */
    record Result(long[] nanos, Map<Integer, Integer> statuses) {
        /** The latency that the fraction {@code p} of the answers stays below, in milliseconds. */
        double percentile(double p) {
            return nanos.length == 0 ? Double.NaN : nanos[(int) Math.min(nanos.length - 1, p * nanos.length)] / 1e6;
        }
    }

    /** Sends {@code perSecond} of {@code request} (by its number) for {@code duration}; complete when all are answered. */
    CompletableFuture<Result> run(int perSecond, Duration duration, LongFunction<HttpRequest> request) {
        return run(perSecond, duration, request, HttpResponse.BodyHandlers.discarding(), HttpResponse::statusCode);
    }

    /** The same where {@code outcome} says what counts as an answer's status. */
    <T> CompletableFuture<Result> run(
            int perSecond,
            Duration duration,
            LongFunction<HttpRequest> request,
            HttpResponse.BodyHandler<T> reading,
            ToIntFunction<HttpResponse<T>> outcome) {
        long count = perSecond * duration.toSeconds();
        long period = TimeUnit.SECONDS.toNanos(1) / perSecond;
        Queue<Long> latencies = new ConcurrentLinkedQueue<>();
        Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
        AtomicLong left = new AtomicLong(count);
        CompletableFuture<Result> done = new CompletableFuture<>();
        ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().factory());
        long start = System.nanoTime();
        for (long i = 0; i < count; i++) {
            long number = i;
            long due = start + i * period;
            pace.schedule(
                    () -> http.sendAsync(request.apply(number), reading).handle((answer, failure) -> {
                        int status = answer == null ? 0 : outcome.applyAsInt(answer);
                        statuses.add(status);
                        if (status == 200) {
                            latencies.add(System.nanoTime() - due);
                        }
                        if (left.decrementAndGet() == 0) {
                            pace.shutdown();
                            done.complete(result(latencies, statuses));
                        }
                        return null;
                    }),
                    due - System.nanoTime(),
                    TimeUnit.NANOSECONDS);
        }
        return done;
    }

    private static Result result(Queue<Long> latencies, Queue<Integer> statuses) {
        long[] sorted = latencies.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        Map<Integer, Integer> counts = new TreeMap<>();
        statuses.forEach(status -> counts.merge(status, 1, Integer::sum));
        return new Result(sorted, counts);
    }
}
