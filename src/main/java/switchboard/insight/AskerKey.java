package switchboard.insight;

import switchboard.telemetry.RequestCaller;

/** Whose searches belong together: a key of a team, or the subject of a token. */
record AskerKey(String team, String key) {
    static AskerKey of(RequestCaller caller) {
        return new AskerKey(caller.team(), caller.key());
    }
}
