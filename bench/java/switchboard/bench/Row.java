package switchboard.bench;

/** What one server did under one load, round by round. */
record Row(String work, String era, String load, String server, Samples perSecond, Samples p50, Samples p99, Samples cpu) {
    Row(String work, String era, String load, String server) {
        this(work, era, load, server, new Samples(), new Samples(), new Samples(), new Samples());
    }

    void add(Wrk.Result result) {
        perSecond.add(result.perSecond());
        p50.add(result.p50Millis());
        p99.add(result.p99Millis());
        cpu.add(result.cpuMicros());
    }

    /** Whether {@code other} did the same. */
    boolean comparable(Row other) {
        return work.equals(other.work) && era.equals(other.era) && load.equals(other.load);
    }
}
