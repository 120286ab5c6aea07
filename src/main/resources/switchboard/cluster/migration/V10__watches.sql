-- Standing questions of callers, which one gateway at a time asks again.
CREATE TABLE watch (
  uri text PRIMARY KEY,
  team text NOT NULL,
  body bytea,                        -- the question with its news (JSON); null when it has ended
  revision bigint NOT NULL DEFAULT 1,
  node text NOT NULL,                -- the gateway that wrote it last
  touched xid8 NOT NULL DEFAULT pg_current_xact_id(),
  changed timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
CREATE INDEX watch_team ON watch (team) WHERE body IS NOT NULL;
CREATE INDEX watch_touched ON watch (touched);
