package switchboard.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;

/** What the rounds of one measurement gave. */
final class Samples {
    private final List<Double> values = new ArrayList<>();

    void add(double value) {
        values.add(value);
    }

    /** Forgets them. */
    void clear() {
        values.clear();
    }

    /** The one in the middle, or between the two in the middle. */
    double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int size = sorted.size();
        return size == 0 ? Double.NaN : (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
    }

    /** The one that the part {@code p} of them is below. */
    double at(double p) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) Math.min(sorted.size() - 1, p * sorted.size()));
    }

    /** How far apart the least and the greatest are, as a part of the median. */
    double spread() {
        return (greatest() - least()) / median();
    }

    double least() {
        return values.stream().mapToDouble(v -> v).min().orElse(Double.NaN);
    }

    double greatest() {
        return values.stream().mapToDouble(v -> v).max().orElse(Double.NaN);
    }

    /** This less {@code other}, round by round. */
    Samples minus(Samples other) {
        return combined(other, (one, another) -> one - another);
    }

    private Samples combined(Samples other, DoubleBinaryOperator operator) {
        Samples combined = new Samples();
        for (int i = 0; i < Math.min(values.size(), other.values.size()); i++) {
            combined.add(operator.applyAsDouble(values.get(i), other.values.get(i)));
        }
        return combined;
    }

    /** The median of the ratios of this to {@code other}, round by round. */
    double over(Samples other) {
        return combined(other, (one, another) -> one / another).median();
    }

    /** The median and, in brackets, the spread. */
    String text(int digits) {
        return number(median(), digits)
                + (values.size() > 1 ? " (" + number(100 * spread(), 0) + " %)" : "");
    }

    /** {@code value} with so many {@code digits} behind the point. */
    static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
