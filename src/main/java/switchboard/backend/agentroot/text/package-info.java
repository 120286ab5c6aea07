/**
 * Computes everything about a document that depends on its text and path only: pieces, titles, metadata. No I/O and no state.
 */
@NullMarked
package switchboard.backend.agentroot.text;

import org.jspecify.annotations.NullMarked;
