// Which values of extracted data have changed, and whether that matters. Lists are compared by their elements, not by position.
import { createHash } from 'node:crypto';
import type { ExplainedChange } from './judgment.ts';
import { maskVolatile } from './mask-volatile.ts';
import { noiseWords } from './noise-words.ts';
import { type Goal, ignores, wants } from './read-goal.ts';

const MAX_CHANGES = 1_000;
const MAX_DEPTH = 50;
/** The fields by which people recognise the same thing again. */
const NAMES = ['id', 'sku', 'url', 'link', 'slug', 'key', 'name', 'title'];

export function judgeValues(before: unknown, after: unknown, goal: Goal): ExplainedChange[] {
  const changes: ExplainedChange[] = [];
  compare({ changes, goal }, '', before, after, 0);
  return changes;
}

interface Comparison {
  changes: ExplainedChange[];
  goal: Goal;
}

function compare(comparison: Comparison, path: string, before: unknown, after: unknown, depth: number): void {
  if (comparison.changes.length >= MAX_CHANGES || depth > MAX_DEPTH) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(comparison, path, before, after, depth);
    return;
  }
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(comparison, path === '' ? key : `${path}.${key}`, before[key], after[key], depth + 1);
    }
    return;
  }
  if (JSON.stringify(before ?? null) === JSON.stringify(after ?? null)) return;
  comparison.changes.push(explainValue(path, before ?? null, after ?? null, comparison.goal));
}

function compareLists(comparison: Comparison, path: string, before: unknown[], after: unknown[], depth: number): void {
  const [left, now] = withoutCommon(before, after);
  const old = new Set(left.map((element) => ({ element })));
  const byName = new Map([...old].map((one) => [nameOf(one.element), one] as const));
  byName.delete(undefined);
  const rest: unknown[] = [];
  for (const element of now) {
    const name = nameOf(element);
    const same = name === undefined ? undefined : byName.get(name);
    if (same === undefined) rest.push(element);
    else {
      old.delete(same);
      byName.delete(name);
      compare(comparison, `${path}[${name}]`, same.element, element, depth + 1);
    }
  }
  // Things without a name are the same if there are as many as before.
  const gone = [...old].map(({ element }) => element);
  if (gone.length === rest.length && gone.every((element) => nameOf(element) === undefined)) {
    for (const [at, element] of rest.entries()) compare(comparison, `${path}[${at}]`, gone[at], element, depth + 1);
    return;
  }
  const state = (reason: string) => ({ isNoise: false, confidence: 'high' as const, reason });
  for (const element of old)
    comparison.changes.push({ before: shown(path, element), ...state('An item was removed.') });
  for (const element of rest) comparison.changes.push({ after: shown(path, element), ...state('An item was added.') });
}

/** Elements that are in both lists are left out, wherever they stand. */
function withoutCommon(before: readonly unknown[], after: readonly unknown[]): [unknown[], unknown[]] {
  const keyOf = (element: unknown) =>
    createHash('sha1')
      .update(JSON.stringify(element) ?? 'null')
      .digest('base64');
  const counts = new Map<string, number>();
  for (const element of before) counts.set(keyOf(element), (counts.get(keyOf(element)) ?? 0) + 1);
  const fresh = after.filter((element) => {
    const count = counts.get(keyOf(element)) ?? 0;
    if (count > 0) counts.set(keyOf(element), count - 1);
    return count === 0;
  });
  const left = before.filter((element) => {
    const count = counts.get(keyOf(element)) ?? 0;
    if (count > 0) counts.set(keyOf(element), count - 1);
    return count > 0;
  });
  return [left, fresh];
}

function nameOf(element: unknown): string | undefined {
  if (!isObject(element)) return undefined;
  const key = NAMES.find((name) => typeof element[name] === 'string' || typeof element[name] === 'number');
  return key === undefined ? undefined : `${key}=${String(element[key]).slice(0, 200)}`;
}

function explainValue(path: string, before: unknown, after: unknown, goal: Goal): ExplainedChange {
  const label = path
    .split(/[.[\]]/)
    .at(-1)!
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();
  const change = { before: shown(path, before), after: shown(path, after) };
  const isVolatile = isVolatileField(label, before, after, goal);
  if (isVolatile || ignores(goal, label)) {
    return { ...change, isNoise: true, confidence: 'medium', reason: `\`${path}\` changes by itself.` };
  }
  return { ...change, isNoise: false, confidence: 'high', reason: `\`${path}\` has changed.` };
}

const COUNT = /^(?:number of |total )?([\p{L} ]{1,40}?)(?: counts?| total)?$/u;
const STAMP =
  /^(?:.{0,30} )?(?:updated|modified|generated|fetched|crawled|scraped|retrieved|checked|refreshed|synced|published|posted)(?: (?:at|on|date|time))?$|^timestamp$|^(?:fetch|crawl|scrape) (?:time|date)$/;

function isVolatileField(label: string, before: unknown, after: unknown, goal: Goal): boolean {
  if (wants(goal, ...label.split(' '))) return false;
  const [old, now] = [before, after].map((value) => {
    const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value);
    return maskVolatile(`${label}: ${text}`, { label: '', goal });
  });
  if (old === now) return true;
  const noun = COUNT.exec(label)?.[1] ?? '';
  const isCount = typeof before === 'number' && typeof after === 'number';
  if (isCount && [noun, `${noun}s`].some((name) => isCounter(name))) return true;
  return STAMP.test(label) && before !== null && after !== null;
}

const isCounter = (noun: string): boolean => {
  const match = noiseWords().countBefore.exec(`12 ${noun}`);
  noiseWords().countBefore.lastIndex = 0;
  return match?.[0].length === noun.length + 3;
};

const shown = (path: string, value: unknown): string => `${path}: ${JSON.stringify(value)}`;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
