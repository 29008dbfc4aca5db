// Numbers and prices in the spellings of many countries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNumber, readPrice, readPrices } from '../../../../src/text/prices/prices.ts';

const NUMBERS: [string, number | undefined][] = [
  ['1299', 1299],
  ['1,299.00', 1299],
  ['1.299,00', 1299],
  ['1.299', 1299],
  ['1,299', 1299],
  ['12.5', 12.5],
  ['12,5', 12.5],
  ['0.125', 0.125],
  ['1 299,90', 1299.9],
  ['1\u202f299', 1299],
  ["1'299.50", 1299.5],
  ['1,29,999.00', 129_999],
  ['1.234.567', 1_234_567],
  ['12,-', 12],
  ['12.–', 12],
  ['１２００', 1200],
  ['٣٤٥', 345],
  ['', undefined],
  ['abc', undefined],
  ['1-2', undefined],
];
for (const [text, number] of NUMBERS) {
  test(`"${text}" is ${number}`, () => assert.equal(readNumber(text), number));
}

const PRICES: [string, number, string | undefined, object?][] = [
  ['€ 12,00', 12, 'EUR'],
  ['1.299,00 €', 1299, 'EUR'],
  ['$1,299.00', 1299, 'USD'],
  ['$20', 20, 'CAD', { language: 'en-CA' }],
  ['$20', 20, 'AUD', { language: 'en-US', url: 'https://shop.com.au/' }],
  ['US $5', 5, 'USD', { url: 'https://shop.com.au/' }],
  ['1 299 kr', 1299, 'SEK', { language: 'sv' }],
  ['249 kr.', 249, 'DKK', { language: 'da' }],
  ['kr 99,-', 99, 'NOK', { language: 'nb-NO' }],
  ['¥1,200（税込）', 1200, 'JPY', { language: 'ja' }],
  ['￥99', 99, 'CNY', { language: 'zh-CN' }],
  ['1,200円', 1200, 'JPY'],
  ['CHF 1’299.–', 1299, 'CHF'],
  ['19,99 zł', 19.99, 'PLN'],
  ['Now only £34.50 each', 34.5, 'GBP'],
  ['R$ 59,90', 59.9, 'BRL'],
  ['12.99', 12.99, undefined],
];
for (const [text, amount, currency, context] of PRICES) {
  test(`"${text}" is ${amount} ${currency}`, () => {
    const price = readPrice(text, context);
    assert.deepEqual([price?.amount, price?.currency], [amount, currency]);
  });
}

test('words and numbers without a currency are no prices', () => {
  assert.deepEqual(readPrices('Room 12, 3 beds, size 40, since 1999, euro 2024 special, 5 krona'), []);
  assert.equal(readPrice('about 12 pieces'), undefined);
});

test('all prices of a text are found in order', () => {
  assert.deepEqual(
    readPrices('Was $20.00, now $15').map(({ amount }) => amount),
    [20, 15],
  );
});
