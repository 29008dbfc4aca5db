import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { eachTerm, queryWords } from '../../../../src/text/words/terms.ts';

const termsOf = (text: string, language: string) => {
  const terms: string[] = [];
  eachTerm(text, language, (term) => terms.push(term));
  return terms;
};

/** Whether the query finds a page with that text in that language. */
const finds = (query: string, page: string, language: string) => {
  const terms = new Set(termsOf(page, language));
  return queryWords(query).every(({ forms }) => forms.some((form) => terms.has(form)));
};

/** Marks the prefix of a long word: six letters. */
const SIX = '\ue006';
/** Marks a stem of another language than English. */
const STEM = '\ue007';

const cases: [what: string, language: string, text: string, terms: string[]][] = [
  ['English by its stems', 'en', 'Running relational databases', ['run', 'relat', 'databas']],
  ['an unknown language like English', '', 'running', ['run']],
  ['French by its stems, without accents', 'fr', 'développements réel', [`developp${STEM}`, `reel${STEM}`]],
  ['German by its stems, ß as ss', 'de', 'Straßen internationale', [`strass${STEM}`, `international${STEM}`]],
  ['Turkish by its stems', 'tr', 'kitaplarımız', [`kitap${STEM}`]],
  ['languages without a stemmer by six letters without accents', 'pl', 'międzynarodowy dom', [`miedzy${SIX}`, 'dom']],
  ['Russian by its stems, ё as е, without stress marks', 'ru', 'Москва́ берёзовый', [`москв${STEM}`, `березов${STEM}`]],
  ['Ukrainian by five letters', 'uk', 'міжнародний', ['міжна']],
  ['Greek by its stems, without accents', 'el', 'Άνθρωποι λόγος', [`ανθρωπ${STEM}`, `λογ${STEM}`]],
  ['Vietnamese as it is written', 'vi', 'tiếng Việt', ['tiếng', 'việt']],
  ['numbers and names with digits whole', 'de', '12345678 abc12345678', ['12345678', 'abc12345678']],
  ['names with signs as words', 'de', 'C# .NET', [`csharp${STEM}`, `dotnet${STEM}`]],
  ['Arabic by four letters, with variants of a letter unified', 'ar', 'المدرسة', ['المد', 'لمدر', 'مدرس', 'درسه']],
  ['short Arabic words whole, Arabic digits as ASCII digits', 'ar', 'أَنا ٢٠٢٤', ['انا', '2024']],
  ['Hindi without signs above and below', 'hi', 'हिंदी', ['हिदी']],
  ['Han by pairs and by single characters', 'zh', '東京都', ['東', '東京', '京', '京都', '都']],
  ['kana by pairs only', 'ja', 'タワー', ['タワ', 'ワー']],
  ['a single kana by itself', 'ja', 'の', ['の']],
  ['Korean by pairs, since particles are attached', 'ko', '서울은 강', ['서울', '울은', '강']],
  ['Thai by its words', 'th', 'ภาษาไทย', ['ภาษา', 'ไทย']],
  ['characters beyond the first plane are dropped', 'zh', '𠮷野家 𐍈', ['野', '野家', '家']],
];

for (const [what, language, text, terms] of cases) {
  test(`terms: ${what}`, () => assert.deepEqual(termsOf(text, language), terms));
}

test('the script of a word takes precedence over the language of the text', () => {
  assert.deepEqual(termsOf('Москвы running 東京', 'en'), ['москв', 'run', '東', '東京', '京']);
  assert.deepEqual(termsOf('развитие', 'en'), termsOf('развитие', 'uk'));
  assert.deepEqual(termsOf('running', 'ru'), termsOf('running', 'pl'));
});

test('an unsupported language is indexed by six letters', () => {
  for (const language of ['xx', 'constructor', '__proto__'])
    assert.deepEqual(termsOf('universities', language), [`univer${SIX}`]);
});

test('the prefix of a long word does not match a whole word with the same letters', () => {
  assert.equal(finds('afternoon', 'after', 'en'), false);
  assert.equal(finds('Häusern', 'Häuser', 'de'), true);
  assert.equal(finds('international', 'inter', 'en'), false);
});

test('the terms of one run of characters have their own positions', () => {
  const positions: [string, number, number][] = [];
  eachTerm('a 東京', '', (term, start, end) => positions.push([term, start, end]));
  assert.deepEqual(positions, [
    ['a', 0, 1],
    ['東', 2, 3],
    ['東京', 2, 4],
    ['京', 3, 4],
  ]);
});

test('a query finds other forms of a word, in the language of the page', () => {
  assert.ok(finds('universities', 'The university of the town', 'en'));
  assert.ok(finds('Universität', 'Die Universitäten der Stadt', 'de'));
  assert.ok(finds('developpement', 'le développement durable', 'fr'));
  assert.ok(!finds('international', 'Internet', 'fr'));
  assert.ok(finds('kitap', 'kitaplarımız', 'tr'));
  assert.ok(finds('москва', 'в Москве', 'ru'));
  assert.ok(finds('việt', 'tiếng Việt', 'vi'));
  assert.ok(finds('facebook', 'trên Facebook', 'vi'));
  assert.ok(finds('مدرسة', 'المدرسة', 'ar'));
  assert.ok(finds('京都', '東京都', 'ja'));
  assert.ok(finds('猫', '黒猫の本', 'ja'));
  assert.ok(finds('서울', '서울에서', 'ko'));
  assert.ok(finds('C++', 'written in C++11', 'en'));
  assert.ok(finds('US', 'the U.S. economy', 'en'));
});

test('words that only look alike are not found', () => {
  assert.ok(!finds('C++', 'the letter C', 'en'));
  assert.ok(!finds('.NET', 'a fishing net', 'en'));
  assert.ok(!finds('viet', 'tiếng Việt', 'vi'));
  assert.ok(!finds('12345678', '1234567', 'de'));
});

test('the words of a query keep their order and repeats, each with its distinct forms, the likeliest first', () => {
  assert.deepEqual(queryWords('Universities cat cat'), [
    {
      text: 'universities',
      forms: ['univers', ...['universiti', 'universit', 'universities'].map((stem) => stem + STEM), `univer${SIX}`],
      isStop: false,
    },
    { text: 'cat', forms: ['cat', `cat${STEM}`], isStop: false },
    { text: 'cat', forms: ['cat', `cat${STEM}`], isStop: false },
  ]);
  assert.deepEqual(queryWords('Việt')[0]!.forms, ['viet', `viet${STEM}`, `vie${STEM}`, 'việt']);
});

const stopsIn = (query: string) =>
  queryWords(query)
    .filter(({ isStop }) => isStop)
    .map(({ text }) => text);

test('stop words are recognised in the language of the query', () => {
  assert.deepEqual(stopsIn('what is the height of the tower'), ['what', 'is', 'the', 'of', 'the']);
  assert.deepEqual(stopsIn('wie hoch ist der Turm'), ['wie', 'ist', 'der']);
  assert.deepEqual(stopsIn('die hard'), []);
  assert.deepEqual(stopsIn('сколько лет в году'), ['в']);
  assert.deepEqual(stopsIn('東京の天気'), []);
  assert.deepEqual(stopsIn('中国的首都'), ['的']);
});

test('the parts of a contraction are stop words, a single letter is not', () => {
  assert.deepEqual(stopsIn("don't panic"), ['don', 't']);
  assert.deepEqual(stopsIn("Dewey's system"), ['s']);
  assert.deepEqual(stopsIn("l'été"), ['l']);
  assert.deepEqual(stopsIn('vitamin d'), []);
});

test('a word in capitals is not a stop word, unless the whole query is in capitals', () => {
  assert.deepEqual(stopsIn('IT jobs'), []);
  assert.deepEqual(stopsIn('WHO report of the year'), ['of', 'the']);
  assert.deepEqual(stopsIn('HOW TO COOK'), ['how', 'to']);
});

test('the tokenizer of SQLite leaves every term unchanged', () => {
  using database = new DatabaseSync(':memory:');
  database.exec(
    `CREATE VIRTUAL TABLE pages USING fts5(body, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'")`,
  );
  database.exec('CREATE VIRTUAL TABLE tokens USING fts5vocab(pages, instance)');
  const insert = database.prepare('INSERT INTO pages(rowid, body) VALUES (?, ?)');
  const expected = new Map<number, string[]>();
  // Every character of the first plane, in the middle of a word and by itself.
  for (let code = 0x30; code < 0x10000; code += 1) {
    const character = String.fromCharCode(code);
    const language = ['', 'vi', 'de'][code % 3]!;
    const terms = termsOf(`a${character}b ${character}`, language);
    if (terms.some((term) => term !== 'a' && term !== 'b')) expected.set(code, terms);
  }
  database.exec('BEGIN');
  for (const [code, terms] of expected) insert.run(BigInt(code), terms.join(' '));
  database.exec('COMMIT');
  const rows = database.prepare('SELECT doc, term FROM tokens ORDER BY doc, offset').all() as {
    doc: number;
    term: string;
  }[];
  const tokens = Map.groupBy(rows, ({ doc }) => doc);
  const changed = [...expected].filter(
    ([code, terms]) =>
      tokens
        .get(code)
        ?.map(({ term }) => term)
        .join(' ') !== terms.join(' '),
  );
  assert.deepEqual(changed, []);
  assert.ok(expected.size > 40_000);
});
