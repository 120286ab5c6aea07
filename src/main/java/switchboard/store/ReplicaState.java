package switchboard.store;

import java.time.Duration;

/**
 * How far the files of a namespace follow a library in a shared database, for operators.
 *
 * @param position the newest change that the files have
 * @param behind how many changes they lack, as far as is known
 * @param late how old the oldest of these is
 * @param building whether they are being built, or not begun
 * @param words the same in words
 */
public record ReplicaState(
        Namespace namespace, long position, long behind, Duration late, boolean building, String words) {}
