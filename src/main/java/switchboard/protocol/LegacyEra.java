package switchboard.protocol;

import java.util.List;
import java.util.function.BiPredicate;

/** The protocol up to 2025-11-25, as the endpoint sees it: whatever is not a request of the modern era goes here. */
public interface LegacyEra {
    /** One message by itself. */
    void single(Inbound inbound, RpcMessage message, ReplySink sink);

    /** The elements of a batch; at least one. */
    void batch(Inbound inbound, List<RpcMessage> elements, ReplySink sink);

    /** The standing stream of a session. */
    void get(Inbound inbound, ReplySink sink);

    /** The end of a session. */
    void delete(Inbound inbound, ReplySink sink);

    /** Ends the sessions of the principals (team, id) that {@code whose} names. */
    void endSessions(BiPredicate<String, String> whose);

    /** How many sessions are alive. */
    int sessions();
}
