// National identity, tax and insurance numbers: by form, check digits and label. They count as FINANCIAL, because the six
// entities have none for identities and most of these numbers are tax numbers.
import { lazy } from '../../../util/lazy.ts';
import { hasLabel, NOT_AFTER_WORD, NOT_BEFORE_WORD, urlBefore } from '../../context.ts';
import type { Finding } from '../../finding.ts';
import { EUROPEAN_NUMBERS } from './european-numbers.ts';
import type { IdentityNumber } from './identity-number.ts';
import { WORLD_NUMBERS } from './world-numbers.ts';

const LABELLED_SCORE = 0.9;
/** A number of the country that the page is from is more likely than one of another. */
const HOME_BONUS = 0.1;
/** What may stand directly before or after a number. A decimal point or a hyphen makes it a part of something longer. */
const searches = lazy(() =>
  [...EUROPEAN_NUMBERS, ...WORLD_NUMBERS].map((entry) => ({
    entry,
    search: new RegExp(
      `(?<![.,/+-])${NOT_AFTER_WORD}(?:${entry.pattern.source})${NOT_BEFORE_WORD}(?![/-]|[.,]\\d)`,
      'gu',
    ),
  })),
);

export function findIdentityNumbers(text: string, countries: readonly string[]): Finding[] {
  if (!/\d{2}/.test(text)) return [];
  return searches().flatMap(({ entry, search }) =>
    [...text.matchAll(search)].flatMap((match): Finding[] => {
      const start = match.index;
      if (!entry.isValid(match[0].replace(/[ ./-]/g, '').toUpperCase())) return [];
      const score = scoreOf(text, start, entry, countries);
      return [{ start, end: start + match[0].length, entity: 'FINANCIAL', rule: entry.rule, score }];
    }),
  );
}

function scoreOf(
  text: string,
  start: number,
  { rule, label, alone }: IdentityNumber,
  countries: readonly string[],
): number {
  if (hasLabel(text, start, label)) return LABELLED_SCORE;
  if (alone === 0 || urlBefore(text, start) !== undefined) return 0;
  return countries.slice(0, 3).includes(rule.slice(0, 2).toUpperCase()) ? alone + HOME_BONUS : alone;
}
