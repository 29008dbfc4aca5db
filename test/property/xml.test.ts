// The XML reader compared with saxes, which is strict and slow: both must read well-formed XML alike, in pieces of any size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { XmlError } from '../../src/markup/xml/xml-error.ts';
import { createXmlStream } from '../../src/markup/xml/xml-stream.ts';

const SEED = 20_261_115;
const RUNS = { seed: SEED, numRuns: 1_000 };

type Event =
  | [kind: 'open', name: string, attributes: object]
  | [kind: 'close', name: string]
  | [kind: 'text', text: string];

/** Joins neighbouring texts: a comment between them may or may not split them. */
function joined(events: Event[]): Event[] {
  const list: Event[] = [];
  for (const event of events) {
    const last = list.at(-1);
    if (event[0] === 'text' && last?.[0] === 'text') last[1] += event[1];
    else if (event[0] !== 'text' || event[1] !== '') list.push(event);
  }
  return list;
}

function own(xml: string, sizes: readonly number[]): Event[] {
  const events: Event[] = [];
  const stream = createXmlStream({
    open: (name, attributes) => void events.push(['open', name, { ...attributes }]),
    close: (name) => void events.push(['close', name]),
    text: (text) => void events.push(['text', text]),
    fault(_, message) {
      throw new XmlError('malformed', message);
    },
  });
  for (let at = 0, turn = 0; at < xml.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    stream.write(xml.slice(at, at + size));
    at += size;
  }
  stream.end();
  return joined(events);
}

function theirs(xml: string): Event[] {
  const events: Event[] = [];
  let depth = 0;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    events.push(['open', name, { ...attributes }]);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    events.push(['close', name]);
  });
  for (const kind of ['text', 'cdata'] as const) {
    parser.on(kind, (text) => {
      if (depth > 0) events.push(['text', text]);
    });
  }
  parser.write(xml).close();
  return joined(events);
}

const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });
const name = fc.constantFrom('a', 'b', 'w:p', '_c', 'é', 'a-1.2');
const words = fc.constantFrom(
  'x',
  ' ',
  '\n',
  '\r\n',
  '&amp;',
  '&#65;',
  '&#x1F600;',
  '&lt;',
  'é',
  '😀',
  '>',
  "'",
  '"',
  ']',
);
const value = fc.array(words, { maxLength: 4 }).map((parts) => parts.join('').replaceAll('"', ''));
const attributes = fc
  .uniqueArray(fc.tuple(fc.constantFrom('id', 'w:val', 'x', 'y-z'), value), { selector: ([key]) => key, maxLength: 3 })
  .map((list) => list.map(([key, text]) => `\n ${key} = "${text}"`).join(''));
const section = fc.constantFrom('<!-- > " -->', '<![CDATA[<a>&b;]] >]]>', '<?php > ?>', '<!---->', '<![CDATA[]]>');
const content = fc.letrec((tie) => ({
  element: fc
    .tuple(name, attributes, fc.array(tie('node'), { maxLength: 4 }))
    .map(([tag, more, inside]) =>
      inside.length === 0 ? `<${tag}${more}/>` : `<${tag}${more}>${inside.join('')}</${tag} >`,
    ),
  node: fc.oneof({ depthSize: 'small' }, words, section, tie('element')),
}));
const prolog = fc.constantFrom(
  '',
  '<?xml version="1.0"?>\n',
  '<!DOCTYPE a>',
  "<!DOCTYPE a PUBLIC \"-//x>\" 'y'><!-- it's -->",
  '<!DOCTYPE a [<!ENTITY b "<c>]>"><!-- it\'s ]> --><!ELEMENT d (e)>]>\n',
);

test(`well-formed XML is read as by saxes, in pieces of any size (seed ${SEED})`, () => {
  fc.assert(
    fc.property(prolog, content.element, sizes, (start, root, pieces) => {
      const xml = `${start}${root}\n`;
      assert.deepEqual(own(xml, pieces), theirs(xml));
    }),
    RUNS,
  );
});

test(`errors are found at the same position in pieces of any size (seed ${SEED})`, () => {
  const part = fc.constantFrom(
    '<a>',
    '</a>',
    '<a',
    '</',
    '<',
    '>',
    '/>',
    '&',
    '&b;',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<!',
    '?',
    '"',
    '=',
    ' x',
  );
  const outcome = (xml: string, pieces: readonly number[]) => {
    try {
      return own(xml, pieces);
    } catch (error) {
      assert.ok(error instanceof XmlError);
      return error.message;
    }
  };
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), sizes, (parts, pieces) => {
      const xml = `<a>${parts.join('')}`;
      assert.deepEqual(outcome(xml, pieces), outcome(xml, [xml.length]));
    }),
    RUNS,
  );
});
