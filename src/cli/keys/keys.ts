// `npm run keys`: manages API keys and teams, also while the service is running.
import type { ChangeKeyRequest, ChangeTeamRequest, CreateKeyRequest } from '../../contracts/keys.ts';
import type { AgentClaim, ApproveClaimRequest } from '../../contracts/onboarding.ts';
import { isUnrestrictedKey } from '../../contracts/unrestricted-key.ts';
import type { KeyRecord, TeamRecord } from '../../store/team-store.ts';
import { UsageError } from '../usage-error.ts';
import { claimTable, describeKey, keyTable, teamTable } from './describe-keys.ts';
import {
  type KeyOptions,
  readApproval,
  readChange,
  readGrace,
  readNewKey,
  readOptions,
  readTeamChange,
  readTeamName,
} from './key-options.ts';

/** The operations on the opened store, as the operator. */
export interface KeyRing {
  listKeys(): Promise<KeyRecord[]>;
  listTeams(): Promise<TeamRecord[]>;
  create(team: string, key: CreateKeyRequest): Promise<{ key: string; record: KeyRecord }>;
  change(key: KeyRecord, change: ChangeKeyRequest): Promise<KeyRecord>;
  rotate(key: KeyRecord, graceHours: number): Promise<{ key: string; record: KeyRecord }>;
  revoke(key: KeyRecord): Promise<KeyRecord>;
  /** Creates the team if it does not exist. */
  setTeam(name: string, change: ChangeTeamRequest): Promise<void>;
  listClaims(): Promise<AgentClaim[]>;
  /** Returns the first characters of the key. */
  approve(id: string, terms: ApproveClaimRequest): Promise<string>;
}

const USAGE =
  'Usage: npm run keys -- list | add | show PREFIX | change PREFIX | rotate PREFIX | revoke PREFIX | teams | team NAME | claims | approve ID | help';

const HELP = `npm run keys -- COMMAND [OPTIONS]
  list [--team NAME]         list the keys
  add [--team NAME] [LIMITS] create a key, shown once
  show PREFIX                show what a key may do
  change PREFIX [LIMITS]     change a key; an empty text removes a limit
  rotate PREFIX [--grace H]  new secret; the old one works for H more hours (24)
  revoke PREFIX              end a key at once
  teams                      list the teams
  team NAME [SETTINGS]       create or change a team
  claims                     list the keys of anonymous agents that wait for approval
  approve ID [LIMITS] [--plan NAME]  lift the limits of such a key to these
LIMITS: --label TEXT --operations LIST --formats LIST --networks LIST --domains LIST --rate N --credits N
  --expires DAYS, a date, or never
SETTINGS: --plan NAME --credits N --concurrency N --networks LIST --rates scrape=60,map=10 --unset LIST
  --zero-data-retention, --anonymous, --threat-protection absent | allowed | forced; N may be unlimited`;

const MIN_PREFIX = 5;

/** Returns the lines to print. Throws a UsageError. */
export async function runKeys(args: string[], ring: KeyRing, defaultTeam: string): Promise<string[]> {
  const { options, words } = readOptions(args, USAGE);
  const [command = '', operand, ...rest] = words;
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command]! : undefined;
  if (!run || rest.length > 0 || (operand !== undefined) !== run.takesName) throw new UsageError(USAGE);
  return run.run({ ring, options, name: operand ?? '', defaultTeam });
}

interface Call {
  ring: KeyRing;
  options: KeyOptions;
  /** What follows the command. */
  name: string;
  defaultTeam: string;
}

interface Command {
  takesName: boolean;
  run(call: Call): Promise<string[]>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  list: {
    takesName: false,
    async run({ ring, options: { team } }) {
      const keys = await ring.listKeys();
      return keyTable(team === undefined ? keys : keys.filter((key) => key.team === team));
    },
  },
  add: {
    takesName: false,
    async run({ ring, options, defaultTeam }) {
      const { key, record } = await ring.create(readTeamName(options.team ?? defaultTeam), readNewKey(options));
      return [`New key for team ${record.team}, shown only once:`, '', `  ${key}`];
    },
  },
  show: { takesName: true, run: async ({ ring, name }) => describeKey(await keyOf(ring, name)) },
  change: {
    takesName: true,
    async run({ ring, name, options }) {
      const key = await keyOf(ring, name);
      const changed = await ring.change(key, readChange(options, key));
      return [...describeKey(changed), ...(await lockOutWarning(ring, key))];
    },
  },
  rotate: {
    takesName: true,
    async run({ ring, name, options }) {
      const hours = readGrace(options);
      const { key, record } = await ring.rotate(await keyOf(ring, name), hours);
      const until = hours === 0 ? 'The old key has ended.' : `The old key works for ${hours} more hours.`;
      return [`New key for team ${record.team}, shown only once. ${until}`, '', `  ${key}`];
    },
  },
  revoke: {
    takesName: true,
    async run({ ring, name }) {
      const { prefix, team, ...key } = await ring.revoke(await keyOf(ring, name));
      return [`Revoked the key ${prefix}... of team ${team}.`, ...(await lockOutWarning(ring, { team, ...key }))];
    },
  },
  help: { takesName: false, run: async () => HELP.split('\n') },
  teams: { takesName: false, run: async ({ ring }) => teamTable(await ring.listTeams()) },
  team: {
    takesName: true,
    async run({ ring, name, options }) {
      await ring.setTeam(readTeamName(name), readTeamChange(options));
      return teamTable((await ring.listTeams()).filter((team) => team.name === name));
    },
  },
  claims: { takesName: false, run: async ({ ring }) => claimTable(await ring.listClaims()) },
  approve: {
    takesName: true,
    run: async ({ ring, name, options }) => [
      `Approved the key ${await ring.approve(name, readApproval(options))}... of an anonymous agent.`,
    ],
  },
};

/** The only key whose prefix begins with this. */
async function keyOf(ring: KeyRing, prefix: string): Promise<KeyRecord> {
  if (prefix.length < MIN_PREFIX) throw new UsageError(`Give at least the first ${MIN_PREFIX} characters of the key.`);
  const found = (await ring.listKeys()).filter((key) => key.prefix.startsWith(prefix));
  const [only] = found;
  if (!only) throw new UsageError(`No key begins with ${prefix}. See: npm run keys -- list`);
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
