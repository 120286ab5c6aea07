-- Chunks in an engine (`store: weaviate`) that no document uses: those that are being written, until their document is, and those of
-- documents that were replaced or removed, until they are removed, too.
CREATE TABLE unused_chunks (
  collection uuid NOT NULL,                             -- the incarnation of the library
  document text NOT NULL,                               -- its id; empty for all of a library that is to be dropped
  backend text NOT NULL,
  ready timestamptz NOT NULL,                           -- when they may be removed
  claimed boolean NOT NULL DEFAULT false,               -- whether they are being removed: no document may use them any more
  PRIMARY KEY (collection, document)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
CREATE INDEX unused_chunks_ready ON unused_chunks (backend, ready);
CREATE INDEX library_incarnation ON library (incarnation);
