// Headers as people type them: a line each, name and value with a colon between them.

interface Headers {
  headers: Record<string, string>;
  /** Which line is not a valid header, in words. */
  problem?: string;
}

export function headersOf(text: string): Headers {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    if (colon < 1 || /\s/.test(name))
      return { headers, problem: `“${line.slice(0, 40)}” is not a header. Write a name, a colon and a value.` };
    headers[name] = line.slice(colon + 1).trim();
  }
  return { headers };
}
