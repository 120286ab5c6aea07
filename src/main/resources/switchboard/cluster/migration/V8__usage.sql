-- What teams have called on all gateways, for the console: hour by hour for a week, day by day for ninety days.
CREATE TABLE usage (
  unit text NOT NULL,                -- hour, day
  hour bigint NOT NULL,              -- its first hour, in hours since 1970-01-01T00:00Z
  team text NOT NULL,
  backend text NOT NULL,
  tool text NOT NULL,
  counts bigint[] NOT NULL,          -- calls: ok, tool_error, refused, failed; tokens; and the histogram of latencies
  PRIMARY KEY (unit, hour, team, backend, tool)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);

-- The newest batch of counts of each run of a gateway. It is changed together with the counts, so that a batch that is sent again
-- counts once. A row stays for longer than what it has counted.
CREATE TABLE usage_run (
  run text PRIMARY KEY,
  written bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);

-- The lock of the one row puts writers in order; it says when what is old was last removed.
CREATE TABLE usage_sweep (
  swept timestamptz NOT NULL
);
INSERT INTO usage_sweep VALUES ('-infinity');
