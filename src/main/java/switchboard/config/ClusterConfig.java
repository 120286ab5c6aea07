package switchboard.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL database that several gateways share. */
public record ClusterConfig(
        @Doc(
                "URL of the database: `postgres://user:password@host:5432/name`. Of several hosts (`host1:5432,host2:5432`)"
                        + " the one is used that can be written to; `sslmode` is understood. It may lead to a PgBouncer in"
                        + " transaction mode if `direct` is set. The user needs the right to create the schema, or its ownership.")
        Secret database,

        @Doc("URL of the same database without a pooler, for notices (LISTEN) and migrations. If missing, `database` is"
                + " a direct connection.")
        @Nullable
        Secret direct,

        @Doc("Password of the user, if it is not in the URLs.") @Nullable
        Secret password,

        @Doc(
                "File with the certificate authorities of the servers, for `sslmode=verify-ca` and `verify-full`; those that"
                        + " Java trusts if missing.")
        @Nullable
        PemFile sslRootCert,

        @Default("switchboard")
        @Doc("The schema with the gateway's tables. It is made, and changed for new versions, by the gateway.")
        String schema,

        @Doc(
                "The name of this node in logs, in the console and in the table of nodes; the name of the machine if missing.")
        @Nullable
        String node,

        @Default("8") @AllowedRange(min = "1", max = "64") @Doc("Maximum number of connections of this node.")
        int connections) {
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,39}");
    private static final int LONGEST_NAME = 63;

    public ClusterConfig {
        if (!SCHEMA.matcher(schema).matches() || schema.startsWith("pg_")) {
            throw new IllegalArgumentException("schema must match " + SCHEMA.pattern() + " and not begin with pg_");
        }
        if (node != null
                && (node.isBlank()
                        || node.length() > LONGEST_NAME
                        || node.chars().anyMatch(Character::isISOControl))) {
            throw new IllegalArgumentException(
                    "node must have 1 to " + LONGEST_NAME + " characters, none of them a control character");
        }
    }

    /** The URL for notices and migrations. */
    public Secret directly() {
        return direct == null ? database : direct;
    }
}
