package switchboard.console;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;

/**
 * Sends the calls of this gateway to those others where somebody watches, one message after the other. What can't be sent in time is
 * left out and counted: nothing is kept for it but the calls that are kept anyway. Thread-safe.
 */
public final class CallSender {
    /** How long it sends to a gateway that says nothing more. */
    public static final Duration LASTS = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(CallSender.class);

    private final RecentCalls own;
    private final String node;
    private final String gateway;
    private final CallMail mail;
    private final LongSupplier nanos;
    private final Map<String, Long> watchers = new HashMap<>();
    private final Map<String, Newcomer> newcomers = new LinkedHashMap<>();
    private CallPosition position = CallPosition.BEGIN;
    private boolean asked;
    private boolean sending;
    private boolean stopped;

    /** Leaves messages for other gateways. */
    @FunctionalInterface
    public interface CallMail {
        /** Leaves {@code message} for {@code nodes}; returns those that get it. */
        Future<List<String>> send(String message, Set<String> nodes);
    }

    /** A gateway that has got nothing yet, how far it had come before, and until when it watches. */
    private record Newcomer(long seen, long until) {}

    /**
     * Sends nothing yet.
     *
     * @param own the calls of this gateway
     * @param node its id among the others
     * @param gateway its name
     * @param nanos a clock
     */
    public CallSender(RecentCalls own, String node, String gateway, CallMail mail, LongSupplier nanos) {
        this.own = own;
        this.node = node;
        this.gateway = gateway;
        this.mail = mail;
        this.nanos = nanos;
    }

    /**
     * Somebody watches at the gateway {@code watcher}.
     *
     * @throws IllegalArgumentException if {@code message} does not say so
     */
    public void watched(String watcher, String message) {
        long seen = CallWatch.read(message, node);
        synchronized (this) {
            long until = nanos.getAsLong() + LASTS.toNanos();
            if (stopped) {
                return;
            }
            if (watchers.replace(watcher, until) == null) {
                newcomers.put(watcher, new Newcomer(seen, until));
            } else {
                asked = true;
            }
        }
    }

    /** Sends what is new, unless it still sends; returns whether somebody watches. */
    public synchronized boolean send() {
        long now = nanos.getAsLong();
        watchers.values().removeIf(until -> until - now <= 0);
        newcomers.values().removeIf(newcomer -> newcomer.until() - now <= 0);
        if (watchers.isEmpty() && newcomers.isEmpty()) {
            return false;
        }
        if (!sending) {
            if (newcomers.isEmpty()) {
                sendNew();
            } else {
                Map.Entry<String, Newcomer> first =
                        newcomers.entrySet().iterator().next();
                sendEarlier(first.getKey(), first.getValue());
            }
        }
        return true;
    }

    private void sendNew() {
        NextCalls next = own.next(position, SentCalls.MOST);
        if (next.position().place() == position.place() && !asked) {
            return;
        }
        asked = false;
        String message = SentCalls.text(gateway, position.place(), false, next);
        send(message, Set.copyOf(watchers.keySet()), _ -> position = next.position());
    }

    /** The calls up to the place from which {@code watcher} then gets what is new like the others. */
    private void sendEarlier(String watcher, Newcomer newcomer) {
        if (watchers.isEmpty()) {
            position = own.position();
        }
        long to = position.place();
        boolean known = newcomer.seen() >= 0 && newcomer.seen() <= to;
        long most = known ? to - newcomer.seen() : to;
        List<WatchedCall> calls = own.newest(to, (int) Math.min(SentCalls.MOST, most));
        long from = known ? newcomer.seen() : to - calls.size();
        String message = SentCalls.text(gateway, from, true, new NextCalls(calls, Map.of(), position));
        send(message, Set.of(watcher), reached -> {
            Newcomer now = newcomers.remove(watcher);
            if (now != null && reached.contains(watcher)) {
                watchers.put(watcher, now.until());
            }
        });
    }

    private void send(String message, Set<String> nodes, Consumer<List<String>> sent) {
        sending = true;
        Futures.finish(
                mail.send(message, nodes).map(Futures.also(reached -> {
                    synchronized (this) {
                        sent.accept(reached);
                    }
                })),
                _ -> over(),
                lost -> {
                    LOG.debug("calls are sent later, or not at all", lost);
                    over();
                });
    }

    private synchronized void over() {
        sending = false;
    }

    /** Says nothing more. */
    public synchronized void stop() {
        stopped = true;
        watchers.clear();
        newcomers.clear();
    }
}
