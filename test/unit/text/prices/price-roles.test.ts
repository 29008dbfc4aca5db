// What each of the prices of a text is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPriceLabel, readPriceRoles } from '../../../../src/text/prices/price-roles.ts';

const said = (text: string, struck?: string[], label?: string): string =>
  readPriceRoles({ text, ...(struck && { struck }), ...(label !== undefined && { label }) })
    .map(({ role, amount, upTo }) => `${role} ${amount}${upTo === undefined ? '' : ` to ${upTo}`}`)
    .join(', ');

const TEXTS: readonly (readonly [text: string, roles: string])[] = [
  ['Statt 89 € jetzt 59 €', 'former 89, current 59'],
  ['59 € UVP 89 €', 'current 59, former 89'],
  ['au lieu de 89 € 59 €', 'former 89, current 59'],
  ['Antes 89 €, ahora 59 €', 'former 89, current 59'],
  ['€ 59 invece di € 89', 'current 59, former 89'],
  ['van € 89 voor € 59', 'former 89, current 59'],
  ['De R$ 89,90 por R$ 59,90', 'former 89.9, current 59.9'],
  ['Cena regularna 99 zł', 'former 99'],
  ['Ord. pris 899 kr', 'former 899'],
  ['通常価格 ¥8,900 ¥5,900', 'former 8900, current 5900'],
  ['Regular priceSale price$38.00', 'current 38'],
  ['1,99 € (3,98 € / kg)', 'current 1.99, unit 3.98'],
  ['(1 kg = 3,98 €)', 'unit 3.98'],
  ['100gあたり ¥398', 'unit 398'],
  ['9,99 € / Monat', 'unit 9.99'],
  ['19,99 € – 49,99 €', 'current 19.99 to 49.99'],
  ['19 – 49 €', 'current 19 to 49'],
  ['from $19 to $49', 'current 19 to 49'],
  ['Save $20', 'other 20'],
  ['20 € Rabatt', 'other 20'],
  ['12 x 9,99 €', 'other 9.99'],
  ['2 für 5 €', 'other 5'],
  ['Kostenloser Versand ab 49 €', 'other 49'],
  ['59 € inkl. MwSt. zzgl. Versand', 'current 59'],
  ['+3,00 €', 'other 3'],
  ['100,84 € netto', 'unit 100.84'],
];
for (const [text, roles] of TEXTS) test(`"${text}" is ${roles}`, () => assert.equal(said(text), roles));

test('lines through prices and labels in front of them say which one is former', () => {
  assert.equal(said('8,00 € 5,00 €', ['8,00 €']), 'former 8, current 5');
  assert.equal(said('89 €', [], 'UVP:'), 'former 89');
  assert.ok(isPriceLabel('UVP:') && isPriceLabel('Was') && !isPriceLabel('Was it good?') && !isPriceLabel('Lamp'));
});

test('a code behind a price says which dollar it is', () => {
  assert.equal(readPriceRoles({ text: '$38.00 CAD' })[0]?.currency, 'CAD');
});
