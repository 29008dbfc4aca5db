// Parsing what people type.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clause } from '../../../../src/contracts/search/search-query.ts';
import { parseQuery } from '../../../../src/search/query/query.ts';

/** A clause in short form: minus, kind and content. */
function short(clause: Clause): string {
  const sign = clause.negated ? '-' : '';
  switch (clause.kind) {
    case 'word':
      return sign + clause.text;
    case 'phrase':
      return `${sign}"${clause.text}"`;
    case 'site':
      return `${sign}site(${clause.host}${clause.path})`;
    case 'related':
      return `${sign}related(${clause.host})`;
    case 'filetype':
      return `${sign}filetype(${clause.extension})`;
    case 'imagesize':
    case 'larger':
      return `${sign}${clause.kind}(${clause.width},${clause.height})`;
    default:
      return `${sign}${clause.kind}(${clause.words.join(',')})`;
  }
}

function assertParsed(expected: Record<string, string[]>): void {
  for (const [text, clauses] of Object.entries(expected)) {
    assert.deepEqual(parseQuery(text).clauses.map(short), clauses, text);
  }
}

test('plain words stay as they were typed', () =>
  assertParsed({
    'Hello wide  world': ['Hello', 'wide', 'world'],
    'state-of-the-art C++ .NET': ['state-of-the-art', 'C++', '.NET'],
    'error: not found at 12:30': ['error:', 'not', 'found', 'at', '12:30'],
    'http://example.com/a?b=c:d': ['http://example.com/a?b=c:d'],
    'R&D & more': ['R&D', '&', 'more'],
    '東京　天気': ['東京', '天気'],
    '': [],
    '   ': [],
  }));

test('the text is kept as typed, without surrounding space', () => assert.equal(parseQuery('  a  "b ').text, 'a  "b'));

test('quotes of any shape make phrases, and an open one runs to the end', () =>
  assertParsed({
    '"exact match" rest': ['"exact match"', 'rest'],
    '“curly quotes” „low“ «guillemets» ＂wide＂': ['"curly quotes"', '"low"', '"guillemets"', '"wide"'],
    'a "never closed here': ['a', '"never closed here"'],
    '"  inner   spaces  "': ['"inner spaces"'],
    '"site:example.com -x OR y"': ['"site:example.com -x OR y"'],
    'before"glued on"after': ['before', '"glued on"', 'after'],
    'print("hello world")': ['print', '"hello world"'],
    '"" "..." "': [],
  }));

test('a quote at the end of a word is an inch sign', () =>
  assertParsed({ '27" monitor': ['27', 'monitor'], 'monitor 27"': ['monitor', '27'] }));

test('a minus excludes words, phrases and every operator', () =>
  assertParsed({
    'jaguar -car -"big cat"': ['jaguar', '-car', '-"big cat"'],
    '-site:a.com': ['-site(a.com)'],
    '-filetype:pdf': ['-filetype(pdf)'],
    '-inurl:a -intitle:b': ['-intitle(b)', '-inurl(a)'],
    '-allinurl:a b': ['-allinurl(a,b)'],
    '-allintitle:a b': ['-allintitle(a,b)'],
    '-related:a.com': ['-related(a.com)'],
    '-imagesize:1x2 -larger:3x4': ['-imagesize(1,2)', '-larger(3,4)'],
    '−true –dash －wide': ['-true', '-dash', '-wide'],
  }));

test('a minus that stands alone, is doubled or is inside a word is not an operator', () =>
  assertParsed({
    'a - b': ['a', 'b'],
    '- -- -': [],
    'git --help': ['git', 'help'],
    'well-known': ['well-known'],
    '-... -&': [],
    'a —b': ['a', '—b'],
  }));

test('a plus is ignored', () =>
  assertParsed({ '+must +"the phrase" +site:a.com C++ +': ['must', '"the phrase"', 'C++', 'site(a.com)'] }));

test('a site may be written as a URL', () =>
  assertParsed({
    'site:example.com': ['site(example.com)'],
    'SITE:WWW.Example.COM.': ['site(example.com)'],
    'site:https://www.example.com:8443/Docs/Guide/?q=1#top': ['site(example.com/Docs/Guide)'],
    'site:example.com/docs/': ['site(example.com/docs)'],
    'site:*.example.com site:.gov site:edu': ['site(example.com)', 'site(gov)', 'site(edu)'],
    'site:example.com/docs/* site:example.com/a/*/b': ['site(example.com/docs)', 'site(example.com/a)'],
    'site:bücher.example/größe': ['site(xn--bcher-kva.example/gr%C3%B6%C3%9Fe)'],
    'site:"example.com"': ['site(example.com)'],
    'site:localhost site:10.0.0.1 site:www.com': ['site(localhost)', 'site(10.0.0.1)', 'site(www.com)'],
    'ｓｉｔｅ：example.com': ['site(example.com)'],
    'site:\u200eexample.com': ['site(example.com)'],
  }));

test('a site with an open ending is searched in the URL', () =>
  assertParsed({ 'site:example.*': ['inurl(example.)'], '-site:www.example.*': ['-inurl(example.)'] }));

test('several sites are alternatives, with or without OR', () =>
  assertParsed({
    'site:a.com news site:b.com': ['news', 'site(a.com)', 'site(b.com)'],
    '(site:a.com OR site:b.com) news': ['news', 'site(a.com)', 'site(b.com)'],
    'site:a.com|site:b.com': ['site(a.com)', 'site(b.com)'],
    'site:a.com -site:x.a.com site:b.com': ['site(a.com)', 'site(b.com)', '-site(x.a.com)'],
  }));

test('file types are lower-case extensions, also written as ext:', () =>
  assertParsed({
    'filetype:pdf': ['filetype(pdf)'],
    'filetype:.PDF': ['filetype(pdf)'],
    'ext:docx': ['filetype(docx)'],
    'filetype:tar.gz': ['filetype(gz)'],
  }));

test('intitle and inurl take one word or a quoted text', () =>
  assertParsed({
    'intitle:one two': ['two', 'intitle(one)'],
    'InTitle:"one two" three': ['three', 'intitle(one,two)'],
    'inurl:“a b”': ['inurl(a,b)'],
    'inurl:/docs/api': ['inurl(/docs/api)'],
    'intitle:(one two)': ['two', 'intitle(one)'],
  }));

test('allintitle and allinurl take every word up to the next operator', () =>
  assertParsed({
    'allintitle: a b c site:x.com d': ['d', 'site(x.com)', 'allintitle(a,b,c)'],
    'before allinurl:a "b c" -d e': ['before', '-d', 'e', 'allinurl(a,b,c)'],
    'allintitle:a b allinurl:c d': ['allintitle(a,b)', 'allinurl(c,d)'],
    'allintitle:': [],
    'allintitle: & site:x.com': ['site(x.com)'],
  }));

test('image sizes are parsed', () =>
  assertParsed({
    'imagesize:800x600': ['imagesize(800,600)'],
    'imagesize:800×600 larger:1024X768': ['imagesize(800,600)', 'larger(1024,768)'],
    'larger:"800 x 600"': ['larger(800,600)'],
    'imagesize:８００x６００': ['imagesize(800,600)'],
  }));

test('an operator without an operand is dropped', () =>
  assertParsed({ 'site: a': ['a'], 'intitle:"" a': ['a'], 'filetype:. a': ['a'], 'site:* a -site:': ['a'] }));

test('an invalid operand becomes text, and excludes nothing', () =>
  assertParsed({
    'imagesize:huge': ['imagesize:huge'],
    'larger:0x600': ['larger:0x600'],
    'imagesize:800': ['imagesize:800'],
    'site:5': ['site:5'],
    'site:"not a host"': ['"not a host"'],
    'filetype:"a b"': ['"a b"'],
    'site:user@example.com': ['site:user@example.com'],
    '-imagesize:huge -site:5': [],
  }));

test('OR and AND between words are ignored, at either end they are words', () =>
  assertParsed({
    'cats OR dogs AND birds': ['cats', 'dogs', 'birds'],
    'cats | dogs|birds': ['cats', 'dogs', 'birds'],
    'hotels Portland OR': ['hotels', 'Portland', 'or'],
    'OR tools': ['or', 'tools'],
    'this or that': ['this', 'or', 'that'],
    '| a |': ['a'],
  }));

test('operands of OR become optional words, so that either is found', () =>
  assertParsed({
    '"climate change" OR "global warming" report': ['climate', 'change', 'global', 'warming', 'report'],
    'intitle:cats OR intitle:dogs': ['cats', 'dogs'],
    '"-x site:y" OR z': ['x', 'site', 'y', 'z'],
    '"a b" AND "c d"': ['"a b"', '"c d"'],
    'allintitle:a b OR allintitle:c d': ['a', 'b', 'c', 'd'],
  }));

test('parentheses around words are ignored, inside words they stay', () =>
  assertParsed({
    '(one two) ((three))': ['one', 'two', 'three'],
    'f(x) Mercury_(planet)': ['f(x)', 'Mercury_(planet)'],
    '-(one) (site:a.com)': ['-one', 'site(a.com)'],
    '()': [],
  }));

test('control characters and odd spaces separate words, lone surrogates are replaced', () =>
  assertParsed({
    'a\u0000b\u00a0c\u2003d\u3000e\n\tf': ['a', 'b', 'c', 'd', 'e', 'f'],
    'soft\u00adhyphen': ['softhyphen'],
    '\ud800x': ['\ufffdx'],
  }));
