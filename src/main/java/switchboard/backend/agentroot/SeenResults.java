package switchboard.backend.agentroot;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.commons.codec.digest.DigestUtils;

/** The results that a session has seen: 16 bytes each, the oldest first. Immutable. */
final class SeenResults {
    private static final int BYTES = 16;

    private final byte[] digests;

    private SeenResults(byte[] digests) {
        this.digests = digests;
    }

    /** Those that {@link #bytes} has written. */
    static SeenResults of(byte[] bytes) {
        return new SeenResults(bytes.clone());
    }

    private static UUID digest(String key) {
        ByteBuffer hash = ByteBuffer.wrap(DigestUtils.sha256(key));
        return new UUID(hash.getLong(), hash.getLong());
    }

    /** Those of {@code keys} that were seen. */
    Set<String> among(Collection<String> keys) {
        Map<UUID, String> wanted = new HashMap<>();
        keys.forEach(key -> wanted.put(digest(key), key));
        Set<String> seen = new HashSet<>();
        ByteBuffer buffer = ByteBuffer.wrap(digests);
        while (buffer.remaining() >= BYTES) {
            String key = wanted.get(new UUID(buffer.getLong(), buffer.getLong()));
            if (key != null) {
                seen.add(key);
            }
        }
        return seen;
    }

    int size() {
        return digests.length / BYTES;
    }

    /** The same with {@code keys}; at most {@link Sessions#MAX_SEEN}, the latest. */
    SeenResults with(Collection<String> keys) {
        Map<String, UUID> more = new LinkedHashMap<>();
        keys.forEach(key -> more.put(key, digest(key)));
        more.keySet().removeAll(among(keys));
        List<UUID> latest = new ArrayList<>(more.values());
        int added = Math.min(latest.size(), Sessions.MAX_SEEN);
        int kept = Math.min(size(), Sessions.MAX_SEEN - added);
        ByteBuffer buffer = ByteBuffer.allocate((kept + added) * BYTES);
        buffer.put(digests, (size() - kept) * BYTES, kept * BYTES);
        latest.subList(latest.size() - added, latest.size())
                .forEach(one -> buffer.putLong(one.getMostSignificantBits()).putLong(one.getLeastSignificantBits()));
        return new SeenResults(buffer.array());
    }

    byte[] bytes() {
        return digests.clone();
    }
}
