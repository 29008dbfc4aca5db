// A database whose large bodies moved to an object store reads both, and is never opened without it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openS3 } from '../../../../src/store/blobs/s3/open-s3.ts';
import { StoreError } from '../../../../src/store/ports/store-error.ts';
import { connect } from '../../../../src/store/postgres/database/database.ts';
import { openBlobs } from '../../../../src/store/postgres/open-blobs.ts';
import { createDatabase, hasPostgres } from '../../../conformance/open-postgres.ts';
import { createPlace, hasS3, INSTALLATION } from '../../../conformance/open-s3.ts';
import { noise } from '../../../conformance/samples.ts';

const skip = !(hasS3 && hasPostgres) && 'PostgreSQL or an object store is missing';

test('an object store that is set later does not hide what the database holds', { skip }, async (t) => {
  const database = connect({ url: (await createDatabase(t)).url, connections: 2 });
  t.after(() => database.close());
  const place = await createPlace(t, { hasPresignedLinks: true });
  const before = await openBlobs(database, undefined);
  await before.put('older', noise(100));
  const after = await openBlobs(database, (isInUse) => openS3(place, { ...INSTALLATION, isInUse }));
  t.after(() => after.close());
  await after.put('newer', noise(200));
  assert.equal((await after.read('older'))?.byteLength, 100);
  assert.equal((await after.read('newer'))?.byteLength, 200);
  assert.equal(await before.read('newer'), undefined);
  const options = { seconds: 60, type: 'image/png', disposition: 'inline' };
  assert.equal(await after.link!('older', options), undefined, 'only the database has it');
  assert.match((await after.link!('newer', options))!, /^http/);
  assert.deepEqual(
    (await after.list('', 10)).map(({ name }) => name),
    ['newer', 'older'],
  );
  await after.remove(['older', 'newer']);
  assert.deepEqual(await after.list('', 10), []);

  await assert.rejects(openBlobs(database, undefined), StoreError);
  const elsewhere = { ...place, prefix: `${place.prefix}elsewhere/` };
  await assert.rejects(
    openBlobs(database, (isInUse) => openS3(elsewhere, { ...INSTALLATION, isInUse })),
    /already has objects/,
  );
});
