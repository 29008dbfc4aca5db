// Large bodies in the database and in an object store pass the same suite.
import { createBlobRows } from '../../src/store/postgres/blob-rows.ts';
import { connect } from '../../src/store/postgres/database/database.ts';
import { openBlobs } from '../../src/store/postgres/open-blobs.ts';
import { testBlobStore } from './blobs.ts';
import { createDatabase, hasPostgres } from './open-postgres.ts';
import { hasS3, NO_S3, openBucket } from './open-s3.ts';

testBlobStore(
  'postgres',
  async (t) => {
    const { url } = await createDatabase(t);
    const database = connect({ url, connections: 4 });
    t.after(() => database.close());
    return createBlobRows(database);
  },
  !hasPostgres && 'It runs with npm run test:cluster',
);
testBlobStore('s3', openBucket, !hasS3 && NO_S3);
testBlobStore(
  's3 beside postgres',
  async (t) => {
    const { url } = await createDatabase(t);
    const database = connect({ url, connections: 4 });
    const objects = await openBucket(t);
    t.after(() => database.close());
    return openBlobs(database, async () => objects);
  },
  !(hasS3 && hasPostgres) && 'PostgreSQL or an object store is missing',
);
