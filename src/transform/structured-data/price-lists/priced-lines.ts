// Which lines of a page end in prices. A bare number is one where the lines around it have one as well.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { Mask } from '../../../markup/html/node-mask.ts';
import { type EndPrices, endPrices, splitAtPrices } from './end-prices.ts';
import { type ShownLine, textLines } from './text-lines.ts';

export interface PricedLine extends ShownLine {
  found?: EndPrices;
}

const MIN_LINES = 3;
const MAX_NAME = 200;
/** What few lines have is not the form of the list. */
const FEW = 0.25;
const MOST = 0.6;
const MAX_BARE = 1_000;
const LAST_WORD = /(?:^|(?<=\s))\p{L}{2,10}$/u;
const SIZE = /^(?:\p{L}{1,4}\.?\s)?\d{1,3}(?:[.,]\d{1,2})?\s?(?:cl|ml|dl|l|kg|g|oz|cm)$/iu;

export function pricedLines(tree: HtmlTree, mask: Mask): PricedLine[] {
  const lines = textLines(tree, mask).flatMap((line): PricedLine[] => {
    if (!/\d/.test(line.text)) return [line];
    return splitAtPrices(line.text).map((text): PricedLine => {
      const found = endPrices(text);
      return { ...line, text, ...(found && found.name.length <= MAX_NAME && { found }) };
    });
  });
  return joinedSizes(accepted(withoutLabels(lines)));
}

/** A word that stands before the price of most lines is a label: "Price: 6.50", "Espresso für 2,20". */
function withoutLabels(lines: readonly PricedLine[]): PricedLine[] {
  const priced = lines.filter(({ found }) => found && found.name !== '');
  const counts = new Map<string, number>();
  for (const { found } of priced) {
    const word = LAST_WORD.exec(found!.name)?.[0];
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const labels = new Set(
    [...counts].filter(([, count]) => count >= MIN_LINES && count > priced.length / 2).map(([word]) => word),
  );
  if (labels.size === 0) return [...lines];
  return lines.map((line) => {
    const word = line.found && LAST_WORD.exec(line.found.name)?.[0];
    if (!word || !labels.has(word)) return line;
    const name = line.found!.name.slice(0, -word.length).replace(/[\s:,;–—-]+$/u, '');
    return { ...line, found: { ...line.found!, name } };
  });
}

/** Sizes in lines of their own, "0.3 l 3.10" and "0.5 l 4.20", are the prices of what stands above them. */
function joinedSizes(lines: readonly PricedLine[]): PricedLine[] {
  const joined: PricedLine[] = [];
  for (const line of lines) {
    const { found } = line;
    if (!found || !SIZE.test(found.name)) {
      joined.push(line);
      continue;
    }
    const prices = found.prices.map((price) => ({ ...price, label: found.name.replaceAll('\t', ' ') }));
    const last = joined.at(-1);
    if (last?.found?.name === '' && last.found.prices.every(({ label }) => label !== undefined))
      joined[joined.length - 1] = {
        ...last,
        to: line.to,
        found: { ...last.found, prices: [...last.found.prices, ...prices] },
      };
    else joined.push({ ...line, found: { ...found, name: '', prices } });
  }
  return joined;
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
