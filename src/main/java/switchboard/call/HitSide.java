package switchboard.call;

import java.util.Locale;
import java.util.Optional;

/** Which of two rankings put a hit into an answer that mixes both. */
public enum HitSide {
    /** The ranking in use. */
    CURRENT,
    /** The one that it is compared with. */
    PROPOSED,
    /** Both at once, or neither by itself: reading it says nothing. */
    BOTH;

    /** As it is logged. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The side that is logged as {@code word}; empty if there is none. */
    public static Optional<HitSide> of(String word) {
        for (HitSide side : values()) {
            if (side.word().equals(word)) {
                return Optional.of(side);
            }
        }
        return Optional.empty();
    }
}
