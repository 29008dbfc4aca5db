// Finds rows of links below the text of a page, such as other articles or products: they rotate without having a heading.

interface Line {
  text: string;
  heading: string;
  targets: string;
  zone?: string;
  isLinked: boolean;
  isOnlyLink: boolean;
  cards?: number;
}

const [FEWEST, MOST] = [2, 12];
/** The text above has to be what the page is about: a list of links after a short introduction is the subject itself. */
const MIN_TEXT = 200;
const TIMES_THE_LINKS = 1.5;
/** A document that is offered for download. */
const FILE = /\.(?:pdf|docx?|xlsx?|odt|ods|csv|zip|ics|tar|gz|exe|dmg)(?:$|[\s?])/i;
const INTRODUCTION = /[:：]$/;

export function markCards(lines: readonly Line[]): void {
  let text = 0;
  for (let at = 0; at < lines.length; ) {
    const end = endOfRow(lines, at);
    if (end === at) {
      text += lines[at]!.isLinked || lines[at]!.zone ? 0 : lines[at]!.text.length;
      at += 1;
      continue;
    }
    const row = lines.slice(at, end);
    const label = lines[at - 1];
    const isIntroduced = !label || label.text === label.heading || INTRODUCTION.test(label.text);
    const length = row.reduce((sum, line) => sum + line.text.length, 0);
    if (
      row.length >= FEWEST &&
      row.length <= MOST &&
      !isIntroduced &&
      text >= Math.max(MIN_TEXT, length * TIMES_THE_LINKS)
    )
      for (const line of row) line.cards = row.length;
    at = end;
  }
}

function endOfRow(lines: readonly Line[], start: number): number {
  let end = start;
  while (end < lines.length && isCard(lines[end]!)) end += 1;
  return end;
}

const isCard = ({ isOnlyLink, targets, text }: Line): boolean =>
  isOnlyLink && text.includes(' ') && !targets.includes(' ') && !FILE.test(targets);
