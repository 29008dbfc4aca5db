// Builds one run of inline content: white space collapses as in a browser, spaces move out of marks, empty marks vanish
// and adjacent equal marks are merged. Marks that are open at a block boundary are closed there and reopened after it.
import { TAG } from '../../../markup/html/tags.ts';
import { escapeLineStart } from '../escape-markdown.ts';
import { isMachineText, stripShortcodes } from '../machine-text.ts';
import { collapseSpace } from '../white-space.ts';
import {
  BREAK,
  CLOSE,
  CODE,
  type InlineRun,
  type Mark,
  type MarkUse,
  OPEN,
  RAW,
  STARS,
  TEXT,
  useAt,
} from './inline-run.ts';
import { renderRun } from './render-run.ts';

const unused = (mark: Mark): MarkUse => ({ mark, form: STARS, opened: false });

export class Inline {
  readonly #run: InlineRun;
  // The open marks, outermost first; undefined for one that an outer mark makes redundant.
  readonly #marks: (MarkUse | undefined)[] = [];
  // Between two pieces of content, marks are closed first, then the space or break follows, then marks are opened.
  #spaceWaits = false;
  #breakWaits = false;

  constructor(lineBreak: string) {
    this.#run = { kinds: [], items: [], lineBreak };
  }

  text(text: string): void {
    const clean = collapseSpace(text.includes('[') ? stripShortcodes(text) : text);
    if (clean === '') return;
    const from = clean.charCodeAt(0) === 32 ? 1 : 0;
    if (from === 1) this.#spaceWaits = true;
    if (from === clean.length) return;
    const endsInSpace = clean.charCodeAt(clean.length - 1) === 32;
    this.#settle();
    this.#put(TEXT, from === 1 || endsInSpace ? clean.slice(from, endsInSpace ? -1 : undefined) : clean);
    this.#spaceWaits = endsInSpace;
  }

  /** Finished Markdown, such as an image. */
  raw(markdown: string): void {
    this.#settle();
    this.#push(RAW, markdown);
  }

  code(text: string): void {
    this.#settle();
    this.#put(CODE, text);
  }

  /** Separates the next text from the previous one. */
  space(): void {
    this.#spaceWaits = true;
  }

  /** False if a line break is pending already: two in a row start a new paragraph. */
  lineBreak(): boolean {
    if (this.#breakWaits) return false;
    this.#breakWaits = this.#run.kinds.length > 0;
    return true;
  }

  open(mark: Mark): void {
    let like: MarkUse | undefined;
    for (const use of this.#marks) if (use?.mark.kind === mark.kind) like = use;
    this.#marks.push(like && !nests(like.mark, mark) ? undefined : unused(mark));
  }

  close(): void {
    const use = this.#marks.pop();
    if (use?.opened) this.#push(CLOSE, use);
  }

  /** Returns the run and starts a new one with the same open marks. `asBlock` escapes what would start a block. */
  take(asBlock: boolean): string {
    const { kinds, items } = this.#run;
    this.#spaceWaits = false;
    this.#breakWaits = false;
    if (kinds.length === 0) return '';
    for (let at = this.#marks.length - 1; at >= 0; at--) {
      const use = this.#marks[at];
      if (!use?.opened) continue;
      this.#push(CLOSE, use);
      this.#marks[at] = unused(use.mark);
    }
    const isMachine = kinds.length === 1 && kinds[0] === TEXT && isMachineText(items[0] as string);
    const text = isMachine ? '' : renderRun(this.#run);
    kinds.length = 0;
    items.length = 0;
    if (!asBlock) return text;
    return text.includes('\n') ? text.split('\n').map(escapeLineStart).join('\n') : escapeLineStart(text);
  }

  #push(kind: number, item: string | MarkUse): void {
    this.#run.kinds.push(kind);
    this.#run.items.push(item);
  }

  #put(kind: number, text: string): void {
    const { kinds, items } = this.#run;
    const last = kinds.length - 1;
    // Adjacent pieces of one kind are merged: "`a``b`" is not two code spans.
    if (kinds[last] === kind && kind !== RAW) items[last] += text;
    else this.#push(kind, text);
  }

  /** Writes what waits before the next piece of content. */
  #settle(): void {
    const { kinds, items } = this.#run;
    if (kinds.length > 0 && this.#breakWaits) this.#push(BREAK, '');
    else if (kinds.length > 0 && this.#spaceWaits) this.#put(TEXT, ' ');
    this.#breakWaits = false;
    this.#spaceWaits = false;
    const marks = this.#marks;
    for (let at = 0; at < marks.length; at++) {
      const use = marks[at];
      if (!use || use.opened) continue;
      const last = kinds.length - 1;
      if (kinds[last] === CLOSE && joins(useAt(this.#run, last), use)) {
        marks[at] = items.pop() as MarkUse;
        kinds.pop();
      } else {
        use.opened = true;
        this.#push(OPEN, use);
      }
    }
  }
}

/** Adjacent equal marks are merged: `**a****b**` is neither one mark nor two. */
const joins = (closed: MarkUse, next: MarkUse): boolean =>
  closed.mark.kind === next.mark.kind && next.mark.kind !== 'link';

/** Bold within bold is redundant, unless the author nested the very same element on purpose. */
const nests = (outer: Mark, inner: Mark): boolean =>
  'tag' in outer && 'tag' in inner && outer.tag === inner.tag && (inner.tag === TAG.em || inner.tag === TAG.strong);
