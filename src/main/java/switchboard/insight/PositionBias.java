package switchboard.insight;

import java.util.List;

/**
 * How likely a hit at a place is looked at, compared with the first place (the propensity of position-based models; Joachims,
 * Swaminathan and Schnabel 2017). Measured from a log: the rate of reads at each place, drawn towards 1 / place, never rising, and
 * at least the larger of 1 / place and 0.1, so that a read counts for at most ten. Better documents stand higher, too, and the rate
 * has that in it: the bound by 1 / place keeps the correction from going further than what is usual.
 *
 * @param looked by place, the first one first, 1 to 0.1; later places are like the last one
 */
record PositionBias(List<Double> looked) {
    /** No place is better than another one. */
    static final PositionBias NONE = new PositionBias(List.of(1.0));

    /** The largest weight of a read is 1 over this. */
    static final double LEAST = 0.1;

    /** Later places are like this one: 1 / place is {@link #LEAST} there. */
    static final int PLACES = 10;

    /** So many showings at a place count as much as what is supposed without any. */
    private static final double SUPPOSED = 20;

    PositionBias {
        looked = List.copyOf(looked);
    }

    /**
     * What a log says.
     *
     * @param shown how often something was shown at each of {@link #PLACES} places
     * @param read how often it was read there
     */
    static PositionBias of(double[] shown, double[] read) {
        double reads = 0;
        double expected = 0;
        for (int i = 0; i < PLACES; i++) {
            reads += read[i];
            expected += shown[i] / (i + 1);
        }
        if (reads == 0) {
            return NONE;
        }
        double[] rates = new double[PLACES];
        double[] weights = new double[PLACES];
        for (int i = 0; i < PLACES; i++) {
            weights[i] = shown[i] + SUPPOSED;
            rates[i] = (read[i] + SUPPOSED * reads / expected / (i + 1)) / weights[i];
        }
        fall(rates, weights);
        Double[] looked = new Double[PLACES];
        for (int i = 0; i < PLACES; i++) {
            looked[i] = Math.clamp(rates[i] / rates[0], Math.max(LEAST, 1.0 / (i + 1)), 1);
        }
        return new PositionBias(List.of(looked));
    }

    /** Replaces what rises by its mean (pool adjacent violators). */
    private static void fall(double[] rates, double[] weights) {
        for (int i = 1; i < rates.length; i++) {
            int from = i;
            double sum = rates[i] * weights[i];
            double weight = weights[i];
            while (from > 0 && rates[from - 1] < sum / weight) {
                from--;
                sum += rates[from] * weights[from];
                weight += weights[from];
            }
            for (int j = from; j <= i; j++) {
                rates[j] = sum / weight;
            }
        }
    }

    /** How likely a hit at {@code position}, from 1, is looked at. */
    double at(int position) {
        return looked.get(Math.clamp(position, 1, looked.size()) - 1);
    }
}
