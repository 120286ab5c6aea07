/**
 * The configuration: a tree of records and the strict loader that reads it from YAML. It uses no other packages; every
 * package may use its value types.
 */
@NullMarked
package switchboard.config;

import org.jspecify.annotations.NullMarked;
