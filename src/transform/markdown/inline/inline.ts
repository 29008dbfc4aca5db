// Builds one run of inline content: white space collapses as in a browser, spaces move out of marks, empty marks vanish
// and adjacent equal marks are merged. Marks that are open at a block boundary are closed there and reopened after it.
import { TAG } from '../../../markup/html/tags.ts';
import { escapeLineStart } from '../escape-markdown.ts';
import { collapseSpace } from '../white-space.ts';
import { BREAK, CLOSE, CODE, type Mark, type MarkUse, OPEN, RAW, type Run, STARS, TEXT, useAt } from './inline-run.ts';
import { renderRun } from './render-run.ts';

export interface Inline {
  text(text: string): void;
  /** Finished Markdown, such as an image. */
  raw(markdown: string): void;
  code(text: string): void;
  /** Separates the next text from the previous one. */
  space(): void;
  /** False if a line break is pending already: two in a row start a new paragraph. */
  lineBreak(): boolean;
  open(mark: Mark): void;
  close(): void;
  /** Returns the run and starts a new one with the same open marks. `asBlock` escapes what would start a block. */
  take(asBlock: boolean): string;
}

const unused = (mark: Mark): MarkUse => ({ mark, form: STARS, opened: false });

export function createInline(lineBreak: string): Inline {
  const run: Run = { kinds: [], items: [], lineBreak };
  const { kinds, items } = run;
  // The open marks, outermost first; undefined for one that an outer mark makes redundant.
  const marks: (MarkUse | undefined)[] = [];
  // Between two pieces of content, marks are closed first, then the space or break follows, then marks are opened.
  let spaceWaits = false;
  let breakWaits = false;

  const push = (kind: number, item: string | MarkUse) => {
    kinds.push(kind);
    items.push(item);
  };
  const put = (kind: number, text: string) => {
    const last = kinds.length - 1;
    // Adjacent pieces of one kind are merged: "`a``b`" is not two code spans.
    if (kinds[last] === kind && kind !== RAW) items[last] += text;
    else push(kind, text);
  };

  const settle = () => {
    if (kinds.length > 0 && breakWaits) push(BREAK, '');
    else if (kinds.length > 0 && spaceWaits) put(TEXT, ' ');
    breakWaits = false;
    spaceWaits = false;
    for (let at = 0; at < marks.length; at++) {
      const use = marks[at];
      if (!use || use.opened) continue;
      const last = kinds.length - 1;
      if (kinds[last] === CLOSE && joins(useAt(run, last), use)) {
        marks[at] = items.pop() as MarkUse;
        kinds.pop();
      } else {
        use.opened = true;
        push(OPEN, use);
      }
    }
  };

  return {
    text(text) {
      const clean = collapseSpace(text);
      if (clean === '') return;
      const from = clean.charCodeAt(0) === 32 ? 1 : 0;
      if (from === 1) spaceWaits = true;
      if (from === clean.length) return;
      const endsInSpace = clean.charCodeAt(clean.length - 1) === 32;
      settle();
      put(TEXT, from === 1 || endsInSpace ? clean.slice(from, endsInSpace ? -1 : undefined) : clean);
      spaceWaits = endsInSpace;
    },
    raw(markdown) {
      settle();
      push(RAW, markdown);
    },
    code(text) {
      settle();
      put(CODE, text);
    },
    space() {
      spaceWaits = true;
    },
    lineBreak() {
      if (breakWaits) return false;
      breakWaits = kinds.length > 0;
      return true;
    },
    open(mark) {
      const like = marks.findLast((use) => use?.mark.kind === mark.kind);
      marks.push(like && !nests(like.mark, mark) ? undefined : unused(mark));
    },
    close() {
      const use = marks.pop();
      if (use?.opened) push(CLOSE, use);
    },
    take(asBlock) {
      spaceWaits = false;
      breakWaits = false;
      if (kinds.length === 0) return '';
      for (let at = marks.length - 1; at >= 0; at--) {
        const use = marks[at];
        if (!use?.opened) continue;
        push(CLOSE, use);
        marks[at] = unused(use.mark);
      }
      const text = renderRun(run);
      kinds.length = 0;
      items.length = 0;
      if (!asBlock) return text;
      return text.includes('\n') ? text.split('\n').map(escapeLineStart).join('\n') : escapeLineStart(text);
    },
  };
}

/** Adjacent equal marks are merged: `**a****b**` is neither one mark nor two. */
const joins = (closed: MarkUse, next: MarkUse): boolean =>
  closed.mark.kind === next.mark.kind && next.mark.kind !== 'link';

/** Bold within bold is redundant, unless the author nested the very same element on purpose. */
const nests = (outer: Mark, inner: Mark): boolean =>
  'tag' in outer && 'tag' in inner && outer.tag === inner.tag && (inner.tag === TAG.em || inner.tag === TAG.strong);
