package switchboard.backend.postgres;

import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Collectors;
import switchboard.upstream.LiveSecrets;

/**
 * One database as one role. The gateway's own SQL and callers' SQL use different connections: the former keep prepared
 * statements, the latter keep nothing from one call to the next.
 *
 * @param place where it is
 * @param user the role
 * @param own runs SQL that this code wrote
 * @param caller runs SQL that a caller wrote
 * @param guard what calls pass on the way to either
 */
record ConnectionProfile(Database place, String user, ReadOnlyPool own, ReadOnlyPool caller, ServerGuard guard) {
    /**
     * Where a database is.
     *
     * @param name its name in the configuration, empty for the default one
     * @param addresses the servers that have it
     * @param secrets what must not be in what these say
     */
    record Database(String name, List<HostAndPort> addresses, String database, LiveSecrets secrets) {
        Database {
            addresses = List.copyOf(addresses);
        }

        /** What the server said, without secrets. */
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

        /** What to pass as the argument {@code database} to get here. */
        String shortName() {
            return name.isEmpty() ? "default" : name;
        }
    }

    Future<Void> close() {
        return Future.join(own.close(), caller.close()).mapEmpty();
    }
}
