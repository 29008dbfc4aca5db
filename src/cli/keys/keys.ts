// `trawl keys`: manages API keys and teams, also while the service is running.
import { isUnrestrictedKey } from '../../contracts/team/unrestricted-key.ts';
import type { KeyRecord } from '../../store/ports/teams/team-store.ts';
import type { Command, CommandBody, Flag } from '../command.ts';
import { noMoreThan, onlyOne } from '../parse/count-arguments.ts';
import { UsageError } from '../usage-error.ts';
import { claimTable, describeKey, keyTable, teamTable } from './describe-keys.ts';
import {
  GRACE,
  type KeyOptions,
  LIMITS,
  PLAN,
  readApproval,
  readChange,
  readGrace,
  readNewKey,
  readTeamChange,
  readTeamName,
  TEAM,
  TEAM_SETTINGS,
} from './key-options.ts';
import type { KeyRing } from './key-ring.ts';

const MIN_PREFIX = 5;

interface Call {
  ring: KeyRing;
  options: KeyOptions;
  /** What follows the command. */
  name: string;
}

/** Opens the keys for one command below this one. `run` returns the lines to print. */
function command(
  name: string,
  summary: string,
  {
    takes,
    flags = {},
    run,
  }: { takes?: string; flags?: Readonly<Record<string, Flag>>; run(call: Call): Promise<string[]> },
): Command {
  const usage = `trawl keys ${name}${takes === undefined ? '' : ` ${takes}`}`;
  return {
    name,
    summary,
    ...(takes !== undefined && { usage: takes }),
    flags,
    async run({ args, flags: options, local, screen }) {
      if (takes === undefined) noMoreThan(0, args, usage);
      const operand = takes === undefined ? '' : onlyOne(args, usage);
      const ring = await local.openKeyRing();
      try {
        screen.print((await run({ ring, options: options as KeyOptions, name: operand })).join('\n'));
      } finally {
        await ring.close();
      }
      return undefined;
    },
  };
}

export const keys: CommandBody = {
  examples: ['trawl keys add --label laptop --operations scrape,map', 'trawl keys revoke fc-1a2b3c'],
  commands: [
    command('list', 'list the keys', {
      flags: TEAM,
      async run({ ring, options: { team } }) {
        const all = await ring.listKeys();
        return keyTable(team === undefined ? all : all.filter((key) => key.team === team));
      },
    }),
    command('add', 'create a key, shown once', {
      flags: { ...TEAM, ...LIMITS },
      async run({ ring, options }) {
        const { key, record } = await ring.create(readTeamName(options.team ?? ring.defaultTeam), readNewKey(options));
        return [`New key for team ${record.team}, shown only once:`, '', `  ${key}`];
      },
    }),
    command('show', 'show what a key may do', {
      takes: 'PREFIX',
      run: async ({ ring, name }) => describeKey(await keyOf(ring, name)),
    }),
    command('change', 'change a key; an empty text removes a limit', {
      takes: 'PREFIX',
      flags: LIMITS,
      async run({ ring, name, options }) {
        const key = await keyOf(ring, name);
        const changed = await ring.change(key, readChange(options, key));
        return [...describeKey(changed), ...(await lockOutWarning(ring, key))];
      },
    }),
    command('rotate', 'new secret; the old one works for some hours', {
      takes: 'PREFIX',
      flags: GRACE,
      async run({ ring, name, options }) {
        const hours = readGrace(options);
        const { key, record } = await ring.rotate(await keyOf(ring, name), hours);
        const until = hours === 0 ? 'The old key has ended.' : `The old key works for ${hours} more hours.`;
        return [`New key for team ${record.team}, shown only once. ${until}`, '', `  ${key}`];
      },
    }),
    command('revoke', 'end a key at once', {
      takes: 'PREFIX',
      async run({ ring, name }) {
        const { prefix, team, ...key } = await ring.revoke(await keyOf(ring, name));
        return [`Revoked the key ${prefix}... of team ${team}.`, ...(await lockOutWarning(ring, { team, ...key }))];
      },
    }),
    command('teams', 'list the teams', { run: async ({ ring }) => teamTable(await ring.listTeams()) }),
    command('team', 'create or change a team', {
      takes: 'NAME',
      flags: TEAM_SETTINGS,
      async run({ ring, name, options }) {
        await ring.setTeam(readTeamName(name), readTeamChange(options));
        return teamTable((await ring.listTeams()).filter((team) => team.name === name));
      },
    }),
    command('claims', 'list anonymous agents that wait for approval', {
      run: async ({ ring }) => claimTable(await ring.listClaims()),
    }),
    command('approve', 'give the key of an anonymous agent these limits instead', {
      takes: 'ID',
      flags: { ...LIMITS, ...PLAN },
      run: async ({ ring, name, options }) => [
        `Approved the key ${await ring.approve(name, readApproval(options))}... of an anonymous agent.`,
      ],
    }),
  ],
};

/** The only key whose prefix begins with this. */
async function keyOf(ring: KeyRing, prefix: string): Promise<KeyRecord> {
  if (prefix.length < MIN_PREFIX) throw new UsageError(`Give at least the first ${MIN_PREFIX} characters of the key.`);
  const found = (await ring.listKeys()).filter((key) => key.prefix.startsWith(prefix));
  const [only] = found;
  if (!only) throw new UsageError(`No key begins with ${prefix}. See: trawl keys list`);
  if (found.length > 1)
    throw new UsageError(`${found.length} keys begin with ${prefix}, so none was chosen. Give more characters.`);
  return only;
}

/** Told after a change to a key that could manage the server, if no such key is left. */
async function lockOutWarning(
  ring: KeyRing,
  before: Pick<KeyRecord, 'team' | 'limits' | 'expiresAt'>,
): Promise<string[]> {
  const mayManage = (key: typeof before) => key.team === before.team && isUnrestrictedKey(key.limits, key.expiresAt);
  if (!mayManage(before) || (await ring.listKeys()).some(mayManage)) return [];
  return [
    `The team ${before.team} has no key without restrictions any more, so its keys can only be managed with this command.`,
  ];
}
