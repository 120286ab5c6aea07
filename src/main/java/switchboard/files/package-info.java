/** Files: opened without following links, and made for their owner only. Knows nothing of the rest. */
@NullMarked
package switchboard.files;

import org.jspecify.annotations.NullMarked;
