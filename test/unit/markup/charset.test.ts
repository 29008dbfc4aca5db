import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../../../src/markup/charset.ts';

/** Encodes text in a legacy encoding of one or two bytes per character, by inverting the decoder. */
function encode(text: string, label: string): Uint8Array {
  const decoder = new TextDecoder(label, { fatal: true });
  const codes = new Map<string, number[]>();
  const learn = (...bytes: number[]) => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes));
      if ([...character].length === 1 && !codes.has(character)) codes.set(character, bytes);
    } catch {}
  };
  for (let first = 0; first < 256; first += 1) learn(first);
  for (let first = 0x81; first < 255; first += 1)
    for (let second = 0x40; second < 255; second += 1) learn(first, second);
  return Uint8Array.from(
    [...text].flatMap((character) => codes.get(character) ?? assert.fail(`${label} has no ${character}`)),
  );
}

const html = (bytes: Uint8Array | string, contentType = 'text/html') =>
  decodeText(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, contentType, { html: true });

test('a byte order mark wins over everything', () => {
  assert.deepEqual(html('\ufeff<meta charset=koi8-r>é', 'text/html; charset=windows-1251'), {
    text: '<meta charset=koi8-r>é',
    encoding: 'utf-8',
  });
  assert.deepEqual(html(Buffer.from('\ufeffhé', 'utf16le')), { text: 'hé', encoding: 'utf-16le' });
  assert.deepEqual(html(Buffer.from('\ufeffhé', 'utf16le').swap16()), { text: 'hé', encoding: 'utf-16be' });
});

test('the Content-Type header wins over a declaration in the page', () => {
  const bytes = encode('<meta charset="windows-1251">これは日本語', 'shift_jis');
  for (const type of [
    'text/html; charset=Shift_JIS',
    'text/html;charset="sjis"',
    "text/html; x=y; CHARSET = 'ms_kanji'",
  ]) {
    assert.deepEqual(html(bytes, type), { text: '<meta charset="windows-1251">これは日本語', encoding: 'shift_jis' });
  }
});

test('a page can declare its encoding in any spelling of a meta element', () => {
  const declarations = [
    '<meta charset="windows-1251">',
    '<META CHARSET=windows-1251 />',
    "<meta name=x content='y'><meta\ncharset = 'cp1251'>",
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    '<meta content="text/html;charset=windows-1251" http-equiv=content-type>',
    '<!-- <meta charset="koi8-r"> --><meta charset="windows-1251">',
    '<meta charset="no-such-encoding"><meta charset="windows-1251">',
    '<?xml version="1.0" encoding="windows-1251"?>',
  ];
  for (const declaration of declarations) {
    const page = `${declaration}Привет`;
    assert.deepEqual(html(encode(page, 'windows-1251')), { text: page, encoding: 'windows-1251' }, declaration);
  }
});

test('unknown encoding labels are ignored in the header and in the page', () => {
  assert.equal(html('<meta charset="foo">é', 'text/html; charset=bar').encoding, 'utf-8');
});

test('a page readable as ASCII is not UTF-16, whatever it declares', () => {
  assert.deepEqual(html('<meta charset="utf-16le">é'), { text: '<meta charset="utf-16le">é', encoding: 'utf-8' });
});

test('an XML declaration counts in XML, and a meta element only in HTML', () => {
  const xml = '<?xml version="1.0" encoding="koi8-r"?><a>Привет</a>';
  const meta = '<meta charset="koi8-r">é';
  assert.equal(decodeText(encode(xml, 'koi8-r'), 'text/xml', { html: false }).text, xml);
  assert.deepEqual(decodeText(Buffer.from(meta), 'text/plain', { html: false }), { text: meta, encoding: 'utf-8' });
});

test('a late declaration counts when the page is not UTF-8', () => {
  const page = `<title>${'x'.repeat(3000)}</title><meta charset="windows-1251">Привет`;
  assert.deepEqual(html(encode(page, 'windows-1251')), { text: page, encoding: 'windows-1251' });
});

test('without a declaration valid UTF-8 is UTF-8, even if it was cut inside a character', () => {
  assert.deepEqual(html('schön'), { text: 'schön', encoding: 'utf-8' });
  const cut = Buffer.from('schön 日本').subarray(0, -1);
  assert.deepEqual(html(cut), { text: 'schön 日\ufffd', encoding: 'utf-8' });
  assert.deepEqual(html(new Uint8Array()), { text: '', encoding: 'utf-8' });
});

test('without a declaration the encoding is detected from the text', () => {
  const samples: [encoding: string, text: string][] = [
    [
      'windows-1251',
      'Привет, это обычный русский текст, который нужно распознать. Погода сегодня хорошая, и мы идём гулять.',
    ],
    [
      'koi8-r',
      'Привет, это обычный русский текст, который нужно распознать. Погода сегодня хорошая, и мы идём гулять.',
    ],
    ['shift_jis', 'これは日本語の文章です。文字コードを判定します。'],
    ['euc-jp', 'これは日本語の文章です。文字コードを判定します。'],
    ['gb18030', '这是一个中文网页,用来测试编码检测。今天天气很好。'],
    ['big5', '這是一個中文網頁,用來測試編碼檢測。今天天氣很好。'],
    ['euc-kr', '이것은 한국어 문장입니다. 인코딩을 감지합니다.'],
    ['windows-1253', 'Καλημέρα, αυτό είναι ένα ελληνικό κείμενο για δοκιμή.'],
    ['windows-1252', 'Le café est fermé à Noël, déjà vu. Ça va très bien, merci à vous.'],
    ['iso-8859-2', 'Proszę bardzo, wszystko jest w porządku. Wczoraj byliśmy na spacerze, a później zjedliśmy obiad.'],
    [
      'windows-1254',
      'Türkçe şarkılar güzeldir, İstanbul’da yağmur yağıyor. Çocuklar bahçede oynuyor, öğretmen sınıfta ders anlatıyor.',
    ],
    ['windows-1252', 'Die Straße über den Fluß führt nach Köln. Schöne Grüße!'],
  ];
  for (const [encoding, text] of samples) {
    const page = `<html><body><p>${text}</p></body></html>`;
    assert.deepEqual(html(encode(page, encoding)), { text: page, encoding });
  }
});

test('Latin-1 means windows-1252, as in every browser', () => {
  assert.deepEqual(html(Uint8Array.of(0x80, 0x93), 'text/html; charset=iso-8859-1'), {
    text: '€“',
    encoding: 'windows-1252',
  });
});

test('a hostile page does not slow down the search for declarations', () => {
  const started = performance.now();
  html(Buffer.concat([Buffer.from(`<meta ${'a'.repeat(65_000)}`), Uint8Array.of(0xff)]));
  html(Buffer.concat([Buffer.from('<meta "'.repeat(9_000)), Uint8Array.of(0xff)]));
  html(Buffer.concat([Buffer.from('<!--'.repeat(16_000)), Uint8Array.of(0xff)]));
  assert.ok(performance.now() - started < 2_000);
});
