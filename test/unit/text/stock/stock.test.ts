// What texts say about stock, in many languages, and what they only seem to say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWayToBuy, readStock } from '../../../../src/text/stock/stock.ts';

const OUT = [
  'OutOfStock',
  'http://schema.org/SoldOut',
  'Not currently available',
  'No longer available',
  'Notify me when available',
  '0 in stock',
  'Stock: 0',
  'In stock: no',
  'Auf Lager: nein',
  'Derzeit nicht verfügbar',
  'nicht mehr vorrätig',
  'Produit momentanément indisponible',
  'Ya no está disponible',
  'Prodotto non più disponibile',
  'Momenteel niet op voorraad',
  'De momento esgotado',
  'Brak na stanie',
  'Finns inte i lager',
  'ただいま在庫がございません',
  'この商品は販売終了しました',
  'Udsolgt',
  'Нет в наличии',
  '品切れ',
  'Verfügbar ab 3. Mai',
  'Pre-order now',
];
const IN = [
  'InStock',
  'In stock: yes',
  'Almost sold out',
  'Only 3 left',
  'Back in stock',
  'Ships in two days',
  'Sofort lieferbar',
  'Lagerbestand: 12',
  'Nur noch 2 verfügbar',
  'Plus de 10 en stock',
  'Disponible en 24 horas',
  'Pronta entrega',
  'Uit voorraad leverbaar',
  'Dostępny od ręki',
  '残り3点',
];
const NEITHER = [
  '',
  'Was out of stock last year',
  'It was sold out when I looked',
  'If sold out, ask us',
  'Available in five colours and three sizes',
  'Vendido por Amazon',
  'Vendu par la boutique',
  'Brak opinii',
  'Email me when the price drops',
  'Left side',
  'We make every lamp by hand, and as soon as the summer lamps are sold out we begin with those of the winter',
];
for (const text of OUT) test(`"${text}" is not in stock`, () => assert.equal(readStock(text)?.inStock, false));
for (const text of IN) test(`"${text}" is in stock`, () => assert.equal(readStock(text)?.inStock, true));
for (const text of NEITHER) test(`"${text}" says nothing`, () => assert.equal(readStock(text), undefined));

test('between two statements the plainer one counts', () => {
  assert.equal(readStock('Sold out. Ready to ship again in May, we hope')?.inStock, false);
  assert.equal(readStock('Auf Lager – in einigen Filialen nicht vorrätig')?.inStock, true);
});

test('a way to buy begins with what it does', () => {
  for (const text of ['Add to cart', 'Add to cart – $12', 'In den Warenkorb', 'Buy', 'カートに入れる', 'Köp'])
    assert.ok(isWayToBuy(text), text);
  for (const text of ['Buy tickets', 'Buying guide', 'Notify me', 'Read about how to add to cart'])
    assert.ok(!isWayToBuy(text), text);
});
