// Texts as PostgreSQL can store them: it refuses NUL characters, which pages, files and callers send. All texts of all queries
// pass through here, so nobody else has to know. Their order stays the same.

const ESCAPE = '\u0001';
const ESCAPED: Record<string, string> = { '\0': `${ESCAPE}\u0001`, [ESCAPE]: `${ESCAPE}\u0002` };
const PLAIN: Record<string, string> = { [ESCAPED['\0']!]: '\0', [ESCAPED[ESCAPE]!]: ESCAPE };

const CONTROL = /[\0\u0001]/;
const CONTROLS = /[\0\u0001]/g;
const PAIRS = /\u0001[\u0001\u0002]/g;

export function toStoredText(value: unknown): string {
  const text = String(value);
  return CONTROL.test(text) ? text.replace(CONTROLS, (character) => ESCAPED[character]!) : text;
}

export const fromStoredText = (text: string): string =>
  text.includes(ESCAPE) ? text.replace(PAIRS, (pair) => PLAIN[pair]!) : text;
