/** What can be told of a document by its text and path alone: pieces, titles, facts. Pure functions. */
@NullMarked
package switchboard.backend.agentroot.text;

import org.jspecify.annotations.NullMarked;
