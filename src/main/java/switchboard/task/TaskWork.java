package switchboard.task;

/** The work of a task. Called on any thread; must not block. */
public interface TaskWork {
    /**
     * Begins the work: its turn has come. Called at most once.
     *
     * @param over to be run when the work is over, so that another task's turn comes
     */
    void begin(Runnable over);

    /** Cancels the work, also before it has begun. */
    void cancel();
}
