// Reads a TeX source in one pass and writes HTML. Commands and environments are handled by the tables of their files.
import { escapeHtml } from '../../markup/html/escape-html.ts';
import { COMMANDS } from './tex-commands.ts';
import { ENVIRONMENTS, unknownEnvironment } from './tex-environments.ts';
import { createFrames, type TexFrames } from './tex-frames.ts';
import { mathHtml } from './tex-math.ts';
import type { TexReader, TexState } from './tex-reader.ts';
import { createTexScanner } from './tex-scanner.ts';
import { accented, applyLigatures, isAccent, symbolOf } from './tex-symbols.ts';

const MAX_DEPTH = 3;
const WORDS = /[^\\{}$%&~\n]+/y;
const BREAK = /\n(?:[ \t]*\n)*[ \t]*/y;
const COMMENT = /%[^\n]*\n?[ \t]*/y;

/** `depth`: nesting of separately rendered pieces. */
export function readTex(source: string, state: TexState, depth = 0): string {
  const frames = createFrames();
  const reader = createReader(source, state, frames, depth);
  const { scanner } = reader;
  while (scanner.at < source.length) {
    const character = source[scanner.at]!;
    const read = SPECIAL_CHARACTERS[character];
    if (read) {
      if (character !== '%' && character !== '\n') scanner.at += 1;
      read(reader, frames);
    } else reader.text(applyLigatures(scanner.match(WORDS)));
  }
  return frames.finish();
}

function createReader(source: string, state: TexState, frames: TexFrames, depth: number): TexReader {
  const scanner = createTexScanner(source);
  const emit = (html: string): void => {
    frames.top().parts.push(html);
  };
  return {
    scanner,
    state,
    top: frames.top,
    findFrame: frames.find,
    emit,
    text: (text) => emit(escapeHtml(text)),
    paragraph: () => emit(frames.find(({ inline }) => inline === true) ? ' ' : '\n<p>'),
    capture(close) {
      if (scanner.accept('{')) frames.openGroup({ close, inline: true });
      else close(escapeHtml(scanner.rawArgument().replace(/^\\/, '')));
    },
    enter: (name, frame = {}) => frames.openEnvironment(name, frame),
    render: (piece) => (depth < MAX_DEPTH ? readTex(piece, state, depth + 1) : escapeHtml(piece)),
  };
}

const SPECIAL_CHARACTERS: Readonly<Record<string, (reader: TexReader, frames: TexFrames) => void>> = {
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

function command(reader: TexReader, frames: TexFrames): void {
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
    // Unknown command: its arguments are probably text.
    endName(reader, name);
    if (scanner.source[scanner.at] === '[') scanner.optional();
  }
}

/** A space or empty braces after an alphabetic command only end its name. */
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
