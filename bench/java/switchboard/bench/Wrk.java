package switchboard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** wrk, Debian's package, unpacked below {@code target/bench}: a closed loop of so many connections. */
final class Wrk {
    private static final Pattern LATENCY = Pattern.compile("(50|99)%\\s+([0-9.]+)(us|ms|s|m)");
    private static final Pattern COUNT = Pattern.compile("answers (\\d+) micros (\\d+) errors (\\d+)");

    private final Path folder;

    private Wrk(Path folder) {
        this.folder = folder;
    }

    /**
     * What came of a run.
     *
     * @param cpuMicros processor time of the server for one request
     */
    record Result(double perSecond, double p50Millis, double p99Millis, double cpuMicros) {
        /** The figures of one call where a request holds so many; its latency is that of the request. */
        Result of(int calls) {
            return new Result(perSecond * calls, p50Millis, p99Millis, cpuMicros / calls);
        }
    }

    /** wrk, installed. */
    static Wrk install() throws IOException, InterruptedException {
        Path folder = Tools.folder("wrk");
        if (!Files.exists(folder.resolve("usr/bin/wrk"))) {
            Tools.run(folder, "apt-get", "download", "wrk", "libluajit-5.1-2");
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(one -> one.toString().endsWith(".deb")).toList()) {
                    Tools.run(folder, "dpkg-deb", "-x", file.toString(), ".");
                }
            }
        }
        return new Wrk(folder);
    }

    /** Sends {@code target} over {@code connections} for {@code seconds}; every answer must have status 200. */
    Result run(Target target, Contender contender, int connections, int seconds)
            throws IOException, InterruptedException {
        Path script = folder.resolve("request.lua");
        Files.writeString(script, script(target));
        ProcessUse before = ProcessUse.of(contender.server().pid());
        String output = Tools.run(
                folder,
                "env",
                "LD_LIBRARY_PATH=" + folder.resolve("usr/lib/x86_64-linux-gnu"),
                folder.resolve("usr/bin/wrk").toString(),
                "-t1",
                "-c" + connections,
                "-d" + seconds,
                "--latency",
                "--timeout",
                "20s",
                "-s",
                script.toString(),
                target.url().toString());
        ProcessUse after = ProcessUse.of(contender.server().pid());
        Matcher count = COUNT.matcher(output);
        if (!count.find() || !count.group(3).equals("0")) {
            throw new IOException(contender.name() + ": " + output);
        }
        double answers = Double.parseDouble(count.group(1));
        return new Result(
                answers / Double.parseDouble(count.group(2)) * 1e6,
                latency(output, "50"),
                latency(output, "99"),
                (after.cpuMicros() - before.cpuMicros()) / answers);
    }

    private static double latency(String output, String percentile) throws IOException {
        Matcher line = LATENCY.matcher(output);
        while (line.find()) {
            if (line.group(1).equals(percentile)) {
                double value = Double.parseDouble(line.group(2));
                return switch (line.group(3)) {
                    case "us" -> value / 1e3;
                    case "ms" -> value;
                    case "s" -> value * 1e3;
                    default -> value * 60e3;
                };
            }
        }
        throw new IOException("wrk told no latency:\n" + output);
    }

    private static String script(Target target) {
        StringBuilder script = new StringBuilder("wrk.method = \"POST\"\nwrk.body = [==[");
        script.append(target.body()).append("]==]\n");
        target.headers().forEach((name, value) ->
                script.append(String.format(Locale.ROOT, "wrk.headers[\"%s\"] = \"%s\"%n", name, value)));
        return script.append("""
                done = function(summary)
                  local e = summary.errors
                  io.write(string.format("answers %d micros %d errors %d\\n", summary.requests, summary.duration,
                    e.connect + e.read + e.write + e.status + e.timeout))
                end
                """).toString();
    }
}
