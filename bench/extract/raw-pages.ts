// Makes raw pages: fills the emptied scripts and styles of a page with generated code that resembles minified code, until
// the page has four times its size. The result is the same for the same page.
import { Parser } from 'htmlparser2'; // Not our own parser, whose bugs the result would share.
import { createDice, type Dice } from '../../test/support/web/words.ts';

const GROWTH = 4;
const STATEMENTS = 4096;
const HEAD_END = /<\/head>/i;
const BODY_END = /<\/body>(?![\s\S]*<\/body>)/i;

export type FillPage = (html: string) => string;

interface EmptyElement {
  kind: 'script' | 'style';
  at: number;
}

export function createPageFiller(): FillPage {
  const code = { script: statements(SCRIPTS, 1), style: statements(STYLES, 2) };
  return (html) => {
    const bytes = Buffer.byteLength(html);
    const page = findEmptyElements(html).length > 0 ? html : addEmptyElements(html);
    const elements = findEmptyElements(page);
    const dice = createDice(bytes);
    // As on real pages, a few elements contain most of the code.
    const weights = elements.map(() => (1 + dice.roll(1000)) ** 3);
    const unit = (bytes * GROWTH - Buffer.byteLength(page)) / weights.reduce((sum, weight) => sum + weight, 0);
    let filled = '';
    let from = 0;
    elements.forEach(({ kind, at }, n) => {
      filled += page.slice(from, at) + fill(code[kind], dice.roll(STATEMENTS), Math.floor(weights[n]! * unit));
      from = at;
    });
    return filled + page.slice(from);
  };
}

/** Finds the emptied elements with a parser, since attributes and comments may contain whole pages. */
function findEmptyElements(html: string): EmptyElement[] {
  const found: EmptyElement[] = [];
  let empty: EmptyElement | undefined;
  const parser = new Parser({
    onopentag(name, { src, type = '' }) {
      // Scripts with a src have no body, and JSON and templates are not code.
      const isCode = name === 'style' || (name === 'script' && src === undefined && !/json|template/.test(type));
      empty = isCode ? { kind: name, at: parser.endIndex + 1 } : undefined;
    },
    ontext: () => {
      empty = undefined;
    },
    onclosetag() {
      if (empty) found.push(empty);
      empty = undefined;
    },
  });
  parser.end(html);
  return found;
}

/** Adds a style and a script to the head, and a script to the end of the body. */
function addEmptyElements(html: string): string {
  const withHead = html.replace(HEAD_END, '<style></style><script></script>$&');
  const withBody = withHead.replace(BODY_END, '<script></script>$&');
  return withBody === withHead ? `${withHead}<script></script>` : withBody;
}

/** Whole statements, starting with the given one, then spaces up to the length. */
function fill(code: string[], start: number, length: number): string {
  const parts: string[] = [];
  let left = length;
  for (let n = start; ; n += 1) {
    const statement = code[n % code.length]!;
    if (statement.length > left) return parts.join('') + ' '.repeat(left);
    parts.push(statement);
    left -= statement.length;
  }
}

const statements = (patterns: string[], seed: number): string[] => {
  const dice = createDice(seed);
  return Array.from({ length: STATEMENTS }, () =>
    dice.pick(patterns).replace(/_|NAME|NUM|NOISE/g, (kind) => PARTS[kind]!(dice)),
  );
};

const WORDS = 'getData setNode value item list event target index state props render update config user page'.split(
  ' ',
);

const PARTS: Record<string, (dice: Dice) => string> = {
  _: (dice) => (10 + dice.roll(26)).toString(36),
  NAME: (dice) => dice.pick(WORDS) + (dice.roll(2) ? dice.roll(99) : ''),
  NUM: (dice) => String(dice.roll(1000)),
  NOISE: (dice) => Array.from({ length: 20 + dice.roll(100) }, () => dice.roll(36).toString(36)).join(''),
};

// Comparisons, markup in strings and escaped end tags make an HTML tokenizer stop in scripts.
const SCRIPTS = [
  'function _(_,_){return _.NAME&&NUM<_.length?_[NUM]:void 0}',
  'for(var _=0;_<_.length;_++)_.push(_[_].NAME);',
  `_.innerHTML="<div class='NAME'><a href=\\"/NAME/NUM\\">"+_+"<\\/a><\\/div>";`,
  '!function(e,t){"use strict";e.NAME=t.NAME||{};e.NAME.NAME=function(){return t(NUM)}}(window,document);',
  'window.NAME={"id":NUM,"NAME":"NOISE","url":"https://cdn.example/NAME/NUM.js","NAME":[NUM,NUM,true,null]};',
  '(self.chunk=self.chunk||[]).push([[NUM],{NUM:(e,t,n)=>{n.d(t,{_:()=>_});const _=n(NUM),_=n.n(_)}}]);',
  'switch(_.NAME){case"NAME":return _(NUM);default:throw new Error("NAME "+_+" of "+_.NAME)}',
  '/^[a-z]{2,NUM}$/.test(_)&&_.addEventListener("NAME",_=>{_.preventDefault()},!1);',
  'var NAME="data:image/png;base64,NOISE";',
];

const STYLES = [
  '.NAME-NUM{display:flex;margin:0 NUMpx;padding:NUMpx;color:#333}',
  '.NAME>li:first-child a:hover,.NAME .NAME{font-size:NUMpx;line-height:1.4}',
  '@media(max-width:NUMpx){.NAME{width:NUM%}.NAME::after{display:none}}',
  '#NAME .NAME::before{content:"\\eNUM";background:url(data:image/svg+xml;base64,NOISE) no-repeat}',
];
