package switchboard.fetch;

import java.io.ByteArrayOutputStream;

/** Collects a body up to a maximum size. */
final class BoundedBody {
    private final int max;
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream();

    BoundedBody(int max) {
        this.max = max;
    }

    /** Adds {@code part}. Returns false, from then on always, if the maximum is exceeded. */
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
