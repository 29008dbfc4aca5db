// The last requests of each operation, kept in this browser. What may be secret is left out.
import { forget, keep, RECENT_REQUESTS, readKept } from '../../ui/controls/kept.ts';
import { OPERATIONS, type Operation } from './run.ts';

export type Body = Readonly<Record<string, unknown>>;
export type Recent = Partial<Record<Operation, readonly Body[]>>;

const MAX_REQUESTS = 8;
const MAX_CHARS = 4_000;
/** Headers carry keys, webhooks carry headers, and actions type passwords. */
const MAY_BE_SECRET = new Set(['headers', 'webhook', 'actions', 'uploadRef']);

/** The body as it may be kept; undefined if it may not. */
export function keepable(body: Body): Body | undefined {
  if (body.zeroDataRetention === true || body.lockdown === true) return undefined;
  const kept = withoutSecrets(body) as Body;
  const text = JSON.stringify(kept);
  const hasPassword = /:\/\/[^/?#\s"]*@/.test(text);
  return hasPassword || text.length > MAX_CHARS || Object.keys(kept).length === 0 ? undefined : kept;
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !MAY_BE_SECRET.has(name))
      .map(([name, member]) => [name, withoutSecrets(member)]),
  );
}

/** With the body in front, and without an older copy of it. */
export function withRecent(recent: Recent, operation: Operation, body: Body): Recent {
  const kept = keepable(body);
  if (!kept) return recent;
  const text = JSON.stringify(kept);
  const others = (recent[operation] ?? []).filter((each) => JSON.stringify(each) !== text);
  return { ...recent, [operation]: [kept, ...others].slice(0, MAX_REQUESTS) };
}

/** What is stored may be from another version, or from somebody's hand. */
export function readRecent(text: string | null): Recent {
  try {
    const stored = JSON.parse(text ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(
      OPERATIONS.map((operation) => [
        operation,
        Array.isArray(stored?.[operation]) ? stored[operation].filter(isBody).slice(0, MAX_REQUESTS) : [],
      ]),
    );
  } catch {
    return {};
  }
}

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);

export const loadRecent = (): Recent => readRecent(readKept(RECENT_REQUESTS));

export const remember = (operation: Operation, body: Body): void =>
  keep(RECENT_REQUESTS, JSON.stringify(withRecent(loadRecent(), operation, body)));

export const forgetRecent = (): void => forget(RECENT_REQUESTS);
