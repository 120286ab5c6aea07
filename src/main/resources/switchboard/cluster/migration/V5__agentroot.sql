-- Collections and search sessions of `agentroot` with `store: cluster`. Its documents, definitions and memories are in the tables of V4.

-- Work that one gateway at a time does. Who has it renews `until`, which is in no index, so that it need not wait for the
-- transactions of the work: these lock the row FOR KEY SHARE, and who takes it over locks it FOR UPDATE.
CREATE SEQUENCE job_fence;
CREATE TABLE job (
  backend text NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,                                   -- of what is worked on: a collection
  holder text NOT NULL,                                 -- the node that has it
  fence bigint NOT NULL,                                -- another one each time that it is taken
  until timestamptz NOT NULL,
  PRIMARY KEY (backend, owner, name)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);

-- What may have U+0000 or is large is bytea.
CREATE TABLE search_session (
  backend text NOT NULL,
  id uuid NOT NULL,
  owner bytea NOT NULL,                                 -- SHA-256
  ttl bigint NOT NULL,                                  -- in milliseconds
  created timestamptz NOT NULL DEFAULT clock_timestamp(),
  used timestamptz NOT NULL DEFAULT clock_timestamp(),
  context bytea NOT NULL DEFAULT '',                    -- JSON
  queries bytea NOT NULL DEFAULT '',                    -- JSON
  seen bytea NOT NULL DEFAULT '',                       -- 16 bytes for each result, the oldest first
  PRIMARY KEY (backend, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
CREATE INDEX search_session_owner ON search_session (backend, owner);
