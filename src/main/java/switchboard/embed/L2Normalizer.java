package switchboard.embed;

/** Scales vectors to length 1, so that their dot product is their cosine. */
final class L2Normalizer {
    private L2Normalizer() {}

    /** Scales {@code vector} in place and returns it. A zero vector stays unchanged. */
    static float[] of(float[] vector) {
        double square = 0;
        for (float x : vector) {
            square += (double) x * x;
        }
        if (square > 0) {
            double scale = 1 / Math.sqrt(square);
            for (int i = 0; i < vector.length; i++) {
                vector[i] = (float) (vector[i] * scale);
            }
        }
        return vector;
    }
}
