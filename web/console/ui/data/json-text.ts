// JSON as text, however deep it is: the platform's own function fails where values are nested ten thousand deep.

interface Open {
  entries: (readonly [string | undefined, unknown])[];
  at: number;
  end: string;
}

export function jsonText(value: unknown, indent = 2): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepJsonText(value);
  }
}

/** Without indentation, whose length would grow with the square of the depth. */
function deepJsonText(value: unknown): string {
  const parts: string[] = [];
  const open: Open[] = [];
  const write = (item: unknown): void => {
    if (Array.isArray(item)) {
      parts.push('[');
      open.push({ entries: item.map((each) => [undefined, each] as const), at: 0, end: ']' });
    } else if (typeof item === 'object' && item !== null) {
      parts.push('{');
      open.push({ entries: Object.entries(item).filter(([, each]) => each !== undefined), at: 0, end: '}' });
    } else parts.push(JSON.stringify(item) ?? 'null');
  };
  write(value);
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const entry = top.entries[top.at];
    if (!entry) {
      parts.push(top.end);
      open.pop();
      continue;
    }
    const [name, item] = entry;
    parts.push(top.at === 0 ? '' : ',', name === undefined ? '' : `${JSON.stringify(name)}:`);
    top.at += 1;
    write(item);
  }
  return parts.join('');
}
