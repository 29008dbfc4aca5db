// Teams with settings of their own, each with a key, written into the store of a running service.
import { openBeside } from '../../src/compose/commands/open-beside.ts';
import { readConfig } from '../../src/config/settings.ts';
import type { KeyLimits, TeamSettings } from '../../src/contracts/team/policy.ts';
import { hashKey } from '../../src/operations/team/keys.ts';
import { randomToken } from '../../src/util/ids.ts';
import { storeSettings } from './engines.ts';

export interface NewTeam {
  name: string;
  settings?: TeamSettings;
  /** Limits of the key. */
  limits?: KeyLimits;
}

/** Returns the keys, in the order of the teams. The same name twice makes two keys of one team. */
export async function addTeams(dataDir: string, teams: readonly NewTeam[], now = Date.now()): Promise<string[]> {
  const by = { actor: 'operator', at: now };
  const store = await openBeside(readConfig(await storeSettings(dataDir)));
  try {
    const keys: string[] = [];
    for (const { name, settings, limits } of teams) {
      const { id } = await store.teams.ensureTeam(name, now);
      if (settings) await store.teams.changeTeam(id, settings, by);
      const key = `fc-${randomToken(16)}`;
      await store.teams.addKey({ hash: hashKey(key), prefix: key.slice(0, 11), team: name, limits }, by);
      keys.push(key);
    }
    return keys;
  } finally {
    await store.close();
  }
}
