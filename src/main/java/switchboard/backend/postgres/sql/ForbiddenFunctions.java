package switchboard.backend.postgres.sql;

import java.util.List;
import java.util.Set;

/**
 * Functions that a caller's SQL may not call although a read-only transaction would let it: they act on other sessions,
 * files, the server or the session itself, hold locks, or run SQL that they are given as a string, which no check here sees. The database's own grants are the second line.
 */
final class ForbiddenFunctions {
    private static final Set<String> FUNCTIONS = Set.of(
            "connectby",
            "connectby2",
            "cursor_to_xml",
            "cursor_to_xmlschema",
            "lowrite",
            "nextval",
            "pg_cancel_backend",
            "pg_current_logfile",
            "pg_export_snapshot",
            "pg_import_system_collations",
            "pg_is_wal_replay_paused",
            "pg_log_backend_memory_contexts",
            "pg_log_standby_snapshot",
            "pg_notify",
            "pg_prewarm",
            "pg_promote",
            "pg_read_binary_file",
            "pg_read_file",
            "pg_reload_conf",
            "pg_rotate_logfile",
            "pg_stat_file",
            "pg_switch_wal",
            "pg_sync_replication_slots",
            "pg_terminate_backend",
            "query_to_xml",
            "query_to_xml_and_xmlschema",
            "query_to_xmlschema",
            "set_config",
            "setseed",
            "setval",
            "ts_rewrite",
            "ts_stat",
            "xpath_table");

    private static final List<String> PREFIXES = List.of(
            "autoprewarm_",
            "brin_",
            "crosstab",
            "dblink",
            "gin_clean_",
            "lo_",
            "pg_advisory_",
            "pg_backup_",
            "pg_clear_",
            "pg_copy_",
            "pg_create_",
            "pg_drop_",
            "pg_file_",
            "pg_logical_",
            "pg_ls_",
            "pg_replication_",
            "pg_restore_",
            "pg_start_",
            "pg_stat_reset",
            "pg_stop_",
            "pg_surgery",
            "pg_try_advisory_",
            "pg_wal_replay_");

    private ForbiddenFunctions() {}

    /** Whether a call of {@code function}, a name as the catalogue has it, is refused. */
    static boolean function(String function) {
        return FUNCTIONS.contains(function) || PREFIXES.stream().anyMatch(function::startsWith);
    }
}
