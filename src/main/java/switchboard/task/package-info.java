/** Tasks of the extension {@code io.modelcontextprotocol/tasks}: what they are, and the files that keep them. */
@NullMarked
package switchboard.task;

import org.jspecify.annotations.NullMarked;
