// All texts of a page as one, in which each line stands once: what the rules and the classifier read. The same lines are in
// the Markdown, in the HTML and in the metadata, and reading them once is enough, since values found are replaced everywhere.
import type { Finding } from '../finding.ts';
import { type HtmlViews, htmlViews } from '../views/html-views.ts';
import { markdownView, withoutAddresses } from '../views/markdown-view.ts';
import { plainView, type TextView } from '../views/text-view.ts';
import { isUrlText, urlView } from '../views/url-view.ts';
import { fold } from './known-values.ts';
import type { TextSyntax } from './redactable-page.ts';

/** A range of the whole text that stands in a view. */
interface Piece {
  start: number;
  end: number;
  view: TextView;
  viewStart: number;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

export class PageTexts {
  readonly #views = new Map<string, HtmlViews>();
  readonly #pieces: Piece[] = [];
  readonly #lines = new Set<string>();
  readonly #text: string[] = [];
  readonly #sentences: string[] = [];
  #length = 0;

  /** The views of a text. A text that comes again has the same ones. */
  viewsOf(text: string, kind: TextSyntax): HtmlViews {
    const key = `${kind} ${text}`;
    const known = this.#views.get(key);
    if (known) return known;
    const made = makeViews(text, kind);
    this.#views.set(key, made);
    for (const view of made.views) this.#add(view);
    return made;
  }

  /** Adds the lines that are new, and an empty line behind them. */
  #add(view: TextView): void {
    const { text } = view;
    for (let start = 0; start <= text.length; ) {
      const next = text.indexOf('\n', start);
      const end = next === -1 ? text.length : next;
      const line = text.slice(start, end);
      const key = lineKey(line);
      if (key === '' ? line.trim() !== '' : !this.#lines.has(key)) {
        this.#lines.add(key);
        this.#addLine(view, start, line);
      } else if (key === '') this.#append('\n', '\n');
      start = end + 1;
    }
    this.#append('\n', '\n');
  }

  #addLine(view: TextView, viewStart: number, line: string): void {
    const start = this.#length;
    const last = this.#pieces.at(-1);
    const end = start + line.length;
    const goesOn = last?.view === view && last.end + 1 === start && last.viewStart + (start - last.start) === viewStart;
    if (goesOn) last.end = end;
    else this.#pieces.push({ start, end, view, viewStart });
    this.#append(`${line}\n`, `${view.isMachineText ? ' '.repeat(line.length) : withoutAddresses(line)}\n`);
  }

  #append(text: string, sentences: string): void {
    this.#text.push(text);
    this.#sentences.push(sentences);
    this.#length += text.length;
  }

  whole(): string {
    return this.#text.join('');
  }

  /** The whole text with spaces where there are no sentences: for the classifier. */
  sentences(): string {
    return this.#sentences.join('');
  }

  /** Findings in the whole text, by the views that they stand in. */
  byView(findings: readonly Finding[]): Map<TextView, Finding[]> {
    const found = new Map<TextView, Finding[]>();
    let first = 0;
    for (const finding of findings) {
      while (first < this.#pieces.length && this.#pieces[first]!.end <= finding.start) first += 1;
      for (let at = first; at < this.#pieces.length && this.#pieces[at]!.start < finding.end; at++) {
        const { start, end, view, viewStart } = this.#pieces[at]!;
        const shift = viewStart - start;
        const part = {
          ...finding,
          start: Math.max(start, finding.start) + shift,
          end: Math.min(end, finding.end) + shift,
        };
        const list = found.get(view);
        if (list) list.push(part);
        else found.set(view, [part]);
      }
    }
    return found;
  }
}

function makeViews(text: string, kind: TextSyntax): HtmlViews {
  if (kind === 'html') return htmlViews(text);
  if (kind === 'markdown') return { views: [markdownView(text)], cuts: [] };
  return { views: [isUrlText(text) ? urlView(text) : plainView(text)], cuts: [] };
}

/** Its words, without marks and addresses: equal for the same line in Markdown and in HTML. */
const lineKey = (line: string): string => withoutAddresses(line).match(WORD)?.map(fold).join(' ') ?? '';
