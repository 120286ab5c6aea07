/**
 * Marks of untrusted text: what in a passage may be meant for the assistant that reads it, or is hidden from people. Rules
 * only, without a model; the text is never changed.
 */
@NullMarked
package switchboard.signal;

import org.jspecify.annotations.NullMarked;
