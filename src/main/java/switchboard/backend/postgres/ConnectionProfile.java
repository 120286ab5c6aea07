package switchboard.backend.postgres;

import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Collectors;
import switchboard.database.HostAndPort;
import switchboard.upstream.LiveSecrets;

/**
 * A database with a role. The gateway's own SQL and callers' SQL use different connections: the former keep prepared
 * statements, the latter keep nothing between calls.
 *
 * @param database the database
 * @param user the role
 * @param own runs SQL of the gateway
 * @param caller runs SQL of callers
 * @param guard the circuit breaker of both
 */
record ConnectionProfile(
        Database database, String user, ReadOnlyPool own, ReadOnlyPool caller, ServerCircuitBreaker guard) {
    /**
     * A database.
     *
     * @param name its name in the configuration, empty for the default one
     * @param addresses its servers
     * @param secrets the secrets to remove from their messages
     */
    record Database(String name, List<HostAndPort> addresses, String database, LiveSecrets secrets) {
        Database {
            addresses = List.copyOf(addresses);
        }

        /** The server's message without secrets. */
        String scrubbed(String said) {
            return secrets.current().scrub(said);
        }

        /** How answers name it: never with a user or password. */
        String label() {
            return "postgres://" + addresses.stream().map(HostAndPort::toString).collect(Collectors.joining(",")) + "/"
                    + database;
        }

        /** How failures name it: callers have no use for addresses. */
        String words() {
            return "The database \"" + shortName() + "\"";
        }

        /** The value of the argument {@code database} that selects it. */
        String shortName() {
            return name.isEmpty() ? "default" : name;
        }
    }

    Future<Void> close() {
        return Future.join(own.close(), caller.close()).mapEmpty();
    }
}
