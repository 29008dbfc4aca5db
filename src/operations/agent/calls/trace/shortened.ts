// JSON for readers: long texts are cut, and long lists end early. A page that a tool has read is shown by its beginning.
const MAX_TEXT = 300;
const MAX_ENTRIES = 20;
const MAX_DEPTH = 5;

export function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ENTRIES).map((entry) => shortened(entry, depth + 1));
    return value.length > MAX_ENTRIES ? [...shown, `… and ${value.length - MAX_ENTRIES} more`] : shown;
  }
  const fields = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(fields.map(([name, field]) => [cut(name), shortened(field, depth + 1)]));
}

const cut = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text.toWellFormed();
