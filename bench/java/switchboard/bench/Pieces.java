package switchboard.bench;

import java.util.Collection;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the pieces of a request cost by JMH: time and allocation of one. */
@Command(name = "Pieces", mixinStandardHelpOptions = true)
final class Pieces implements Callable<Integer> {
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    @Parameters(arity = "0..1", description = "Only those whose name holds this.")
    private String pattern = "";

    @Option(names = "--forks", description = "Processes of each.")
    private int forks = 3;

    @Option(names = "--iterations", description = "In each, after as many to warm up.")
    private int iterations = 5;

    @Option(names = "--millis", description = "Of an iteration.")
    private int millis = 1_000;

    static void main(String[] arguments) {
        System.exit(new CommandLine(new Pieces()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(PieceBenchmarks.class.getSimpleName() + ".*" + pattern)
                        .forks(forks)
                        .warmupIterations(iterations)
                        .warmupTime(TimeValue.milliseconds(millis))
                        .measurementIterations(iterations)
                        .measurementTime(TimeValue.milliseconds(millis))
                        .addProfiler(GCProfiler.class)
                        .build())
                .run();
        Markdown table = new Markdown("piece", "ns", "99.9 % interval", "bytes allocated");
        for (RunResult result : results) {
            Result<?> time = result.getPrimaryResult();
            Result<?> allocated = result.getSecondaryResults().entrySet().stream()
                    .filter(entry -> entry.getKey().endsWith(ALLOCATION))
                    .map(entry -> (Result<?>) entry.getValue())
                    .findFirst()
                    .orElseThrow();
            table.row(
                    time.getLabel(),
                    Samples.number(time.getScore(), 0),
                    "+- " + Samples.number(time.getScoreError(), 0),
                    Samples.number(allocated.getScore(), 0));
        }
        table.print();
        return 0;
    }
}
