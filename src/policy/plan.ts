// Plans: named sets of limits. A team's own settings win over its plan.
import { z } from 'zod';
import { RATE_BUCKETS, type RateBucket, type TeamSettings, teamSettings } from '../contracts/team/policy.ts';
import { SettingError } from '../util/setting-error.ts';

/** Null is unlimited. */
export interface Limits {
  /** Requests a minute. */
  rates: Readonly<Record<RateBucket, number | null>>;
  maxConcurrency: number | null;
  /** How many requests may wait for a slot. */
  maxQueued: number | null;
  monthlyCredits: number | null;
}

export interface Plans {
  /** The limits of a team: its own, else those of its plan. */
  limitsOf(team: { name: string; settings?: TeamSettings }): Limits;
  has(plan: string): boolean;
  names(): string[];
}

/** The figures in which plans differ. */
interface Figures {
  pages: number;
  starts: number;
  status: number;
  browsers: number;
  executions: number;
  concurrency: number;
  queued: number;
}

const limitsBy = ({ pages, starts, status, browsers, executions, concurrency, queued }: Figures): Limits => ({
  rates: {
    scrape: pages,
    map: pages,
    search: pages,
    monitor: pages,
    crawl: starts,
    extract: starts,
    crawlStatus: status,
    extractStatus: status,
    account: status,
    browser: browsers,
    browserExecute: executions,
  },
  maxConcurrency: concurrency,
  maxQueued: queued,
  monthlyCredits: null,
});

const UNLIMITED: Limits = {
  rates: Object.fromEntries(RATE_BUCKETS.map((bucket) => [bucket, null])) as Record<RateBucket, null>,
  maxConcurrency: null,
  maxQueued: null,
  monthlyCredits: null,
};

const FREE = { pages: 10, starts: 2, status: 500, browsers: 2, executions: 10, concurrency: 2, queued: 50_000 };
const HOBBY = { pages: 100, starts: 20, status: 5_000, browsers: 20, executions: 100, concurrency: 5, queued: 50_000 };
const STANDARD = {
  ...{ pages: 500, starts: 100, status: 25_000, browsers: 100, executions: 500 },
  ...{ concurrency: 50, queued: 100_000 },
};
const GROWTH = {
  ...{ pages: 5_000, starts: 1_000, status: 250_000, browsers: 1_000, executions: 5_000 },
  ...{ concurrency: 100, queued: 200_000 },
};
const SCALE = {
  ...{ pages: 10_000, starts: 2_000, status: 500_000, browsers: 1_500, executions: 7_500 },
  ...{ concurrency: 150, queued: 300_000 },
};

const UNLIMITED_PLAN = 'unlimited';
/** Rates and concurrency are those of the hosted service. No plan has a monthly budget unless the operator gives it one. */
const BUILT_IN: ReadonlyMap<string, Limits> = new Map([
  [UNLIMITED_PLAN, UNLIMITED],
  ['free', limitsBy(FREE)],
  ['hobby', limitsBy(HOBBY)],
  ['standard', limitsBy(STANDARD)],
  ['growth', limitsBy(GROWTH)],
  ['scale', limitsBy(SCALE)],
]);

const planChange = teamSettings.pick({ rates: true, maxConcurrency: true, maxQueued: true, monthlyCredits: true });
type PlanChange = z.output<typeof planChange>;
const planChanges = z.record(z.string(), planChange.strict());

export type PlanTable = ReadonlyMap<string, Limits>;

/** Reads `{"hobby": {"monthlyCredits": 5000}, "ours": {"rates": {"scrape": 60}}}`. Throws SettingError. */
export function parsePlans(text: string): PlanTable {
  const parsed = planChanges.safeParse(readJson(text));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new SettingError(`${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`);
  }
  const changed = Object.entries(parsed.data).map(
    ([name, change]) => [name, changeLimits(BUILT_IN.get(name) ?? UNLIMITED, change)] as const,
  );
  return new Map([...BUILT_IN, ...changed]);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingError('it must be a JSON object, such as {"hobby": {"monthlyCredits": 5000}}');
  }
}

const changeLimits = (limits: Limits, change: PlanChange): Limits => ({
  rates: { ...limits.rates, ...change.rates },
  maxConcurrency: own(change.maxConcurrency, limits.maxConcurrency),
  maxQueued: own(change.maxQueued, limits.maxQueued),
  monthlyCredits: own(change.monthlyCredits, limits.monthlyCredits),
});

/** Null is a value: unlimited. */
const own = (value: number | null | undefined, otherwise: number | null) => (value === undefined ? otherwise : value);

interface PlanSettings {
  plans: PlanTable;
  /** The plan of teams that have no other one. */
  teamPlan: string;
  /** The team of the operator, which is unlimited unless it has a plan. */
  operatorTeam: string;
}

export function createPlans({ plans, teamPlan, operatorTeam }: PlanSettings): Plans {
  const planOf = (name: string): Limits => plans.get(name) ?? plans.get(teamPlan)!;
  return {
    has: (plan) => plans.has(plan),
    names: () => [...plans.keys()],
    limitsOf({ name, settings = {} }) {
      const limits = planOf(settings.plan ?? (name === operatorTeam ? UNLIMITED_PLAN : teamPlan));
      return isChanged(settings) ? changeLimits(limits, settings) : limits;
    },
  };
}

const isChanged = (settings: TeamSettings): boolean =>
  settings.rates !== undefined ||
  settings.maxConcurrency !== undefined ||
  settings.maxQueued !== undefined ||
  settings.monthlyCredits !== undefined;
