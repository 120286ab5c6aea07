package switchboard.fetch;

import java.io.ByteArrayOutputStream;

/** Collects a body up to a bound. */
final class BoundedBody {
    private final int max;
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream();

    BoundedBody(int max) {
        this.max = max;
    }

    /** Adds {@code part}, unless that exceeds the bound; then false, for good. */
    boolean add(byte[] part) {
        if (part.length > max - collected.size()) {
            return false;
        }
        collected.writeBytes(part);
        return true;
    }

    byte[] bytes() {
        return collected.toByteArray();
    }
}
