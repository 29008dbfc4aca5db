// Expands the macros that a source defines, within limits.
import { createTexScanner, type TexScanner } from './tex-scanner.ts';

const MAX_ROUNDS = 4;
const MAX_MACROS = 2000;
const MAX_BODY = 2000;
const MAX_GROWTH = 500_000;
const DEFINERS = /^(?:newcommand|renewcommand|providecommand|def|DeclareMathOperator)\*?$/;
const LITERAL = /^(?:verbatim|Verbatim|lstlisting|minted|Highlighting|comment|filecontents)\*?$/;
const NEXT = /\\|%[^\n]*/g;

interface Macro {
  args: number;
  body: string;
}

export function expandMacros(source: string): string {
  const macros = new Map<string, Macro>();
  let text = walk(source, (name, scanner) => {
    if (!DEFINERS.test(name)) return undefined;
    define(name, scanner, macros);
    return '';
  });
  if (macros.size === 0) return text;
  let room = MAX_GROWTH;
  for (let round = 0, changed = true; round < MAX_ROUNDS && changed; round++) {
    changed = false;
    text = walk(text, (name, scanner) => {
      const macro = macros.get(name);
      if (macro === undefined || room < 0) return undefined;
      const args = Array.from({ length: macro.args }, () => scanner.rawArgument());
      const body = macro.body.replace(/#([1-9])/g, (_, number: string) => args[Number(number) - 1] ?? '');
      room -= body.length;
      changed = true;
      // Empty braces only end the name. A following letter must not become part of the body's last command.
      if (scanner.source.startsWith('{}', scanner.at)) scanner.at += 2;
      const wouldMerge = /\\[a-zA-Z]{1,60}$/.test(body) && /[a-zA-Z]/.test(scanner.source.charAt(scanner.at));
      return wouldMerge ? `${body} ` : body;
    });
  }
  return text;
}

/** Copies the source with some commands replaced. Comments and listings are copied verbatim. */
function walk(source: string, replace: (name: string, scanner: TexScanner) => string | undefined): string {
  const scanner = createTexScanner(source);
  const parts: string[] = [];
  let copied = 0;
  for (;;) {
    NEXT.lastIndex = scanner.at;
    const match = NEXT.exec(source);
    if (!match) break;
    scanner.at = match.index + match[0].length;
    if (match[0] !== '\\') continue;
    const name = scanner.commandName();
    if (name === 'begin') {
      const environment = scanner.rawArgument();
      if (LITERAL.test(environment)) scanner.until(`\\end{${environment}}`);
      continue;
    }
    const text = replace(name, scanner);
    if (text === undefined) continue;
    parts.push(source.slice(copied, match.index), text);
    copied = scanner.at;
  }
  parts.push(source.slice(copied));
  return parts.join('');
}

function define(definer: string, scanner: TexScanner, macros: Map<string, Macro>): void {
  const name = scanner.rawArgument().trim();
  const args = definer === 'def' ? defParameters(scanner) : commandParameters(scanner);
  const body = scanner.rawArgument();
  if (args === undefined || !/^\\[a-zA-Z]+$/.test(name) || body.length > MAX_BODY || macros.size >= MAX_MACROS) return;
  macros.set(name.slice(1), { args, body: definer.startsWith('Declare') ? `\\operatorname{${body}}` : body });
}

/** The number of parameters; undefined if the first is optional, which is not supported. */
function commandParameters(scanner: TexScanner): number | undefined {
  const count = Number(scanner.optional() ?? 0);
  const initial = scanner.optional();
  return initial === undefined && count >= 0 && count <= 9 ? count : undefined;
}

/** Only patterns like #1#2 are supported; undefined for others. */
function defParameters(scanner: TexScanner): number | undefined {
  const start = scanner.at;
  while (scanner.at < scanner.source.length && !'{\n'.includes(scanner.source[scanner.at]!)) scanner.at += 1;
  const pattern = scanner.source.slice(start, scanner.at).trim();
  return /^(?:#\d){0,9}$/.test(pattern) ? pattern.length / 2 : undefined;
}
