package switchboard.console;

import java.util.Set;

/** Whose calls somebody sees. Equal ones see the same. */
public sealed interface CallAudience {
    /** Whether it sees {@code call}. */
    boolean sees(FinishedCall call);

    /** A word for it. */
    String word();

    /** An operator, who sees the calls of everybody. */
    record Everybody() implements CallAudience {
        @Override
        public boolean sees(FinishedCall call) {
            return true;
        }

        @Override
        public String word() {
            return "all";
        }
    }

    /** A person of {@code team}, who sees its calls. */
    record OfTeam(String team) implements CallAudience {
        @Override
        public boolean sees(FinishedCall call) {
            return call.caller().team().equals(team);
        }

        @Override
        public String word() {
            return "team";
        }
    }

    /** A person of {@code team} who looks after {@code backends}, and sees the calls of the team and those of tools there. */
    record OfBackends(String team, Set<String> backends) implements CallAudience {
        public OfBackends {
            backends = Set.copyOf(backends);
        }

        @Override
        public boolean sees(FinishedCall call) {
            return call.caller().team().equals(team)
                    || backends.contains(call.subject().backend());
        }

        @Override
        public String word() {
            return "backends";
        }
    }
}
