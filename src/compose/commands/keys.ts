// The keys of a data folder, for the command line. They can be managed while the service runs.
import type { KeyRing } from '../../cli/keys.ts';
import type { Config } from '../../config/settings.ts';
import { addKey } from '../../operations/team/keys.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { systemClock } from '../../util/clock.ts';

export async function openKeyRing({ dataDir, cacheMaxBytes }: Config): Promise<KeyRing & { close(): Promise<void> }> {
  const store = await openSqliteStore({ dataDir, cacheMaxBytes, lock: false });
  const { teams } = store;
  return {
    list: () => teams.listKeys(),
    add: (team) => addKey(teams, team, systemClock.now()),
    revoke: (prefix) => teams.revokeKeys(prefix),
    close: () => store.close(),
  };
}
