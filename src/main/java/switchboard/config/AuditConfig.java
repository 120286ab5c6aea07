package switchboard.config;

import java.nio.file.Path;

/** The trail that calls leave. */
public record AuditConfig(
        @Default("file")
        @Doc("`file`: a file that is put aside when it is full; `stdout`: standard output; `none`: no trail.")
        To to,

        @Default("data/audit/audit.jsonl") @Doc("The file, relative to the data folder.")
        Path file,

        @Default("32MiB")
        @AllowedRange(min = "4KiB", max = "1GiB")
        @Doc("How large the file grows before it is put aside.")
        Size maxSize,

        @Default("10")
        @AllowedRange(min = "0", max = "1000")
        @Doc("How many older files are kept, as `audit.jsonl.1` (the youngest) and so on.")
        int keep,

        @Default("none")
        @Doc(
                "What is written of a tool's arguments: `none`; `hash`, their SHA-256; `redacted`, without what looks like a"
                        + " secret or an e-mail address; `full`.")
        ArgumentDetail arguments,

        @Default("false")
        @Doc("Whether calls are refused while the trail can't be written; otherwise they go on, and lines are missing.")
        boolean required) {
    /** Where lines go. */
    public enum To {
        /** To a file. */
        FILE,
        /** To standard output. */
        STDOUT,
        /** Nowhere. */
        NONE
    }

    /** What is written of arguments. */
    public enum ArgumentDetail {
        /** Nothing. */
        NONE,
        /** Their SHA-256. */
        HASH,
        /** Without what looks private. */
        REDACTED,
        /** All. */
        FULL
    }
}
