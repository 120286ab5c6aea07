-- Documents of embedded stores with `store: cluster`. Each gateway follows them with Lucene files of its own. All rows are found by
-- their library first. What may have U+0000 or is large is bytea.

-- A library, from its first document until it is dropped. One that is made again is another row. The row of one that was dropped
-- stays for an hour, so that all gateways see that it is gone.
CREATE TABLE library (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  incarnation uuid NOT NULL DEFAULT gen_random_uuid(),  -- an id may come again after a fail-over, this does not
  backend text NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,
  live boolean NOT NULL DEFAULT true,
  position bigint NOT NULL DEFAULT 0,                   -- of the newest change
  operation uuid,                                       -- of the newest change
  changed timestamptz NOT NULL DEFAULT now(),
  touched xid8 NOT NULL DEFAULT pg_current_xact_id()    -- the transaction that wrote this row
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
CREATE UNIQUE INDEX library_name ON library (backend, owner, name) WHERE live;
CREATE INDEX library_touched ON library (backend, touched);

CREATE TABLE document (
  library bigint NOT NULL,
  key bytea NOT NULL,                                   -- SHA-256 of the source
  id text NOT NULL,
  restricted boolean NOT NULL,                          -- whether not everyone may read it
  size integer NOT NULL,                                -- of the columns below, in bytes
  facts bytea NOT NULL,                                 -- JSON: source, title, metadata, readers ...
  text bytea NOT NULL,
  chunks bytea NOT NULL,                                -- JSON
  vectors bytea NOT NULL,
  PRIMARY KEY (library, key)
);
ALTER TABLE document ALTER COLUMN vectors SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX document_id ON document (library, id);

-- What was done, in its order: a transaction takes its position in its last statement, under the lock of the library's row.
CREATE TABLE change (
  library bigint NOT NULL,
  position bigint NOT NULL,
  key bytea NOT NULL,
  source bytea NOT NULL,
  kind text NOT NULL,                                   -- put, describe, delete, reindex
  operation uuid NOT NULL,
  created timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (library, position)
);
CREATE INDEX change_created ON change (created);
