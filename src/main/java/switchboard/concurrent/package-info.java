/** Executors, queues and semaphores that are bounded and shared fairly between teams. */
@NullMarked
package switchboard.concurrent;

import org.jspecify.annotations.NullMarked;
