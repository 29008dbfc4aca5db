// `npm run keys`: list, add and revoke API keys, also while the service is running.
import { parseArgs } from 'node:util';
import type { KeyRecord } from '../store/team-store.ts';
import { iso } from '../util/clock.ts';
import { UsageError } from './usage-error.ts';

/** The key operations of the opened store. */
export interface KeyRing {
  list(): Promise<KeyRecord[]>;
  add(team: string): Promise<{ key: string; record: KeyRecord }>;
  revoke(prefix: string): Promise<KeyRecord[]>;
}

export const KEYS_USAGE = 'Usage: npm run keys -- list | add [--team NAME] | revoke PREFIX';

const MIN_PREFIX = 5;

/** Returns the lines to print. Throws a UsageError. */
export async function runKeys(args: string[], ring: KeyRing, defaultTeam: string): Promise<string[]> {
  const { values, positionals } = parse(args);
  const [command, operand, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(KEYS_USAGE);
  if (command === 'list' && operand === undefined) return listing(await ring.list());
  if (command === 'add' && operand === undefined) return added(await ring.add(teamName(values.team ?? defaultTeam)));
  if (command === 'revoke' && operand !== undefined) return revoke(operand, ring);
  throw new UsageError(KEYS_USAGE);
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { team: { type: 'string' } } });
  } catch {
    throw new UsageError(KEYS_USAGE);
  }
}

function teamName(name: string): string {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new UsageError('A team name must have 1 to 64 letters, digits, dots, dashes or underscores.');
  return name;
}

function listing(records: KeyRecord[]): string[] {
  if (records.length === 0) return ['There are no keys. Create one: npm run keys -- add'];
  const rows = records.map(({ prefix, team, createdAt, lastUsedAt }) => [
    `${prefix}...`,
    team,
    iso(createdAt),
    lastUsedAt === null ? 'never' : iso(lastUsedAt),
  ]);
  const table = [['KEY', 'TEAM', 'CREATED', 'LAST USED'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

const added = ({ key, record }: { key: string; record: KeyRecord }): string[] => [
  `New key for team ${record.team}, shown only once:`,
  '',
  `  ${key}`,
];

async function revoke(prefix: string, ring: KeyRing): Promise<string[]> {
  if (prefix.length < MIN_PREFIX) throw new UsageError(`Give at least the first ${MIN_PREFIX} characters of the key.`);
  const revoked = await ring.revoke(prefix);
  const [only] = revoked;
  if (!only) throw new UsageError(`No key begins with ${prefix}. See: npm run keys -- list`);
  if (revoked.length > 1)
    throw new UsageError(`${revoked.length} keys begin with ${prefix}, so none was revoked. Give more characters.`);
  return [`Revoked the key ${only.prefix}... of team ${only.team}.`];
}
