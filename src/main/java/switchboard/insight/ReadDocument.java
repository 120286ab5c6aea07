package switchboard.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import switchboard.call.Json;
import switchboard.telemetry.RequestCaller;

/** A document that was read, at {@code time} by the gateway's clock. */
record ReadDocument(RequestCaller caller, String address, Instant time) {
    /** The name of a line that tells of a document that was read. */
    private static final String FETCHED = "fetched";

    /**
     * The line that says so.
     *
     * @param search the id of the search that gave it
     * @param position its place among the hits
     */
    ObjectNode line(String search, int position) {
        return Json.object()
                .put("event", FETCHED)
                .put("search", search)
                .put("time", time.toString())
                .put("team", caller.team())
                .put("key", caller.key())
                .put("address", address)
                .put("position", position);
    }
}
