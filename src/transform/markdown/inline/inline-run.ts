// A run of inline content as a flat list of pieces, before it is rendered as Markdown.

export const TEXT = 0;
/** Finished Markdown, such as an image. */
export const RAW = 1;
/** The text of a code span. */
export const CODE = 2;
export const BREAK = 3;
export const OPEN = 4;
export const CLOSE = 5;

export type Mark =
  | { kind: 'strong' | 'em' | 'del' | 'sup' | 'sub' /** The tag it came from. */; tag: number }
  | { kind: 'link'; url: string; title: string };

/** Ways to write a mark. */
export const STARS = 0;
export const UNDERSCORES = 1;
export const TAGS = 2;
export const NOTHING = 3;

/** One mark around part of a run, shared by its OPEN and its CLOSE piece. */
export interface MarkUse {
  readonly mark: Mark;
  form: number;
  opened: boolean;
}

export interface InlineRun {
  /** TEXT, RAW, CODE, BREAK, OPEN or CLOSE. */
  readonly kinds: number[];
  /** A string, or a MarkUse for OPEN and CLOSE. */
  readonly items: (string | MarkUse)[];
  /** The Markdown of a line break. */
  readonly lineBreak: string;
}

export const textAt = (run: InlineRun, at: number): string => run.items[at] as string;
export const useAt = (run: InlineRun, at: number): MarkUse => run.items[at] as MarkUse;

/** The delimiter of a mark, '' if it is written without one. */
export function delimiterOf({ mark, form }: MarkUse): string {
  if (form > UNDERSCORES || mark.kind === 'link') return '';
  if (mark.kind === 'del') return '~~';
  const delimiter = form === STARS ? '*' : '_';
  return mark.kind === 'strong' ? delimiter + delimiter : delimiter;
}

/** The first character of a piece as written, '' at the end of the run. */
export function firstChar(run: InlineRun, at: number): string {
  switch (run.kinds[at]) {
    case undefined:
      return '';
    case OPEN:
    case CLOSE: {
      const use = useAt(run, at);
      if (use.mark.kind === 'link') return run.kinds[at] === OPEN ? '[' : ']';
      return use.form === NOTHING ? firstChar(run, at + 1) : (delimiterOf(use)[0] ?? '<');
    }
    case CODE:
      return '`';
    case BREAK:
      return run.lineBreak[0]!;
    default:
      return String.fromCodePoint(textAt(run, at).codePointAt(0)!);
  }
}

/** The last character of a piece as written; `before` if nothing is written. */
export function lastChar(run: InlineRun, at: number, before: string): string {
  switch (run.kinds[at]) {
    case OPEN:
    case CLOSE: {
      const use = useAt(run, at);
      if (use.mark.kind === 'link') return run.kinds[at] === OPEN ? '[' : ')';
      return use.form === NOTHING ? before : (delimiterOf(use)[0] ?? '>');
    }
    case CODE:
      return '`';
    case BREAK:
      return run.lineBreak.at(-1)!;
    default: {
      const text = textAt(run, at);
      const last = text.charCodeAt(text.length - 1);
      return last >= 0xdc00 && last <= 0xdfff ? text.slice(-2) : text.slice(-1);
    }
  }
}
