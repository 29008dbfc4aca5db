// A strict reader of the Prometheus text format 0.0.4: it refuses whatever the format does not define.
import assert from 'node:assert/strict';

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HELP = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\\\n]|\\\\\\\\|\\\\n)*)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`);
const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)$|^NaN$/;

export function readMetrics(text: string): Map<string, Family> {
  assert.ok(text.endsWith('\n'), 'The last line must end with a line feed.');
  const families = new Map<string, Family>();
  let current: { name: string; family: Family } | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const help = HELP.exec(line);
    if (help) {
      assert.ok(!families.has(help[1]!), `Two HELP lines for ${help[1]}.`);
      current = { name: help[1]!, family: { type: '', help: help[2]!, samples: [] } };
      families.set(current.name, current.family);
      continue;
    }
    assert.ok(current, `A line before the first HELP: ${line}`);
    const type = TYPE.exec(line);
    if (type) {
      assert.equal(type[1], current.name);
      assert.equal(current.family.type, '', `Two TYPE lines for ${type[1]}.`);
      assert.equal(current.family.samples.length, 0, 'TYPE comes before the samples.');
      current.family.type = type[2]!;
      continue;
    }
    current.family.samples.push(readSample(line, current.name, current.family.type));
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

function readSample(line: string, family: string, type: string): Sample {
  const match = SAMPLE.exec(line);
  assert.ok(match, `Not a sample: ${line}`);
  const [, name, inside = '', number] = match as unknown as [string, string, string | undefined, string];
  const allowed = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => family + end) : [family];
  assert.ok(allowed.includes(name), `${name} does not belong to ${family}.`);
  assert.match(number, NUMBER);
  const pairs = [...inside.matchAll(new RegExp(LABEL, 'g'))].map(([pair]) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), unescaped(pair.slice(at + 2, -1))] as const;
  });
  const labels = Object.fromEntries(pairs);
  assert.equal(Object.keys(labels).length, pairs.length, `A label twice: ${line}`);
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) };
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));

function checkFamily(name: string, { type, samples }: Family): void {
  assert.notEqual(type, '', `${name} has no TYPE.`);
  const series = samples.map((sample) => JSON.stringify([sample.name, Object.entries(sample.labels).sort()]));
  assert.equal(new Set(series).size, series.length, `${name} has a series twice.`);
  if (type === 'counter') for (const { value } of samples) assert.ok(value >= 0, `${name} is negative.`);
  if (type !== 'histogram') return;
  const bySeries = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  for (const members of bySeries.values()) {
    const buckets = members.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('Inf', 'Infinity')));
    assert.deepEqual(
      bounds,
      [...bounds].sort((a, b) => a - b),
      `${name}: buckets out of order.`,
    );
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, `${name} has no +Inf bucket.`);
    const counts = buckets.map(({ value }) => value);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
      `${name}: buckets are not cumulative.`,
    );
    assert.equal(members.find((sample) => sample.name === `${name}_count`)?.value, counts.at(-1));
    assert.ok(members.some((sample) => sample.name === `${name}_sum`));
  }
}

/** The sum of the samples of that name whose labels include these. */
export function metricValue(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const family = families.get(name.replace(/_(?:bucket|sum|count)$/, '')) ?? families.get(name);
  const matching = (family?.samples ?? []).filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return matching.reduce((sum, { value }) => sum + value, 0);
}
