// What went wrong in a chaos run, each with the step at which it was seen, and how often everything was done.

export interface Problems {
  /** `where` is the step, such as `step 12 (scrape)`. The same text is listed once, with its count. */
  add(where: string, text: string): void;
  count(kind: 'operation' | 'fault' | 'check', name: string, outcome: string): void;
  list(): string[];
  summary(): string[];
}

const MAX_PLACES = 3;

export function createProblems(say: (line: string) => void): Problems {
  const places = new Map<string, string[]>();
  const counts = new Map<string, Map<string, number>>();
  return {
    add(where, text) {
      const known = places.get(text) ?? [];
      places.set(text, [...known, where]);
      if (known.length < MAX_PLACES) say(`✖ ${where}: ${text}`);
    },
    count(kind, name, outcome) {
      const key = `${kind.padEnd(9)} ${name}`;
      const outcomes = counts.get(key) ?? new Map<string, number>();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      counts.set(key, outcomes);
    },
    list: () =>
      [...places].map(([text, all]) => {
        const shown = all.slice(0, MAX_PLACES).join(', ');
        return `${text} (${all.length === 1 ? shown : `${all.length} times, first at ${shown}`})`;
      }),
    summary: () =>
      [...counts]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([key, outcomes]) => {
          const parts = [...outcomes].sort(([a], [b]) => a.localeCompare(b)).map(([name, times]) => `${name} ${times}`);
          return `${key.padEnd(34)} ${parts.join(', ')}`;
        }),
  };
}
