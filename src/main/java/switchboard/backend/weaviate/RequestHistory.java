package switchboard.backend.weaviate;

import io.vertx.core.Future;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import switchboard.call.CallContext;
import switchboard.call.ToolException;
import switchboard.text.SurrogatePairs;
import switchboard.upstream.UpstreamRequest;

/**
 * The gateway's record of its requests to one Weaviate: method, path, status, time, and messages of refusals; never
 * bodies, queries or credentials. Keeps the last {@value #MOST_CHARS} characters. Thread-safe.
 */
final class RequestHistory implements LogSource {
    private static final int MOST_CHARS = 100_000;
    private static final int LONGEST_REASON = 500;

    private final Clock clock;
    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private int chars;

    RequestHistory(Clock clock) {
        this.clock = clock;
    }

    /** Records an answer; {@code reason} is the message of a refusal. */
    void answered(UpstreamRequest request, int status, long nanos, String reason) {
        add(request, Integer.toString(status), nanos, reason);
    }

    /** Records that there was no answer. */
    void failed(UpstreamRequest request, long nanos, Throwable failure) {
        String kind = failure instanceof ToolException expected
                ? expected.failed().kind().name()
                : failure.getClass().getSimpleName();
        add(
                request,
                kind,
                nanos,
                failure instanceof ToolException expected ? expected.failed().message() : "");
    }

    @Override
    public String label() {
        return "gateway";
    }

    @Override
    public Future<String> read(CallContext context) {
        synchronized (lines) {
            return Future.succeededFuture(String.join("", lines));
        }
    }

    private void add(UpstreamRequest request, String outcome, long nanos, String reason) {
        String cut = reason.length() <= LONGEST_REASON ? reason : SurrogatePairs.start(reason, LONGEST_REASON) + "…";
        String line = clock.instant() + " " + request + " " + outcome + " " + TimeUnit.NANOSECONDS.toMillis(nanos)
                + "ms" + (cut.isEmpty() ? "" : " " + cut.replaceAll("\\s+", " ")) + "\n";
        synchronized (lines) {
            lines.addLast(line);
            chars += line.length();
            while (chars > MOST_CHARS) {
                chars -= lines.removeFirst().length();
            }
        }
    }
}
