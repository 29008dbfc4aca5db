// Applies the output limits to a parser's result before it leaves the process.
import type { ParsedFile } from '../../../page/parsed.ts';
import { tooComplex } from '../../parse-errors.ts';
import type { ProcessLimits } from '../../parse-limits.ts';

type OutputLimits = Pick<ProcessLimits, 'outputLength' | 'warnings'>;

const MAX_VALUE = 2_000;
const MAX_ENTRIES = 100;

export function checkOutput(parsed: ParsedFile, { outputLength, warnings }: OutputLimits): ParsedFile {
  if (lengthOf(parsed) > outputLength) throw tooComplex('It contains more text than one response may hold.');
  return {
    ...parsed,
    metadata: Object.fromEntries(
      Object.entries(parsed.metadata)
        .slice(0, MAX_ENTRIES)
        .map(([name, value]) => [name.slice(0, MAX_VALUE), shortened(value)]),
    ),
    warnings: parsed.warnings.slice(0, warnings).map(shorten),
  };
}

function lengthOf({ body, pages = [], blocks = [] }: ParsedFile): number {
  const ofPages = pages.reduce((sum, { markdown }) => sum + markdown.length, 0);
  const ofBlocks = blocks.reduce(
    (sum, { items }) => items.reduce((inPage, { content }) => inPage + content.length, sum),
    0,
  );
  return ('html' in body ? body.html.length : body.markdown.length) + ofPages + ofBlocks;
}

const shorten = (text: string): string => text.slice(0, MAX_VALUE);

const shortened = (value: string | string[]): string | string[] =>
  typeof value === 'string' ? shorten(value) : value.slice(0, MAX_ENTRIES).map(shorten);
