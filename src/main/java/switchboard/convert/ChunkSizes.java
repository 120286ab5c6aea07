package switchboard.convert;

/**
 * How long chunks are, in tokens of the embedding model.
 *
 * @param max no chunk is longer; must fit the model's window
 * @param overlap how much of the former chunk is repeated, at most, where a passage had to be cut
 * @param context room left in the chunks of a text that needs several, for the headings that are embedded with them
 * @param min shorter pieces are joined to a neighbour where that fits
 */
public record ChunkSizes(int max, int context, int overlap, int min) {
    /** The sizes that mcpvectordb documents. */
    public static final ChunkSizes STANDARD = new ChunkSizes(512, 32, 64, 50);

    public ChunkSizes {
        if (max < 8 || outside(context, max) || outside(overlap, max) || outside(min, max)) {
            throw new IllegalArgumentException("chunk sizes must be 0 <= context, overlap, min <= max / 2");
        }
    }

    private static boolean outside(int part, int max) {
        return part < 0 || part > max / 2;
    }

    /** The same for a model that takes {@code window} tokens. */
    public ChunkSizes within(int window) {
        int fitting = Math.min(max, window);
        int half = fitting / 2;
        return new ChunkSizes(fitting, Math.min(context, half), Math.min(overlap, half), Math.min(min, half));
    }

    /** How long the chunks of a text are that needs several. */
    int packed() {
        return max - context;
    }
}
