// A separate process that adds or revokes keys in the data folder of a running service, as the `keys` command does.
// Arguments: the folder, then `add COUNT` (prints the number of keys) or `revoke PREFIX`.
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { START } from '../../conformance/samples.ts';

const [dataDir, command, argument] = process.argv.slice(2);
const store = await openSqliteStore({ dataDir: dataDir!, cacheMaxBytes: 1e9, lock: false });
const by = { actor: 'operator', at: START };
if (command === 'revoke') {
  const key = (await store.teams.listKeys()).find(({ prefix }) => prefix === argument)!;
  await store.teams.removeKey(key, by);
} else {
  for (let i = 0; i < Number(argument); i++) {
    await store.teams.addKey({ hash: `hash-${i}`, prefix: `fc-${i}`, team: 'default' }, by);
  }
  process.stdout.write(String((await store.teams.listKeys()).length));
}
await store.close();
