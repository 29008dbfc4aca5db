// Reads a TeX source once, from left to right, and writes HTML. What a command or an environment becomes is in their tables.
import { escapeHtml } from '../../markup/html/escape-html.ts';
import { COMMANDS } from './tex-commands.ts';
import { ENVIRONMENTS, unknownEnvironment } from './tex-environments.ts';
import { createFrames, type Frames } from './tex-frames.ts';
import { mathHtml } from './tex-math.ts';
import type { TexDocument, TexReader } from './tex-reader.ts';
import { createScanner } from './tex-scanner.ts';
import { accented, isAccent, symbolOf, typeset } from './tex-symbols.ts';

const MAX_PIECES = 3;
const WORDS = /[^\\{}$%&~\n]+/y;
const BREAK = /\n(?:[ \t]*\n)*[ \t]*/y;
const COMMENT = /%[^\n]*\n?[ \t]*/y;

/** `depth`: how many pieces this one is inside of. */
export function readTex(source: string, document: TexDocument, depth = 0): string {
  const frames = createFrames();
  const reader = createReader(source, document, frames, depth);
  const { scanner } = reader;
  while (scanner.at < source.length) {
    const sign = source[scanner.at]!;
    const read = SIGNS[sign];
    if (read) {
      if (sign !== '%' && sign !== '\n') scanner.at += 1;
      read(reader, frames);
    } else reader.text(typeset(scanner.match(WORDS)));
  }
  return frames.finish();
}

function createReader(source: string, document: TexDocument, frames: Frames, depth: number): TexReader {
  const scanner = createScanner(source);
  const emit = (html: string): void => {
    frames.top().parts.push(html);
  };
  return {
    scanner,
    document,
    top: frames.top,
    around: frames.find,
    emit,
    text: (text) => emit(escapeHtml(text)),
    paragraph: () => emit(frames.find(({ inline }) => inline === true) ? ' ' : '\n<p>'),
    capture(close) {
      if (scanner.accept('{')) frames.openGroup({ close, inline: true });
      else close(escapeHtml(scanner.rawArgument().replace(/^\\/, '')));
    },
    enter: (name, frame = {}) => frames.openEnvironment(name, frame),
    render: (piece) => (depth < MAX_PIECES ? readTex(piece, document, depth + 1) : escapeHtml(piece)),
  };
}

const SIGNS: Readonly<Record<string, (reader: TexReader, frames: Frames) => void>> = {
  '\\': command,
  '{': (_, frames) => frames.openGroup({}),
  '}': (_, frames) => frames.closeGroup(),
  $: dollar,
  '%': ({ scanner }) => void scanner.match(COMMENT),
  '~': (reader) => reader.text('\u00a0'),
  '&'(reader) {
    const { table } = reader.top();
    if (table) table.cell();
    else reader.text('&');
  },
  '\n'(reader) {
    const lines = reader.scanner.match(BREAK);
    if (lines.lastIndexOf('\n') > 0) reader.paragraph();
    else reader.emit('\n');
  },
};

function command(reader: TexReader, frames: Frames): void {
  const { scanner } = reader;
  const name = scanner.commandName();
  const handler = COMMANDS.get(name);
  const symbol = symbolOf(name);
  if (name === 'begin') {
    const environment = scanner.rawArgument().trim();
    (ENVIRONMENTS.get(environment) ?? unknownEnvironment)(reader, environment);
  } else if (name === 'end') frames.closeEnvironment(scanner.rawArgument().trim());
  else if (handler) handler(reader, name);
  else if (symbol !== undefined) {
    reader.text(symbol);
    endName(reader, name);
  } else if (isAccent(name)) reader.text(accented(name, scanner.rawArgument()));
  else {
    // Unknown: what it is given is probably text.
    endName(reader, name);
    if (scanner.source[scanner.at] === '[') scanner.optional();
  }
}

/** The space after a command in letters, or empty braces, only end its name. */
function endName({ scanner }: TexReader, name: string): void {
  if (!/^[a-zA-Z]/.test(name)) return;
  if (scanner.source.startsWith('{}', scanner.at)) scanner.at += 2;
  else scanner.skipSpace();
}

function dollar(reader: TexReader): void {
  const { scanner } = reader;
  const display = scanner.source[scanner.at] === '$';
  if (display) scanner.at += 1;
  const tex = scanner.formula(display ? '$$' : '$');
  if (tex === undefined) reader.text('$');
  else reader.emit(mathHtml(tex, display));
}
