// Payment cards: groups as printed on cards, ranges of the issuers, Luhn.
import { hasLabel, isOfOneWord, labels, NOT_AFTER_WORD, NOT_BEFORE_WORD, urlBefore } from '../context.ts';
import type { Finding } from '../finding.ts';
import { passesLuhn } from './checksums.ts';

/** Groups of one digit or more that single blanks or hyphens join. */
const RUN = new RegExp(`(?<![.,/-])${NOT_AFTER_WORD}\\d{4,19}(?:[ \\u00a0-]\\d{1,6}){0,5}${NOT_BEFORE_WORD}`, 'gu');
const ISSUERS: readonly [name: string, beginning: RegExp, lengths: readonly number[]][] = [
  ['visa', /^4/, [13, 16, 19]],
  ['mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  ['american-express', /^3[47]/, [15]],
  ['diners', /^(?:30[0-5]|3095|3[689])/, [14, 16, 19]],
  ['discover', /^(?:6011|64[4-9]|65)/, [16, 19]],
  ['jcb', /^35(?:2[89]|[3-8])/, [16, 19]],
  ['unionpay', /^62/, [16, 17, 18, 19]],
  ['maestro', /^(?:50|5[6-9]|6[37])/, [12, 13, 14, 15, 16, 17, 18, 19]],
  ['mir', /^220[0-4]/, [16, 19]],
  ['rupay', /^(?:60|8[12]|508)/, [16]],
];
const PRINTED = new Set(['4444', '465', '464', '44443', '4443']);
const CARD_LABEL = labels(
  'card|visa|master\\s?card|amex|american|maestro|debit|credit|kredit[a-z]*|karte[a-z]*|carte|tarjeta|carta|kaart|creditcard|cc|pan|カード|信用卡|银行卡|卡号|卡號|카드',
);
const OTHER_LABEL = labels(
  'order|track|ean|gtin|isbn|imei|serial|sendung|invoice|ticket|id|timestamp|ref|订单|訂單|注文|주문|运单|運單|快递|追跡|송장|编号|編號',
);

export function findCards(text: string): Finding[] {
  const found: Finding[] = [];
  for (const match of text.matchAll(RUN)) {
    for (const { start, end, isPrinted } of cardsIn(match[0])) {
      const at = match.index + start;
      if (isPrinted || urlBefore(text, at) === undefined) {
        const score = scoreOf(text, at, isPrinted);
        found.push({ start: at, end: match.index + end, entity: 'FINANCIAL', rule: 'card', score });
      }
    }
  }
  return found;
}

function* cardsIn(run: string): Generator<{ start: number; end: number; isPrinted: boolean }> {
  const groups = [...run.matchAll(/\d+/g)].map((match) => ({ start: match.index, text: match[0] }));
  for (let first = 0; first < groups.length; first++) {
    for (let last = Math.min(groups.length, first + 5) - 1; last >= first; last--) {
      const some = groups.slice(first, last + 1);
      const isPrinted = PRINTED.has(some.map(({ text }) => text.length).join(''));
      if (!(isPrinted || some.length === 1) || !isCard(some.map(({ text }) => text).join(''))) continue;
      yield { start: some[0]!.start, end: groups[last]!.start + groups[last]!.text.length, isPrinted };
      first = last;
      break;
    }
  }
}

export function isCard(digits: string): boolean {
  const isIssued = ISSUERS.some(([, beginning, lengths]) => lengths.includes(digits.length) && beginning.test(digits));
  return isIssued && !/^(\d)\1+$/.test(digits) && passesLuhn(digits);
}

/** One in ten numbers passes Luhn by chance, so an ungrouped one must not be labelled as something else. */
function scoreOf(text: string, at: number, isPrinted: boolean): number {
  if (isPrinted) return 0.95;
  if (hasLabel(text, at, CARD_LABEL)) return 0.95;
  return hasLabel(text, at, OTHER_LABEL, 32) || isOfOneWord(text[at - 1]) ? 0.35 : 0.7;
}
