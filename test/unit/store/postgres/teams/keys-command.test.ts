// The `keys` command works on the database that the processes of a service share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKeyRing } from '../../../../../src/compose/commands/keys.ts';
import { readConfig } from '../../../../../src/config/settings.ts';
import { hashKey } from '../../../../../src/operations/team/keys.ts';
import { createDatabase, hasPostgres, SECRET } from '../../../../conformance/open-postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('keys that a command adds and revokes count at once', {
  skip: !hasPostgres && 'It runs with npm run test:cluster',
}, async (t) => {
  const { url, open } = await createDatabase(t);
  const service = await open();
  const ring = await openKeyRing(
    readConfig({
      TRAWL_DATABASE_URL: url,
      TRAWL_SECRET: `hex:${Buffer.from(SECRET).toString('hex')}`,
      TRAWL_DATA_DIR: temporaryFolder(t),
    }),
  );
  const { key } = await ring.create('ours', {});
  const find = () => service.teams.findByKey(hashKey(key), Date.now());
  assert.equal((await find())?.team.name, 'ours');
  const [listed] = await ring.listKeys();
  await ring.revoke(listed!);
  assert.equal(await find(), undefined);
  await ring.close();
});
