// What a team has used by day or hour, by key and by operation. Read from the hourly totals, so it costs the same however
// many requests there were.
import { MAX_USAGE_KEYS, type TeamUsageResponse } from '../../../contracts/team/team-usage.ts';
import type { Ledger } from '../../../store/ports/teams/ledger.ts';
import type { TeamStore } from '../../../store/ports/teams/team-store.ts';
import { type Clock, iso } from '../../../util/clock.ts';
import type { Call } from '../../call.ts';
import { namedTeam } from '../named-team.ts';

interface TeamUsageDeps {
  ledger: Pick<Ledger, 'usage' | 'usageByOperation'>;
  teams: Pick<TeamStore, 'find' | 'findByName' | 'listKeys'>;
  clock: Pick<Clock, 'now'>;
}

interface Bin {
  start: number;
  credits: number;
  tokens: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOT_YOUR_TEAM =
  'Only the operator sees what other teams have used. Leave out `team` to see the usage of your own team.';

export async function teamUsage(
  deps: TeamUsageDeps,
  { caller, query: { days, by, team: name } }: Call<'teamUsage'>,
): Promise<TeamUsageResponse> {
  const team = await namedTeam(deps, caller, name, NOT_YOUR_TEAM);
  const binMs = by === 'day' ? DAY_MS : HOUR_MS;
  const now = deps.clock.now();
  const until = Math.floor(now / binMs) * binMs + binMs;
  const from = Math.floor(now / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
  const starts = Array.from({ length: (until - from) / binMs }, (_, index) => from + index * binMs);
  const query = { from, until, binMs };
  const [keyBins, operationBins, known] = await Promise.all([
    deps.ledger.usage(team.id, query),
    deps.ledger.usageByOperation(team.id, query),
    deps.teams.listKeys(team.id),
  ]);
  const labels = new Map(known.map(({ prefix, label }) => [prefix, label]));
  const keys = mostFirst(
    [...Map.groupBy(keyBins, ({ key }) => key)].map(([key, bins]) => ({
      ...{ key, label: labels.get(key ?? '') ?? null },
      ...sumUp(bins, starts),
    })),
  );
  const operations = mostFirst(
    [...Map.groupBy(operationBins, ({ operation }) => operation)].map(([operation, bins]) => ({
      operation,
      ...sumUp(bins, starts),
    })),
  );
  const further = new Set(keys.slice(MAX_USAGE_KEYS).map(({ key }) => key));
  const { totalCredits, totalTokens } = sumUp(keyBins, starts);
  return {
    success: true,
    data: {
      ...{ team: team.name, by, starts: starts.map(iso), totalCredits, totalTokens },
      keys: keys.slice(0, MAX_USAGE_KEYS),
      ...(further.size > 0 && {
        otherKeys: sumUp(
          keyBins.filter(({ key }) => further.has(key)),
          starts,
        ),
      }),
      operations,
    },
  };
}

function sumUp(bins: readonly Bin[], starts: readonly number[]) {
  const byStart = Map.groupBy(bins, ({ start }) => start);
  const sumOf = (some: readonly Bin[], what: 'credits' | 'tokens') => some.reduce((sum, bin) => sum + bin[what], 0);
  return {
    credits: starts.map((start) => sumOf(byStart.get(start) ?? [], 'credits')),
    tokens: starts.map((start) => sumOf(byStart.get(start) ?? [], 'tokens')),
    totalCredits: sumOf(bins, 'credits'),
    totalTokens: sumOf(bins, 'tokens'),
  };
}

const mostFirst = <Row extends { totalCredits: number; totalTokens: number }>(rows: Row[]): Row[] =>
  rows.sort((a, b) => b.totalCredits - a.totalCredits || b.totalTokens - a.totalTokens);
