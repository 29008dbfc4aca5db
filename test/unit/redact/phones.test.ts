import { test } from 'node:test';
import { expectFound } from '../../support/redaction.ts';

const phone = (language: string) => ({ entity: 'PHONE', language }) as const;

test('finds international numbers anywhere', () => {
  expectFound(
    '⟦+49 (0)30 1234567-89⟧, ⟦+1 415-555-2671 ext. 12⟧, ⟦+33 1 42 68 53 00⟧, ⟦0044 20 7946 0958⟧',
    phone('en'),
  );
  expectFound('[call](tel:⟦+31201234567⟧) [chat](https://wa.me/⟦491711234567⟧)', phone('nl'));
});

test('finds national numbers by label', () => {
  expectFound('Tel.: ⟦030 / 12 34 56 78⟧ · Fax ⟦030 12345679⟧ · Mobil ⟦0171-1234567⟧', phone('de'));
  expectFound('Téléphone : ⟦01 42 68 53 00⟧', phone('fr'));
  expectFound('| Teléfono | ⟦912 345 678⟧ |', phone('es'));
  expectFound('☎ ⟦06 1234 5678⟧ / ⟦06 8765 4321⟧', phone('it'));
  expectFound('Dial ⟦1-800-FLOWERS⟧ or ⟦1-888-INFO-FDA⟧', phone('en'));
  expectFound('Call us at ⟦(415) 555-2671⟧.', phone('en'));
});

test('finds national numbers by their shape in the countries of the text', () => {
  expectFound('Office: ⟦415-555-2671⟧, London ⟦020 7946 0958⟧', phone('en'));
  expectFound('Praxis Dr. Beispiel, ⟦089 / 123 456 78⟧', phone('de'));
});

test('finds numbers that stand directly beside words of scripts without blanks', () => {
  expectFound('电话⟦13812345678⟧联系，联系⟦+86 138 1234 5678⟧谢谢', phone('zh'));
  expectFound('お電話は⟦03-1234-5678⟧まで、電話番号：⟦090-1234-5678⟧です', phone('ja'));
  expectFound('전화⟦010-1234-5678⟧로 연락', phone('ko'));
  expectFound('订单号13812345678已发货，共13812345678元。注文番号090-1234-5678の商品', phone('zh'));
  expectFound('x13812345678 tel13812345678x', phone('zh'));
});

test('leaves other numbers alone', () => {
  expectFound('Order no. 4155552671, invoice 2024-000-1234, ISBN 978-3-16-148410-0, EAN 4006381333931', phone('en'));
  expectFound(
    '192.168.100.200, 2024-05-06, 06.05.2024, 2019-2024, 1.234.567,89 €, 1 234 567 km, 12:30:45',
    phone('de'),
  );
  expectFound('https://example.org/article/030-12345678 v10.0.19041.1 52.5200 13.4050', phone('de'));
  expectFound(
    'Call (2025-11-01 15:30), week of 12/7/25-12/13/25, phone range 16.5-19.25, text 2019 15:03',
    phone('en'),
  );
  expectFound('Telegram: @foo, ICQ 123456789. I tell 1234567 stories', phone('en'));
  expectFound(
    'text-end [6317504]: fix tool calls 7392266; 1.9.4 / 13.11.2020; ## 0.9.1 - 2026-02-02; 203.0.113.0/24',
    phone('en'),
  );
  expectFound('maxAge | 172800000 (2 days); phone 95 / 100 / 97; cell type 1234567', phone('en'));
  expectFound('$415 555 2671 #0301234567 Art.-Nr. 030 12 34 56 78', phone('de'));
});
