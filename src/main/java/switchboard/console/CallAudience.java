package switchboard.console;

import java.util.Set;

/** Whose calls somebody sees. Equal ones see the same. */
public sealed interface CallAudience {
    /** Whether it sees calls of {@code team} to {@code backend}. */
    boolean sees(String team, String backend);

    /** Whether it sees {@code call}. */
    default boolean sees(WatchedCall call) {
        return sees(call.team(), call.backend());
    }

    /** A word for it. */
    String word();

    /** An operator, who sees the calls of everybody. */
    record Everybody() implements CallAudience {
        @Override
        public boolean sees(String ofTeam, String backend) {
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
        public boolean sees(String ofTeam, String backend) {
            return ofTeam.equals(team);
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
        public boolean sees(String ofTeam, String backend) {
            return ofTeam.equals(team) || backends.contains(backend);
        }

        @Override
        public String word() {
            return "backends";
        }
    }
}
