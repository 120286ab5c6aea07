package switchboard.watch;

/** Is told what becomes of standing questions. Called on any thread; must not block. */
public interface WatchListener {
    /** {@code watch} has news that it did not have before. */
    void news(Watch watch);

    /** {@code watch} was asked first, or has ended, at another gateway. */
    void listed(Watch watch);

    /** {@code watch} is to be asked again. Called where questions are asked. */
    void wanted(Watch watch);

    /** Questions are asked here from now on, or are no more. */
    void asking(boolean here);
}
