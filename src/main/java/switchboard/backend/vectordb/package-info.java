/** The backend type {@code vectordb}: mcpvectordb's tools on the embedded store. */
@NullMarked
package switchboard.backend.vectordb;

import org.jspecify.annotations.NullMarked;
