// Handlers of LaTeX commands. Commands that are not listed are dropped and their arguments kept as text.
import { escapeHtml } from '../../markup/html/escape-html.ts';
import { mathHtml } from './tex-math.ts';
import type { TexHandler, TexReader } from './tex-reader.ts';

const MAX_CODE = 1000;
const HEADINGS = ['chapter', 'section', 'subsection', 'subsubsection'];

const wrapped =
  (tag: string): TexHandler =>
  (reader) =>
    reader.capture((html) => reader.emit(html.trim() === '' ? html : `<${tag}>${html}</${tag}>`));

/** \bf and the like last until their group ends; outside a group they are ignored, or they would never end. */
const declaration =
  (tag: string): TexHandler =>
  (reader) => {
    reader.scanner.skipSpace();
    const frame = reader.top();
    if (frame.kind !== 'group') return;
    reader.emit(`<${tag}>`);
    frame.closers.push(`</${tag}>`);
  };

const dropped =
  (args: number): TexHandler =>
  ({ scanner }) => {
    scanner.accept('*');
    scanner.optional();
    for (let count = 0; count < args; count++) if (nextIsGroup(scanner)) scanner.rawArgument();
    scanner.optional();
  };

function nextIsGroup(scanner: TexReader['scanner']): boolean {
  scanner.skipSpace();
  return scanner.source[scanner.at] === '{';
}

const heading: TexHandler = (reader, name) => {
  const { headingLevel, hasChapters } = reader.state;
  const depth = Math.max(0, HEADINGS.indexOf(name.replace('*', '')) - (hasChapters ? 0 : 1));
  const level = Math.min(6, headingLevel + depth);
  reader.scanner.optional();
  reader.capture((html) => reader.emit(`\n<h${level}>${html}</h${level}>\n<p>`));
};

const paragraphHeading: TexHandler = (reader) => {
  reader.scanner.optional();
  reader.capture((html) => reader.emit(`\n<p><b>${html}</b> `));
};

const titlePart: TexHandler = (reader, name) => {
  reader.scanner.optional();
  reader.capture((html) => reader.state.titleParts.set(name, html.replace(/\s*(, |<br>)\s*/g, '$1').trim()));
};

const makeTitle: TexHandler = (reader) => {
  reader.emit(titleHtml(reader.state.titleParts));
};

export function titleHtml(about: Map<string, string>): string {
  const title = about.get('title') ?? '';
  const lines = [about.get('author') ?? '', about.get('date') ?? ''].filter((line) => line !== '');
  return `${title === '' ? '' : `<h1>${title}</h1>\n`}${lines.map((line) => `<p>${line}</p>\n`).join('')}<p>`;
}

const footnote: TexHandler = (reader) => {
  const { notes } = reader.state;
  reader.scanner.optional();
  const number = notes.push('');
  reader.emit(`<sup><a href="#fn${number}">${number}</a></sup>`);
  reader.capture((html) => {
    notes[number - 1] = html.trim();
  });
};

const link: TexHandler = (reader) => {
  reader.scanner.optional();
  const url = unescapeUrl(reader.scanner.rawArgument());
  reader.capture((html) => reader.emit(`<a href="${url}">${html}</a>`));
};

const address: TexHandler = (reader, name) => {
  const target = unescapeUrl(reader.scanner.rawArgument());
  reader.emit(name === 'url' ? `<a href="${target}">${target}</a>` : target);
};

const unescapeUrl = (raw: string): string => escapeHtml(raw.replace(/\\([%#&_~{}])/g, '$1').trim());

/** Written as [key, p. 3], because the bibliography is in another file. */
const citation: TexHandler = (reader) => {
  const { scanner } = reader;
  const first = scanner.optional();
  const secondArgument = scanner.optional();
  const [before, after] = secondArgument === undefined ? ['', first ?? ''] : [first ?? '', secondArgument];
  const keys = scanner
    .rawArgument()
    .split(',')
    .map((key) => key.trim())
    .join(', ');
  const note = after === '' ? '' : `, ${reader.render(after)}`;
  reader.emit(`${before === '' ? '' : `${reader.render(before)} `}[${escapeHtml(keys)}${note}]`);
};

const reference: TexHandler = (reader) => reader.text(`[${reader.scanner.rawArgument().trim()}]`);

const caption: TexHandler = (reader) => {
  const { captions } = reader.state;
  reader.scanner.optional();
  const frame = reader.findFrame(({ name }) => /^(?:sub)?(?:figure|table)\*?$|^longtable$/.test(name))?.name ?? '';
  const kind = /table/.test(frame) ? 'Table' : 'Figure';
  const number = (captions.get(kind) ?? 0) + 1;
  captions.set(kind, number);
  const { table } = reader.top();
  reader.capture((html) => {
    const line = `\n<p>${frame === '' ? '' : `${kind} ${number}: `}${html}</p>\n`;
    if (table) table.caption(line);
    else reader.emit(line);
  });
};

const item: TexHandler = (reader) => {
  const list = reader.findFrame(({ list }) => list !== undefined)?.list ?? 'items';
  const term = reader.scanner.optional();
  reader.scanner.skipSpace();
  const shown = term === undefined ? '' : reader.render(term);
  if (list === 'terms') reader.emit(`\n<dt>${shown}</dt><dd>`);
  else reader.emit(`\n<li>${shown === '' ? '' : `${shown} `}`);
};

const bibItem: TexHandler = (reader) => {
  reader.scanner.optional();
  reader.emit(`\n<li>[${escapeHtml(reader.scanner.rawArgument().trim())}] `);
};

const lineEnd: TexHandler = (reader) => {
  reader.scanner.accept('*');
  if (reader.scanner.source[reader.scanner.at] === '[') reader.scanner.optional();
  const { table } = reader.top();
  if (table) table.row();
  else reader.emit('<br>\n');
};

const multicolumn: TexHandler = (reader) => {
  const columns = Number.parseInt(reader.scanner.rawArgument(), 10);
  reader.scanner.rawArgument();
  const { table } = reader.top();
  reader.capture((html) => {
    table?.span(columns);
    reader.emit(html);
  });
};

const multirow: TexHandler = (reader) => {
  reader.scanner.optional();
  reader.scanner.rawArgument();
  reader.scanner.optional();
  reader.scanner.rawArgument();
  reader.capture((html) => reader.emit(html));
};

/** The first argument is a style or a target, the second is text. */
const second: TexHandler = (reader) => {
  reader.scanner.optional();
  reader.scanner.rawArgument();
  reader.capture((html) => reader.emit(html));
};

/** The character after the command is the delimiter of the code. */
const verbatim: TexHandler = (reader) => {
  const { scanner } = reader;
  scanner.optional();
  const delimiter = scanner.source.charAt(scanner.at);
  if (delimiter === '{') {
    reader.emit(`<code>${escapeHtml(scanner.rawArgument())}</code>`);
    return;
  }
  scanner.at += delimiter.length;
  const line = scanner.source.slice(scanner.at, scanner.at + MAX_CODE).split('\n', 1)[0]!;
  const end = delimiter === '' ? -1 : line.indexOf(delimiter);
  if (end === -1) return;
  reader.emit(`<code>${escapeHtml(line.slice(0, end))}</code>`);
  scanner.at += end + 1;
};

const formula =
  (end: string, display: boolean): TexHandler =>
  (reader) => {
    const tex = reader.scanner.formula(end);
    if (tex !== undefined) reader.emit(mathHtml(tex, display));
  };

const theorem: TexHandler = (reader) => {
  const name = reader.scanner.rawArgument();
  reader.scanner.optional();
  reader.capture((html) => reader.state.theorems.set(name, html));
};

const otherFile: TexHandler = (reader) => {
  if (nextIsGroup(reader.scanner)) reader.scanner.rawArgument();
  reader.state.warnings.add('The source includes other files, which were not read.');
};

const TABLE: [names: string, handler: TexHandler][] = [
  ['textbf mathbf alert', wrapped('b')],
  ['emph textit textsl', wrapped('em')],
  ['texttt', wrapped('code')],
  ['sout', wrapped('del')],
  ['textsuperscript', wrapped('sup')],
  ['textsubscript', wrapped('sub')],
  ['bf bfseries', declaration('b')],
  ['em it itshape sl slshape', declaration('em')],
  ['tt ttfamily', declaration('code')],
  [
    'part part* chapter chapter* section section* subsection subsection* subsubsection subsubsection* frametitle',
    heading,
  ],
  ['paragraph paragraph* subparagraph subparagraph*', paragraphHeading],
  ['title author date', titlePart],
  ['maketitle', makeTitle],
  ['and', (reader) => reader.emit(', ')],
  ['footnote footnotetext', footnote],
  ['href', link],
  ['url nolinkurl path', address],
  ['cite cite* citep citep* citet citet* parencite textcite autocite footcite citeauthor citeyear nocite', citation],
  ['ref eqref autoref cref Cref pageref nameref vref', reference],
  ['caption caption*', caption],
  ['item', item],
  ['bibitem', bibItem],
  ['\\ newline linebreak tabularnewline', lineEnd],
  ['par', (reader) => reader.paragraph()],
  ['multicolumn', multicolumn],
  ['multirow', multirow],
  ['verb verb* lstinline', verbatim],
  ['(', formula('\\)', false)],
  ['[', formula('\\]', true)],
  ['ensuremath', (reader) => reader.emit(mathHtml(reader.scanner.rawArgument(), false))],
  ['newtheorem newtheorem*', theorem],
  ['input include subfile import', otherFile],
  ['hline toprule midrule bottomrule centering raggedright noindent indent newpage clearpage today', dropped(0)],
  ['textcolor colorbox hypertarget hyperlink hyperref raisebox parbox', second],
  [
    'label index thanks vspace vspace* hspace hspace* cline cmidrule includegraphics usepackage documentclass',
    dropped(1),
  ],
  ['bibliography bibliographystyle addbibresource pagestyle thispagestyle graphicspath hypersetup lstset', dropped(1)],
  ['pagenumbering usetheme color PassOptionsToPackage geometry', dropped(1)],
  ['setlength addtolength setcounter addtocounter rule fontsize', dropped(2)],
  ['addcontentsline definecolor newenvironment renewenvironment', dropped(3)],
];

export const COMMANDS: ReadonlyMap<string, TexHandler> = new Map(
  TABLE.flatMap(([names, handler]) => names.split(' ').map((name) => [name, handler] as const)),
);
