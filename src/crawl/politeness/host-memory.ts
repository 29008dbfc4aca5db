// What one process remembers of a host, as a text for the process that asks the host next.

/** Times are milliseconds of the service clock, which all processes share. */
export interface HostMemory {
  /** Maximum number of requests in flight. */
  limit: number;
  lastStart: number;
  crawlDelay: number;
  pausedUntil: number;
  /** Pauses since the last good answer. */
  pauses: number;
  /** Moving average of the answers' times; NaN before the first answer. */
  latency: number;
  /** The lowest recent latency. */
  floor: number;
}

const FIELDS = ['limit', 'lastStart', 'crawlDelay', 'pausedUntil', 'pauses', 'latency', 'floor'] as const;

/** JSON knows neither NaN nor infinities: such fields are left out. */
export const writeMemory = (memory: HostMemory): string =>
  JSON.stringify(Object.fromEntries(FIELDS.map((name) => [name, memory[name]]).filter(([, value]) => isKnown(value))));

/** Only the fields that are usable: another version may have written the text. */
export function readMemory(text: string): Partial<HostMemory> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return {};
    const fields = Object.entries(parsed).filter(([name, value]) => FIELDS.includes(name as never) && isKnown(value));
    return Object.fromEntries(fields);
  } catch {
    return {};
  }
}

const isKnown = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;
