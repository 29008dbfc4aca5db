// Handlers of LaTeX environments. For environments that are not listed, only the content is kept.
import { escapeHtml } from '../../markup/html/escape-html.ts';
import { cleanMath, mathHtml } from './tex-math.ts';
import type { ListKind, TexHandler } from './tex-reader.ts';
import { symbolOf } from './tex-symbols.ts';
import { createTexTable } from './tex-table.ts';

const THEOREMS: Readonly<Record<string, string>> = {
  theorem: 'Theorem',
  lemma: 'Lemma',
  proposition: 'Proposition',
  corollary: 'Corollary',
  definition: 'Definition',
  remark: 'Remark',
  example: 'Example',
  proof: 'Proof',
};

const block =
  (tag: string): TexHandler =>
  (reader, name) => {
    reader.scanner.optional();
    reader.emit(`\n<${tag}>`);
    reader.enter(name, { closers: [`</${tag}>\n<p>`] });
  };

const list =
  (tag: string, kind: ListKind): TexHandler =>
  (reader, name) => {
    reader.scanner.optional();
    reader.emit(`\n<${tag}>`);
    reader.enter(name, { closers: [`</${tag}>\n<p>`], list: kind });
  };

const references: TexHandler = (reader, name) => {
  const { headingLevel } = reader.state;
  reader.scanner.rawArgument();
  reader.emit(`\n<h${headingLevel}>References</h${headingLevel}>\n<ul>`);
  reader.enter(name, { closers: ['</ul>\n<p>'], list: 'references' });
};

const abstract: TexHandler = (reader, name) => {
  const { headingLevel } = reader.state;
  reader.emit(`\n<h${headingLevel}>Abstract</h${headingLevel}>\n<p>`);
  reader.enter(name, { closers: ['\n<p>'] });
};

/** Skips the position, and for some environments the width. */
const container =
  (args: number): TexHandler =>
  (reader, name) => {
    reader.scanner.optional();
    for (let count = 0; count < args; count++) reader.scanner.rawArgument();
    reader.emit('\n<p>');
    reader.enter(name, { closers: ['\n<p>'] });
  };

const slide: TexHandler = (reader, name) => {
  const { scanner, state } = reader;
  const level = Math.min(6, state.headingLevel + 1);
  scanner.optional();
  reader.emit('\n<p>');
  reader.enter(name, { closers: ['\n<p>'] });
  if (scanner.source[scanner.at] === '{') reader.capture((html) => reader.emit(`<h${level}>${html}</h${level}>\n<p>`));
};

const table =
  (args: number): TexHandler =>
  (reader, name) => {
    reader.scanner.optional();
    for (let count = 1; count < args; count++) reader.scanner.rawArgument();
    reader.scanner.optional();
    const columns = reader.scanner.rawArgument();
    const parts: string[] = [];
    const rows = createTexTable(columns, () => parts.splice(0).join(''));
    reader.enter(name, { parts, table: rows, inline: true, close: () => reader.emit(`\n${rows.html()}\n<p>`) });
  };

const listing: TexHandler = (reader, name) => {
  const { scanner } = reader;
  const options = scanner.source[scanner.at] === '[' ? (scanner.optional() ?? '') : '';
  const given =
    name === 'minted'
      ? scanner.rawArgument()
      : /language\s{0,9}=\s{0,9}\{?(?:\[\w{1,20}\])?([\w+#-]{1,30})/.exec(options)?.[1];
  const code = scanner.until(`\\end{${name}}`);
  const language = given === undefined ? '' : ` class="language-${escapeHtml(given.toLowerCase())}"`;
  if (code !== undefined) reader.emit(`\n<pre><code${language}>${escapeHtml(code)}</code></pre>\n<p>`);
};

/** Code as pandoc writes it, with a highlighting command around each token. */
const highlighted: TexHandler = (reader, name) => {
  reader.scanner.optional();
  const code = reader.scanner
    .until(`\\end{${name}}`)
    ?.replace(/\\(text[a-z]{1,20})\{\}/g, (_, command: string) => symbolOf(command) ?? '')
    .replace(/\\[A-Z][A-Za-z]{0,30}Tok\{((?:[^{}\\]|\\.){0,2000})\}/g, '$1')
    .replace(/\\([{}_$&#%])/g, '$1');
  if (code !== undefined) reader.emit(`\n<pre><code>${escapeHtml(code)}</code></pre>\n<p>`);
};

const formula =
  (wrap: (tex: string) => string): TexHandler =>
  (reader, name) => {
    // alignat has a number of columns.
    if (name.startsWith('alignat')) reader.scanner.rawArgument();
    const tex = reader.scanner.until(`\\end{${name}}`);
    if (tex !== undefined) reader.emit(mathHtml(wrap(cleanMath(tex)), name !== 'math'));
  };

const aligned = (tex: string): string => `\\begin{aligned}${tex}\\end{aligned}`;

const skipped: TexHandler = ({ scanner }, name) => {
  scanner.until(`\\end{${name}}`);
};

export const unknownEnvironment: TexHandler = (reader, name) => {
  const kind = name.replace('*', '');
  const title = reader.state.theorems.get(kind) ?? (Object.hasOwn(THEOREMS, kind) ? THEOREMS[kind] : undefined);
  const note = reader.scanner.optional();
  if (title === undefined) {
    reader.enter(name);
    return;
  }
  const named = note === undefined ? '' : ` (${reader.render(note)})`;
  reader.emit(`\n<p><b>${title}${named}.</b> `);
  reader.enter(name, { closers: ['\n<p>'] });
};

const TABLE: [names: string, handler: TexHandler][] = [
  ['itemize compactitem', list('ul', 'items')],
  ['enumerate compactenum', list('ol', 'items')],
  ['description', list('dl', 'terms')],
  ['quote quotation verse displayquote', block('blockquote')],
  ['thebibliography', references],
  ['abstract', abstract],
  ['figure figure* table table* center flushleft flushright titlepage', container(0)],
  ['subfigure subtable minipage multicols', container(1)],
  ['frame', slide],
  ['tabular longtable supertabular', table(1)],
  ['tabular* tabularx tabulary', table(2)],
  ['verbatim verbatim* Verbatim lstlisting minted alltt', listing],
  ['Highlighting', highlighted],
  ['equation equation* displaymath math multline multline*', formula((tex) => tex)],
  ['align align* flalign flalign* alignat alignat* eqnarray eqnarray*', formula(aligned)],
  ['gather gather*', formula((tex) => `\\begin{gathered}${tex}\\end{gathered}`)],
  ['comment tikzpicture pgfpicture picture filecontents filecontents*', skipped],
];

export const ENVIRONMENTS: ReadonlyMap<string, TexHandler> = new Map(
  TABLE.flatMap(([names, handler]) => names.split(' ').map((name) => [name, handler] as const)),
);
