package switchboard.call;

/** How much a {@link PassageRef} says. */
public enum RefDetail {
    /** The citation and the document's version. */
    CITE,
    /** Also each part of the citation as a field, the whole hash and the time. */
    FULL,
    /** There are no refs. */
    NONE
}
