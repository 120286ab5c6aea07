package switchboard.cluster;

/**
 * The right of a node to do some work alone, until its time is over by the database's clock.
 *
 * @param job what is worked on
 * @param holder the node
 * @param fence another one each time that the work is taken
 */
public record JobLease(DocumentTables.Place job, String holder, long fence) {}
