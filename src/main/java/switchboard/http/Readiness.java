package switchboard.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * Whether the gateway accepts calls, and the health of its parts. A backend that is down does not make the gateway
 * unready, unless the configuration says that it is required: its calls fail with {@code UNAVAILABLE} and others
 * continue. The shared database is required until the gateway has joined.
 *
 * @param serving whether calls are accepted
 * @param state a word: {@code starting}, {@code serving}, {@code stopping}
 * @param backends the backends, as last checked
 * @param embedders the embedding models; without one, searches go by keyword
 * @param llm the language model, or null if there is none
 * @param audit the audit log, or null if there is none
 * @param disks the folders that are written to, by purpose
 * @param cluster the database that several gateways share, or null if this one is by itself
 */
public record Readiness(
        boolean serving,
        String state,
        List<Part> backends,
        List<Part> embedders,
        @Nullable Part llm,
        @Nullable Part audit,
        List<Part> disks,
        @Nullable Part cluster) {
    /** A gateway that has nothing but backends. */
    public Readiness(boolean serving, String state, List<Part> backends) {
        this(serving, state, backends, List.of(), null, null, List.of(), null);
    }

    public Readiness {
        backends = List.copyOf(backends);
        embedders = List.copyOf(embedders);
        disks = List.copyOf(disks);
    }

    /** The health of a part. */
    public enum Status {
        /** Its engine answers. */
        UP,
        /** It answers, but a part of it can't be used. */
        DEGRADED,
        /** It does not answer. */
        DOWN,
        /** The operator has switched the backend off. */
        OFF;

        /** The name on the wire. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One part.
     *
     * @param id a backend's id, or the part's name
     * @param status its health
     * @param required whether the gateway is only ready while it is not down; for the audit log, whether calls need it
     * @param detail its version or its problem; safe to show to operators
     */
    public record Part(String id, Status status, boolean required, String detail) {
        ObjectNode json() {
            return Json.object()
                    .put("id", id)
                    .put("status", status.word())
                    .put("required", required)
                    .put("detail", detail);
        }
    }

    boolean ready() {
        return serving
                && Stream.concat(backends.stream(), Stream.ofNullable(cluster))
                        .noneMatch(part -> part.required() && part.status() == Status.DOWN);
    }

    ObjectNode json() {
        ObjectNode json =
                Json.object().put("status", ready() ? "ready" : "not ready").put("state", state);
        ArrayNode parts = json.putArray("backends");
        backends.forEach(part -> parts.add(part.json()));
        ArrayNode models = json.putArray("embedders");
        embedders.forEach(part -> models.add(part.json()));
        ArrayNode folders = json.putArray("disks");
        disks.forEach(part -> folders.add(part.json()));
        if (llm != null) {
            json.set("llm", llm.json());
        }
        if (audit != null) {
            json.set("audit", audit.json());
        }
        if (cluster != null) {
            json.set("cluster", cluster.json());
        }
        return json;
    }
}
