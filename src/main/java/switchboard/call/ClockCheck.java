package switchboard.call;

import java.time.Duration;
import java.time.Instant;

/** Compares an engine's clock with the gateway's. */
public final class ClockCheck {
    /** The tolerated difference. Keys and tokens expire at a precise second, so a larger one is a problem. */
    private static final Duration TOLERATED = Duration.ofSeconds(30);

    private ClockCheck() {}

    /** The finding for the engine's time {@code theirs} and the gateway's {@code ours}. */
    public static DiagnosticFinding of(Instant theirs, Instant ours) {
        Duration ahead = Duration.between(ours, theirs);
        if (ahead.abs().compareTo(TOLERATED) <= 0) {
            return DiagnosticFinding.good("clock", "agrees with the gateway's");
        }
        return DiagnosticFinding.bad(
                "clock",
                "the engine's is " + ahead.abs().toSeconds() + " s " + (ahead.isNegative() ? "behind" : "ahead of")
                        + " the gateway's, so that keys and tokens end at the wrong time; have both machines set theirs"
                        + " by NTP (timedatectl set-ntp true)");
    }
}
