package switchboard.backend.postgres;

import io.vertx.core.Future;

/**
 * One database as one role. The gateway's own SQL and callers' SQL use different connections: the former keep prepared
 * statements, the latter keep nothing from one call to the next.
 *
 * @param place where it is
 * @param user the role
 * @param own runs SQL that this code wrote
 * @param caller runs SQL that a caller wrote
 */
record Target(Place place, String user, ReadOnlyLane own, ReadOnlyLane caller) {
    /**
     * Where a database is.
     *
     * @param name its name in the configuration, empty for the default one
     */
    record Place(String name, String host, int port, String database) {
        /** How answers name it: never with a user or password. */
        String label() {
            return "postgres://" + host + ":" + port + "/" + database;
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
