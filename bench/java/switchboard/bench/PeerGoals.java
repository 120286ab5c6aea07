package switchboard.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import switchboard.bench.Goal.Sense;

/** What the gateway should reach beside the other servers: ratios of rows of one run. */
final class PeerGoals {
    private static final String OURS = "switchboard";
    private static final String OFF = "switchboard-off";
    private static final String CLOSED = "closed";
    private static final String BUSY = "open 80 %";

    private static final List<Rule> RULES = List.of(
            new Rule(Work.W1, CLOSED, Figure.CPU, OURS, Work.W1, "vert.x", Sense.AT_MOST, 1.4),
            new Rule(Work.W1, CLOSED, Figure.RATE, OURS, Work.W1, "toolbox", Sense.AT_LEAST, 6),
            new Rule(Work.W1, CLOSED, Figure.CPU, OURS, Work.W1, OFF, Sense.AT_MOST, 1.08),
            new Rule(Work.W2, CLOSED, Figure.CPU, OURS, Work.W2, "vert.x", Sense.AT_MOST, 2),
            new Rule(Work.W2, CLOSED, Figure.RATE, OURS, Work.W2, "quarkus", Sense.AT_LEAST, 0.65),
            new Rule(Work.W2, CLOSED, Figure.RATE, OURS, Work.W2, "toolbox", Sense.AT_LEAST, 1.9),
            new Rule(Work.W2, CLOSED, Figure.CPU, OURS, Work.W2, OFF, Sense.AT_MOST, 1.08),
            new Rule(Work.W3, CLOSED, Figure.CPU, OURS, Work.W3, "vert.x", Sense.AT_MOST, 1.8),
            new Rule(Work.W3, CLOSED, Figure.RATE, OURS, Work.W3, "toolbox", Sense.AT_LEAST, 1.25),
            new Rule(Work.W3, BUSY, Figure.P99, OURS, Work.W3, "toolbox", Sense.AT_MOST, 1),
            new Rule(Work.W3, CLOSED, Figure.CPU, OURS, Work.W3, OFF, Sense.AT_MOST, 1.08),
            new Rule(Work.W4, CLOSED, Figure.RATE, OURS, Work.W4, "toolbox", Sense.AT_LEAST, 1.25),
            new Rule(Work.W4, CLOSED, Figure.RATE, OURS, Work.W4, "vert.x", Sense.AT_LEAST, 0.85),
            new Rule(Work.W4, BUSY, Figure.P99, OURS, Work.W4, "toolbox", Sense.AT_MOST, 1),
            new Rule(Work.W4_SEMANTIC, CLOSED, Figure.RATE, OURS, Work.W4, OURS, Sense.AT_LEAST, 0.85),
            new Rule(Work.W5, "", Figure.P99, OURS, Work.W4, OURS, Sense.AT_MOST, 1.2),
            new Rule(Work.W7, CLOSED, Figure.RATE, OURS, Work.W2, OURS, Sense.AT_LEAST, 3));

    private PeerGoals() {}

    /** What is compared. */
    private enum Figure {
        RATE("requests", Row::perSecond),
        CPU("cpu", Row::cpu),
        P99("p99", Row::p99);

        private final String title;
        private final Function<Row, Samples> samples;

        Figure(String title, Function<Row, Samples> samples) {
            this.title = title;
            this.samples = samples;
        }

        double ratio(Row one, Row other) {
            return samples.apply(one).over(samples.apply(other));
        }
    }

    /** One figure of {@code server} at {@code work}, over that of another server or at other work, under the same load. */
    private record Rule(
            Work work, String load, Figure figure, String server, Work otherWork, String other, Sense sense, double bound) {
        Optional<Goal> goal(Row row, List<Row> rows) {
            if (!row.work().equals(work.name()) || !row.load().startsWith(load) || !row.server().equals(server)) {
                return Optional.empty();
            }
            return rows.stream()
                    .filter(one -> one.work().equals(otherWork.name())
                            && one.server().equals(other)
                            && one.era().equals(row.era())
                            && one.load().equals(row.load()))
                    .findFirst()
                    .map(one -> new Goal(
                            name(row) + ": " + figure.title + " over " + otherWork + " of " + other,
                            sense,
                            bound,
                            figure.ratio(row, one)));
        }
    }

    /** All that {@code rows} tell about. */
    static List<Goal> of(List<Row> rows) {
        List<Goal> goals = new ArrayList<>();
        for (Rule rule : RULES) {
            rows.forEach(row -> rule.goal(row, rows).ifPresent(goals::add));
        }
        rows.forEach(row -> modern(row, rows).ifPresent(goals::add));
        return goals;
    }

    /** W11: the modern era is no slower than the one with sessions. */
    private static Optional<Goal> modern(Row row, List<Row> rows) {
        if (!row.server().equals(OURS) || !row.era().equals("modern") || !row.load().startsWith(CLOSED)) {
            return Optional.empty();
        }
        return rows.stream()
                .filter(one -> one.era().equals("legacy")
                        && one.work().equals(row.work())
                        && one.load().equals(row.load())
                        && one.server().equals(OURS))
                .findFirst()
                .map(one -> new Goal(
                        "W11, " + name(row) + ": requests over legacy",
                        Sense.AT_LEAST,
                        0.9,
                        Figure.RATE.ratio(row, one)));
    }

    private static String name(Row row) {
        return row.work() + " of " + row.server() + ", " + row.era() + ", " + row.load();
    }
}
