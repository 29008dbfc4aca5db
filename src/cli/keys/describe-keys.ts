// Keys and teams as `trawl keys` prints them.
import type { AgentClaim } from '../../contracts/onboarding/onboarding.ts';
import { isUnrestrictedKey } from '../../contracts/team/unrestricted-key.ts';
import type { KeyRecord, TeamRecord } from '../../store/ports/teams/team-store.ts';
import { iso } from '../../util/clock.ts';

export function keyTable(keys: KeyRecord[]): string[] {
  if (keys.length === 0) return ['There are no keys. Create one: trawl keys add'];
  return table(
    ['KEY', 'TEAM', 'CREATED', 'LAST USED', 'RESTRICTED', 'LABEL'],
    keys.map(({ prefix, team, label, createdAt, lastUsedAt, limits, expiresAt }) => [
      `${prefix}...`,
      team,
      iso(createdAt),
      lastUsedAt === null ? 'never' : iso(lastUsedAt),
      isUnrestrictedKey(limits, expiresAt) ? 'no' : 'yes',
      label ?? '',
    ]),
  );
}

export function describeKey({ prefix, team, label, limits, createdAt, lastUsedAt, ...ends }: KeyRecord): string[] {
  const rows = [
    ['key', `${prefix}...`],
    ['team', team],
    ['label', label],
    ['created', iso(createdAt)],
    ['last used', lastUsedAt === null ? 'never' : iso(lastUsedAt)],
    ['expires', ends.expiresAt === null ? 'never' : iso(ends.expiresAt)],
    ['old key valid until', ends.previousUntil === null ? null : iso(ends.previousUntil)],
    ...Object.entries(limits).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : `${value}`]),
  ].filter((row): row is string[] => row[1] !== null);
  return aligned(rows);
}

export const teamTable = (teams: TeamRecord[]): string[] =>
  table(
    ['TEAM', 'KEYS', 'CREATED', 'SETTINGS'],
    teams.map(({ name, keys, createdAt, settings }) => [name, `${keys}`, iso(createdAt), JSON.stringify(settings)]),
  );

export const claimTable = (claims: AgentClaim[]): string[] =>
  claims.length === 0
    ? ['No anonymous agent waits for approval.']
    : table(
        ['ID', 'KEY', 'TEAM', 'EXPIRES', 'ASKED', 'E-MAIL (NOT VERIFIED)'],
        claims.map(({ id, key, team, expiresAt, requestedAt, email }) => [
          id,
          `${key}...`,
          team,
          expiresAt,
          requestedAt ?? 'never',
          email ?? '',
        ]),
      );

const table = (head: string[], rows: string[][]): string[] => aligned([head, ...rows]);

function aligned(given: string[][]): string[] {
  // Callers have written some of it: that must not move the cursor of a terminal.
  const rows = given.map((row) => row.map((cell) => cell.replaceAll(/\p{C}/gu, '?')));
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
