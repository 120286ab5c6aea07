package switchboard.convert;

/**
 * Lengths of chunks, in tokens of the embedding model.
 *
 * @param max maximum length; must fit the model's input
 * @param overlap maximum length of the previous chunk's end that is repeated where a passage was cut
 * @param context room for headings in the chunks of a longer text
 * @param min shorter pieces are joined to a neighbour if that fits
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

    /** The sizes for a model with an input of {@code window} tokens. */
    public ChunkSizes within(int window) {
        int fitting = Math.min(max, window);
        int half = fitting / 2;
        return new ChunkSizes(fitting, Math.min(context, half), Math.min(overlap, half), Math.min(min, half));
    }

    /** Maximum length of chunks of a text that has several. */
    int packed() {
        return max - context;
    }
}
