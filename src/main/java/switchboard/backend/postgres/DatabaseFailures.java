package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** Translates failures of the server and the connection to answers: SQLSTATE, position and hint are passed on, configured secrets are not. */
final class DatabaseFailures {
    private static final long RETRY_SOON_MS = 1_000;

    private DatabaseFailures() {}

    /** The failure for {@code cause}, which happened at {@code database}. */
    static ToolReply.Failed of(Throwable cause, ConnectionProfile.Database database) {
        return switch (cause) {
            case ToolException expected -> expected.failed();
            case PgException error -> error(error, database, 0);
            case ClosedConnectionException closed ->
                unavailable("The connection to " + database.words()
                        + " was lost while the query ran. Nothing was changed; try again.");
            case IOException _ -> unavailable(database.words() + " can't be reached. " + EngineMessageSanitizer.LATER);
            default -> acquiring(cause, database);
        };
    }

    /**
     * The failure for an error of a statement.
     *
     * @param offset number of characters before the caller's text in the statement
     */
    static ToolReply.Failed error(PgException error, ConnectionProfile.Database database, int offset) {
        String state = error.getSqlState() == null ? "" : error.getSqlState();
        StringBuilder message = new StringBuilder();
        FailureKind kind = kind(state);
        switch (kind) {
            case UNAVAILABLE -> message.append(database.words()).append(" is not available: ");
            case DENIED_UPSTREAM -> message.append("PostgreSQL refuses the gateway's role: ");
            default -> message.append("Error executing query: ");
        }
        boolean ours = kind != FailureKind.INVALID_ARGUMENT;
        message.append(shown(error.getErrorMessage(), ours, database))
                .append(" (SQLSTATE ")
                .append(state)
                .append(')');
        ObjectNode details = Json.object().put("sqlstate", state);
        Integer position = position(error, offset);
        if (position != null) {
            message.append(" at character ").append(position);
            details.put("position", position);
        }
        append(message, details, "detail", shown(error.getDetail(), ours, database));
        append(message, details, "hint", shown(error.getHint(), ours, database));
        ToolReply.Failed failed = new ToolReply.Failed(
                        kind, EngineMessageSanitizer.then(message.toString(), step(kind)))
                .withCode(state)
                .withDetails(details);
        return kind == FailureKind.OVERLOADED || kind == FailureKind.UNAVAILABLE
                ? failed.withRetryAfterMs(RETRY_SOON_MS)
                : failed;
    }

    private static void append(StringBuilder message, ObjectNode details, String key, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            message.append(key.equals("hint") ? ". Hint: " : ". Detail: ").append(value);
            details.put(key, value);
        }
    }

    /**
     * The server's message without secrets of the configuration; a general message if it is not about the caller's
     * text.
     */
    private static @Nullable String shown(@Nullable String words, boolean ours, ConnectionProfile.Database database) {
        if (words == null) {
            return null;
        }
        String scrubbed = database.scrubbed(words);
        return ours ? EngineMessageSanitizer.plain(scrubbed) : scrubbed;
    }

    private static String step(FailureKind kind) {
        return switch (kind) {
            case TIMEOUT -> "Ask for less: a narrower WHERE, or a LIMIT.";
            case DENIED -> "Ask for something that only reads.";
            case DENIED_UPSTREAM -> "Use another table, or ask the operator to grant it to the gateway's role.";
            case OVERLOADED, UNAVAILABLE, CANCELLED, INTERNAL -> EngineMessageSanitizer.LATER;
            case INVALID_ARGUMENT, NOT_FOUND, CONFLICT -> "get_schema_info lists tables and columns.";
        };
    }

    private static @Nullable Integer position(PgException error, int offset) {
        String text = error.getPosition();
        if (text == null || text.isEmpty()) {
            return null;
        }
        int position = Integer.parseInt(text) - offset;
        return position > 0 ? position : null;
    }

    /** The kind of failure for a SQLSTATE (PostgreSQL manual, appendix A). */
    private static FailureKind kind(String state) {
        return switch (state) {
            case "57014", "55P03", "25P03", "25P04" -> FailureKind.TIMEOUT;
            case "25006" -> FailureKind.DENIED;
            case "42501" -> FailureKind.DENIED_UPSTREAM;
            case "57P01", "57P02", "57P03", "57P05" -> FailureKind.UNAVAILABLE;
            default ->
                switch (state.length() < 2 ? "" : state.substring(0, 2)) {
                    case "08", "58", "XX", "F0", "" -> FailureKind.UNAVAILABLE;
                    case "28", "3D" -> FailureKind.DENIED_UPSTREAM;
                    case "53" -> FailureKind.OVERLOADED;
                    default -> FailureKind.INVALID_ARGUMENT;
                };
        };
    }

    /** The pool's own failures, which have no types: its queue is full, or a connection did not come in time. */
    private static ToolReply.Failed acquiring(Throwable cause, ConnectionProfile.Database database) {
        if (cause instanceof ReadOnlyPool.Busy || queueFull(cause) || waitedInVain(cause)) {
            return new ToolReply.Failed(
                            FailureKind.OVERLOADED,
                            "All connections to " + database.words() + " are busy. Try again in a moment.")
                    .withRetryAfterMs(RETRY_SOON_MS);
        }
        if (cause.getCause() instanceof IOException) {
            return unavailable(database.words() + " can't be reached. " + EngineMessageSanitizer.LATER);
        }
        if (cause instanceof RuntimeException defect && !(cause instanceof VertxException)) {
            throw defect;
        }
        if (String.valueOf(cause.getMessage()).contains("SSL")) {
            return unavailable(database.words() + " can't be used: TLS failed. The operator has to compare sslMode and"
                    + " sslRootCert with the server's certificate and the name it is for.");
        }
        return unavailable(database.words() + " can't be used: the connection was lost or could not be made. "
                + EngineMessageSanitizer.LATER);
    }

    private static boolean queueFull(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        return text.contains("wait queue") || text.contains("waiter");
    }

    /** Whether {@code error} is about the query, not about the server or the connection. */
    static boolean aboutTheQuery(PgException error) {
        String state = String.valueOf(error.getSqlState());
        return switch (kind(state)) {
            case INVALID_ARGUMENT, DENIED -> true;
            case DENIED_UPSTREAM -> state.startsWith("42");
            case NOT_FOUND, CONFLICT, UNAVAILABLE, TIMEOUT, OVERLOADED, CANCELLED, INTERNAL -> false;
        };
    }

    /** Whether {@code cause} means that a pool had no free connection in time. */
    static boolean waitedInVain(Throwable cause) {
        return cause instanceof VertxException
                && String.valueOf(cause.getMessage()).startsWith("Timeout");
    }

    /** Whether {@code cause} means that the server is unreachable or the connection was lost. */
    static boolean unreachable(Throwable cause) {
        return switch (cause) {
            case PgException error -> {
                String state = String.valueOf(error.getSqlState());
                yield state.startsWith("57P0") || state.startsWith("08");
            }
            case ToolException _, ReadOnlyPool.Busy _ -> false;
            case ClosedConnectionException _, IOException _ -> true;
            case VertxException lost -> !queueFull(lost) && !waitedInVain(lost);
            default -> cause.getCause() instanceof IOException;
        };
    }

    private static ToolReply.Failed unavailable(String message) {
        return new ToolReply.Failed(FailureKind.UNAVAILABLE, message).withRetryAfterMs(RETRY_SOON_MS);
    }
}
