package switchboard.config;

import java.nio.file.Path;

/** Settings of the audit log. */
public record AuditConfig(
        @Default("file")
        @Doc("`file`: a file that is rotated by size; `stdout`: standard output; `none`: no audit log.")
        To to,

        @Default("data/audit/audit.jsonl") @Doc("The file, relative to the data folder.")
        Path file,

        @Default("32MiB") @AllowedRange(min = "4KiB", max = "1GiB") @Doc("Size at which the file is rotated.")
        Size maxSize,

        @Default("10")
        @AllowedRange(min = "0", max = "1000")
        @Doc("How many older files are kept, as `audit.jsonl.1` (the newest) and so on.")
        int keep,

        @Default("none")
        @Doc("How a tool's arguments are logged: `none`; `hash`, their SHA-256; `redacted`, without what looks like a"
                + " secret or an e-mail address; `full`.")
        ArgumentDetail arguments,

        @Default("false")
        @Doc(
                "Whether calls are refused while the audit log can't be written. Otherwise calls continue and lines are missing.")
        boolean required) {
    /** The destination of the audit log. */
    public enum To {
        /** A file. */
        FILE,
        /** Standard output. */
        STDOUT,
        /** No audit log. */
        NONE
    }

    /** How a tool's arguments are logged. */
    public enum ArgumentDetail {
        /** Arguments are not recorded. */
        NONE,
        /** Their SHA-256 only. */
        HASH,
        /** With secrets and e-mail addresses replaced. */
        REDACTED,
        /** The arguments as they are. */
        FULL
    }
}
