package switchboard.console;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The calls of several gateways for those who watch at this one: its own are taken when somebody looks, those of the others come in
 * messages. Thread-safe.
 */
public final class AllCalls {
    /** How long a gateway that sends nothing counts as there: it answers each time when it is told that somebody watches. */
    static final Duration HEARD = Duration.ofSeconds(25);

    /** How long it is known how far the calls of a gateway are here that sends nothing, such as in an outage. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    /** How many calls that were over before come at one moment, together with new ones, so that no reader misses them. */
    static final int AT_ONCE = 64;

    /** How many of them come however much is new. */
    private static final int FEWEST = 8;

    private static final int ID_CHARS = 4;

    private final RecentCalls own;
    private final RecentCalls all;
    private final LongSupplier nanos;
    private final Map<String, Sender> senders = new HashMap<>();
    private final Deque<WatchedCall> earlier = new ArrayDeque<>();
    private final String gateway;
    private Set<String> present = Set.of();
    private CallPosition position = CallPosition.BEGIN;
    private int arrived;

    /**
     * Another gateway.
     *
     * @param name its name
     * @param seen the place up to which its calls are here
     * @param heard when it has sent something
     */
    private record Sender(String name, long seen, long heard) {}

    /**
     * No calls of others yet.
     *
     * @param own the calls of this gateway
     * @param gateway its name
     * @param nanos a clock
     */
    public AllCalls(RecentCalls own, String gateway, LongSupplier nanos) {
        this.own = own;
        this.gateway = gateway;
        this.all = new RecentCalls(gateway);
        this.nanos = nanos;
    }

    /** The calls of all, as far as they are known now. */
    public synchronized RecentCalls now() {
        NextCalls next = own.next(position, RecentCalls.KEPT);
        all.skip(next.leftOut());
        position = next.position();
        next.calls().forEach(all::add);
        int room = Math.max(FEWEST, AT_ONCE - arrived - next.calls().size());
        for (; room > 0 && !earlier.isEmpty(); room--) {
            all.add(earlier.removeFirst());
        }
        arrived = 0;
        return all;
    }

    /**
     * Takes calls of the gateway {@code node}.
     *
     * @throws IllegalArgumentException if {@code message} has none
     */
    public void received(String node, String message) {
        SentCalls sent = SentCalls.read(message);
        synchronized (this) {
            Sender sender = senders.get(node);
            long seen = sender == null ? sent.from() : sender.seen();
            senders.put(node, new Sender(sent.gateway(), Math.max(seen, sent.to()), nanos.getAsLong()));
            if (sender != null || !sent.earlier()) {
                missing(sent, seen);
            }
            String name = name(node, sent.gateway());
            long first = sent.to() - sent.calls().size();
            int known = Math.clamp(seen - first, 0, sent.calls().size());
            take(
                    sent.calls().subList(known, sent.calls().size()).stream()
                            .map(call -> (WatchedCall) ReceivedCall.of(name, call))
                            .toList(),
                    sent.earlier());
        }
    }

    private void missing(SentCalls sent, long seen) {
        long gap = sent.gap(seen);
        long counted =
                sent.leftOut().values().stream().mapToLong(Long::longValue).sum();
        boolean byTeam = seen <= sent.from() && counted <= gap;
        if (byTeam) {
            all.skip(sent.leftOut());
        }
        long lost = Math.max(0, sent.from() - seen) + gap - (byTeam ? counted : 0);
        if (lost > 0) {
            all.lose(lost);
        }
    }

    private void take(List<WatchedCall> calls, boolean wereEarlier) {
        if (wereEarlier) {
            earlier.addAll(calls);
            while (earlier.size() > RecentCalls.KEPT) {
                earlier.removeFirst();
            }
        } else {
            arrived += calls.size();
            calls.forEach(all::add);
        }
    }

    /** Two gateways of the same name can be told apart. */
    private String name(String node, String name) {
        boolean taken = name.equals(gateway)
                || senders.entrySet().stream()
                        .anyMatch(other -> !other.getKey().equals(node)
                                && present.contains(other.getKey())
                                && other.getValue().name().equals(name));
        return taken ? name + " " + node.substring(0, Math.min(ID_CHARS, node.length())) : name;
    }

    /** What to say to the other gateways so that they send their calls. */
    public synchronized String watch() {
        long now = nanos.getAsLong();
        senders.entrySet()
                .removeIf(sender -> !present.contains(sender.getKey())
                        && now - sender.getValue().heard() > KEPT.toNanos());
        Map<String, Long> seen = new HashMap<>();
        senders.forEach((node, sender) -> seen.put(node, sender.seen()));
        return CallWatch.text(seen);
    }

    /** Whether each of {@code others}, the gateways that there are, has sent something lately. */
    public synchronized boolean heard(Set<String> others) {
        present = others;
        long now = nanos.getAsLong();
        return others.stream()
                .map(senders::get)
                .allMatch(sender -> sender != null && now - sender.heard() < HEARD.toNanos());
    }

    /** Nobody watches any more. */
    public void close() {
        all.close();
    }
}
