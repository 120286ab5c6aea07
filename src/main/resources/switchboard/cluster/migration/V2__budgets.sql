-- What teams and keys have used of their limits, over all gateways. There is a row only for who has used something.
CREATE TABLE budget (
  team text NOT NULL,
  key text NOT NULL,                 -- the key's id; empty for the team
  day bigint NOT NULL DEFAULT 0,     -- the UTC day of the counts, in days since 1970-01-01
  calls bigint NOT NULL DEFAULT 0,   -- of that day: used, or leased by a gateway
  tokens bigint NOT NULL DEFAULT 0,  -- the same
  level double precision,            -- calls that may come at once; null if as many as the limit allows
  at bigint NOT NULL DEFAULT 0,      -- when that was, in milliseconds since 1970-01-01T00:00Z
  leases text NOT NULL DEFAULT '{}', -- JSON: what each gateway holds, and until when
  used timestamptz NOT NULL DEFAULT now(),
  full_at timestamptz NOT NULL DEFAULT now(), -- when the rate has no memory of what was used
  PRIMARY KEY (team, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
