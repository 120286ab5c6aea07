package switchboard.backend.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import switchboard.config.Secret;
import switchboard.upstream.LiveSecrets;

/**
 * The secrets to remove from a server's messages: the passwords of a backend's roles, and URLs that contain some of
 * them.
 */
final class DatabaseSecrets {
    private DatabaseSecrets() {}

    /** The secrets of {@code settings}, with their current values at each use. */
    static LiveSecrets of(PostgresSettings settings) {
        List<Secret> all = new ArrayList<>();
        add(settings.connection(), all);
        settings.databases().values().forEach(connection -> add(connection, all));
        for (PostgresSettings.Role role : settings.access().roles().values()) {
            if (role.password() != null) {
                all.add(role.password());
            }
        }
        return new LiveSecrets(all);
    }

    private static void add(PostgresSettings.Connection connection, List<Secret> all) {
        Secret url = connection.url();
        Secret password = connection.password();
        if (url != null) {
            all.add(url);
            all.add(url.as(DatabaseSecrets::password));
        } else if (password == null) {
            // It is then that of the environment, if there is one.
            all.add(Secret.of(Objects.requireNonNullElse(
                    ConnectionSettings.of(connection).options().getPassword(), "")));
        }
        if (password != null) {
            all.add(password);
        }
    }

    private static String password(String url) {
        try {
            return Objects.requireNonNullElse(
                    ConnectionSettings.fromUrl(url).options().getPassword(), "");
        } catch (IllegalArgumentException _) {
            return ""; // no URL any more, and so without one
        }
    }
}
