// Which values of extracted data have changed, by their path: `plans[0].price`.

export type ChangedValues = Record<string, { previous: unknown; current: unknown }>;

/** Longer lists of changes are cut here: nobody would read them. */
const MAX_CHANGES = 1_000;
const MAX_DEPTH = 100;

export function diffValues(before: unknown, after: unknown): ChangedValues {
  const changes = new Map<string, { previous: unknown; current: unknown }>();
  const compare = (path: string, previous: unknown, current: unknown, depth: number): void => {
    if (changes.size >= MAX_CHANGES) return;
    const keys = depth < MAX_DEPTH ? commonKeys(previous, current) : undefined;
    if (keys) {
      const [old, now] = [previous as Record<string, unknown>, current as Record<string, unknown>];
      const isList = Array.isArray(previous);
      for (const key of keys) compare(isList ? `${path}[${key}]` : nameBelow(path, key), old[key], now[key], depth + 1);
      return;
    }
    if (JSON.stringify(previous ?? null) !== JSON.stringify(current ?? null)) {
      changes.set(path, { previous: previous ?? null, current: current ?? null });
    }
  };
  compare('', before, after, 0);
  return Object.fromEntries(changes);
}

/** Keys that two objects or two lists share; undefined for anything else, which is compared as a whole. */
function commonKeys(one: unknown, other: unknown): string[] | undefined {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return undefined;
  if (Array.isArray(one) !== Array.isArray(other)) return undefined;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

function nameBelow(path: string, key: string): string {
  const isPlain = /^[\p{L}\p{N}_$-]+$/u.test(key);
  if (!isPlain) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
