package switchboard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process has used so far, as Linux counts it.
 *
 * @param cpuMicros user and system time of all its threads, in microseconds; counted in steps of 10 ms
 * @param rssBytes its memory that is in RAM now
 */
record ProcessUse(long cpuMicros, long rssBytes) {
    private static final long MICROS_A_TICK = 10_000;
    private static final int USER_TIME = 11;

    /** Of the process {@code pid}. */
    static ProcessUse of(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        // The program's name stands in parentheses and may hold anything; what follows is fields.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1]);
        return new ProcessUse(ticks * MICROS_A_TICK, rss(pid));
    }

    private static long rss(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElse(0);
    }
}
