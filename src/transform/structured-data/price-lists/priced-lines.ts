// Which lines of a page end in prices. A bare number is one where the lines around it have one as well.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { Mask } from '../../../markup/html/node-mask.ts';
import { type EndPrices, endPrices, splitAtPrices } from './end-prices.ts';
import { type TextLine, textLines } from './text-lines.ts';

export interface PricedLine extends TextLine {
  found?: EndPrices;
}

const MIN_LINES = 3;
const MAX_NAME = 200;
/** What few lines have is not the form of the list. */
const FEW = 0.25;
const MOST = 0.6;
const MAX_BARE = 1_000;

export function pricedLines(tree: HtmlTree, mask: Mask): PricedLine[] {
  const lines = textLines(tree, mask).flatMap((line): PricedLine[] =>
    splitAtPrices(line.text).map((text): PricedLine => {
      const found = /\d/.test(text) ? endPrices(text) : undefined;
      return { ...line, text, ...(found && found.name.length <= MAX_NAME && { found }) };
    }),
  );
  return accepted(lines);
}

function accepted(lines: readonly PricedLine[]): PricedLine[] {
  const count = (test: (found: EndPrices) => boolean) => lines.filter(({ found }) => found && test(found)).length;
  const apart = count(({ isApart, isMoney }) => isApart && isMoney);
  const plain = count(({ isApart, isMoney }) => !isApart && isMoney);
  const bare = count((found) => isBare(found) && found.isApart);
  const hasPlain = apart < MIN_LINES || plain > FEW * apart;
  const hasBare = bare >= MIN_LINES || (bare > 0 && apart > 0);
  return runsOf(lines).flatMap((run) => {
    const hasEnds = endsInNumbers(run);
    return run.map((line): PricedLine => {
      const { found } = line;
      if (!found) return line;
      const isPrice = found.isMoney ? found.isApart || hasPlain : isBare(found) && (found.isApart ? hasBare : hasEnds);
      if (isPrice) return line;
      const { found: _, ...rest } = line;
      return rest;
    });
  });
}

/** A number without anything that only money has, and not larger than prices are. */
const isBare = ({ isMoney, prices }: EndPrices): boolean =>
  !isMoney && prices.every(({ value }) => Number.parseFloat(value) < MAX_BARE);

/** Do the lines of a list end in numbers, most of them or together with those that end in money? They do not count up. */
function endsInNumbers(run: readonly PricedLine[]): boolean {
  const named = run.filter(({ found }) => found && !found.isApart && found.name !== '');
  const money = named.filter(({ found }) => found!.isMoney).length;
  if (money >= 2 && money * 2 >= named.length) return true;
  const amounts = named.map(({ found }) => Number.parseFloat(found!.prices[0]!.value));
  const isCount = amounts.every((amount, at) => at === 0 || amount > amounts[at - 1]!);
  return named.length >= MIN_LINES && named.length >= MOST * run.length && !isCount;
}

/** Lines from one heading to the next. */
function runsOf(lines: readonly PricedLine[]): PricedLine[][] {
  const runs: PricedLine[][] = [[]];
  for (const line of lines) {
    if (line.rank > 0 && !line.found) runs.push([]);
    runs.at(-1)!.push(line);
  }
  return runs;
}
