/** Guarded outbound HTTP: documents from the web, without a way into the private network. */
@NullMarked
package switchboard.fetch;

import org.jspecify.annotations.NullMarked;
