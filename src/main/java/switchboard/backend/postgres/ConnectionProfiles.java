package switchboard.backend.postgres;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.call.Binding;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * The configured databases, each with each role. A team whose binding names a role uses that login role on its own
 * connections; row-level security and grants in the database do the rest.
 */
final class ConnectionProfiles {
    /** The binding that names one of the configured roles. */
    static final String ROLE = "role";

    /** How the backend's own database is named. */
    static final String DEFAULT = "default";

    private record ProfileKey(String database, String role) {}

    private final Map<String, ConnectionProfile> byDatabase = new TreeMap<>();
    private final Map<ProfileKey, ConnectionProfile> byRole;

    ConnectionProfiles(PostgresSettings settings, ConnectionProfileFactory factory) {
        Map<String, PostgresSettings.Connection> connections = new TreeMap<>(settings.databases());
        if (connections.putIfAbsent("", settings.connection()) != null || connections.containsKey(DEFAULT)) {
            throw new IllegalArgumentException(
                    "databases: the names \"\" and \"default\" are those of the key connection; choose others");
        }
        Map<ProfileKey, ConnectionProfile> roles = new java.util.HashMap<>();
        connections.forEach((name, connection) -> {
            byDatabase.put(name, factory.profile(name, connection, null));
            settings.access()
                    .roles()
                    .forEach((role, login) ->
                            roles.put(new ProfileKey(name, role), factory.profile(name, connection, login)));
        });
        byRole = Map.copyOf(roles);
    }

    /**
     * The profile for a caller.
     *
     * @param database a configured name, or null for the default database
     * @throws ToolException if there is no such database, or the caller's role is not configured
     */
    ConnectionProfile of(@Nullable String database, Caller caller) {
        String name = database == null || database.equals(DEFAULT) ? "" : database;
        ConnectionProfile connectionProfile = byDatabase.get(name);
        if (connectionProfile == null) {
            throw unknown();
        }
        Optional<Binding> role = caller.binding(ROLE);
        if (role.isEmpty()) {
            return connectionProfile;
        }
        ConnectionProfile own = byRole.get(new ProfileKey(name, role.get().value()));
        if (own == null) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "The team is bound to a database role that is not configured here; the operator has to add it under"
                            + " access.roles.");
        }
        return own;
    }

    /**
     * The configured name of the database that a caller's URL means. Only host, port and database are compared: user
     * and password are ignored, and the gateway never connects to anything that is not configured.
     *
     * @throws ToolException if it is not configured, or not a URL
     */
    String named(String url) {
        return parse(url)
                .flatMap(wanted -> byDatabase.entrySet().stream()
                        .filter(entry -> same(entry.getValue().database(), wanted))
                        .map(Map.Entry::getKey)
                        .findFirst())
                .map(name -> name.isEmpty() ? DEFAULT : name)
                .orElseThrow(() -> new ToolException(
                        FailureKind.DENIED,
                        "That connection URL is none of the configured databases; the gateway connects nowhere else."
                                + " Use the argument 'database' with one of: " + names() + "."));
    }

    /**
     * The configured name of the database that a caller's {@code target}, a name or a URL, means.
     *
     * @throws ToolException if it is not configured
     */
    String target(String target) {
        if (target.contains("://")) {
            return named(target);
        }
        if (!target.equals(DEFAULT) && !byDatabase.containsKey(target)) {
            throw unknown();
        }
        return target;
    }

    private ToolException unknown() {
        return new ToolException(
                FailureKind.NOT_FOUND, "There is no database of that name here. Databases: " + names() + ".");
    }

    private static Optional<ConnectionSettings> parse(String url) {
        try {
            return Optional.of(ConnectionSettings.fromUrl(url));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static boolean same(ConnectionProfile.Database target, ConnectionSettings wanted) {
        return target.database().equals(wanted.options().getDatabase())
                && wanted.addresses().stream().allMatch(one -> target.addresses().stream()
                        .anyMatch(known -> known.host().equalsIgnoreCase(one.host()) && known.port() == one.port()));
    }

    /** The names that the argument {@code database} takes. */
    String names() {
        TreeSet<String> names = new TreeSet<>(byDatabase.keySet());
        names.remove("");
        return names.isEmpty() ? DEFAULT : DEFAULT + ", " + names.stream().collect(Collectors.joining(", "));
    }

    /** Whether {@code database} is configured; null is. */
    boolean has(@Nullable String database) {
        return database == null || byDatabase.containsKey(database);
    }

    /** Every database as every role. */
    List<ConnectionProfile> all() {
        List<ConnectionProfile> all = new ArrayList<>(byDatabase.values());
        all.addAll(byRole.values());
        return all;
    }

    Future<Void> close() {
        return Future.join(all().stream().map(ConnectionProfile::close).toList())
                .mapEmpty();
    }
}
