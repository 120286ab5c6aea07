package switchboard.bench;

import java.util.Optional;

/** What the servers are asked to do. */
enum Work {
    /** A list of one tool. */
    W1_1,
    /** The list of the 53 tools that the five servers had. */
    W1,
    /** The first page of a list of 500 tools. */
    W1_500,
    /** A call that touches neither network nor disk. */
    W2,
    /** A row by its primary key. */
    W3,
    /** The ten nearest of 100,000 vectors of 384 numbers. */
    W4,
    /** The same through {@code semantic_search}, which makes the vector of the text. */
    W4_SEMANTIC,
    /** W4 while another backend hangs and is called all the time. */
    W5,
    /** Twenty calls of W2 as one JSON-RPC batch. */
    W7;

    /** How many tools the five servers had together. */
    static final int TOOLS = 53;

    private static final int BATCH = 20;

    /** The one that this is compared with, in the same rounds; itself for most. */
    Work base() {
        return switch (this) {
            case W1_1, W1, W1_500, W2, W3, W4 -> this;
            case W4_SEMANTIC, W5 -> W4;
            case W7 -> W2;
        };
    }

    /** Whether a database is needed. */
    boolean database() {
        return base() == W3 || base() == W4;
    }

    /** How many calls one request makes. */
    int calls() {
        return this == W7 ? BATCH : 1;
    }

    /** How many tools a list shows; empty for calls. */
    Optional<Integer> listed() {
        return switch (this) {
            case W1_1 -> Optional.of(1);
            case W1 -> Optional.of(TOOLS);
            case W1_500 -> Optional.of(500);
            case W2, W3, W4, W4_SEMANTIC, W5, W7 -> Optional.empty();
        };
    }
}
