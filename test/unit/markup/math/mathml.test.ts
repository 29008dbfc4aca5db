// MathML of pages and OpenDocument files becomes TeX.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mathmlToTex } from '../../../../src/markup/math/mathml.ts';
import { readXml } from '../../../../src/parse/read-xml.ts';

const tex = (mathml: string): string => mathmlToTex(readXml(`<math>${mathml}</math>`));
const table = (...rows: string[][]): string =>
  `<mtable>${rows.map((row) => `<mtr>${row.map((cell) => `<mtd>${cell}</mtd>`).join('')}</mtr>`).join('')}</mtable>`;
const letters = table(['<mi>a</mi>', '<mi>b</mi>'], ['<mi>c</mi>', '<mi>d</mi>']);

describe('MathML', () => {
  const cases: [name: string, mathml: string, tex: string][] = [
    ['a fraction with a root', '<mfrac><msqrt><mi>h</mi></msqrt><mn>2</mn></mfrac>', '\\frac{\\sqrt{h}}{2}'],
    ['limits above and below', '<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>x</mi>', '\\sum_{i}^{n}x'],
    ['a limit below its name', '<munder><mi>lim</mi><mi>n</mi></munder><mi>x</mi>', '\\lim_{n}x'],
    ['an accent', '<mover><mi>x</mi><mo>¯</mo></mover>', '\\bar{x}'],
    [
      'an accent over more than a letter',
      '<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover>',
      '\\overrightarrow{AB}',
    ],
    ['a letter above another is no accent', '<mover><mi>x</mi><mi>n</mi></mover>', '\\overset{n}{x}'],
    ['words below a sign', '<munder><mo>=</mo><mtext>def</mtext></munder>', '\\underset{\\text{def}}{=}'],
    ['words on an arrow', '<mover><mo>→</mo><mi>f</mi></mover>', '\\xrightarrow{f}'],
    [
      'a brace with its label',
      '<munder><munder><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mo>⏟</mo></munder><mi>n</mi></munder>',
      '\\underbrace{a+b}_{n}',
    ],
    ['a matrix in brackets', `<mo>(</mo>${letters}<mo>)</mo>`, '\\begin{pmatrix}a & b \\\\ c & d\\end{pmatrix}'],
    ['a determinant', `<mrow><mo>|</mo>${letters}<mo>|</mo></mrow>`, '\\begin{vmatrix}a & b \\\\ c & d\\end{vmatrix}'],
    ['cases', `<mo>{</mo>${letters}<mo></mo>`, '\\begin{cases}a & b \\\\ c & d\\end{cases}'],
    [
      'lines that are aligned at a sign',
      letters.replace('<mtable>', '<mtable columnalign="right left">'),
      '\\begin{aligned}a & b \\\\ c & d\\end{aligned}',
    ],
    ['a binomial', '<mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>', '\\binom{n}{k}'],
    [
      'brackets that grow',
      '<mrow><mo fence="true">(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo fence="true">)</mo></mrow>',
      '\\left(\\frac{a}{b}\\right)',
    ],
    ['primes', '<msup><mi>f</mi><mo>′</mo></msup><mo>(</mo><mi>x</mi><mo>)</mo>', "f'(x)"],
    ['names', '<mi>Var</mi><mo>\u2061</mo><mi>X</mi>', '\\operatorname{Var}X'],
    ['alphabets', '<mi mathvariant="double-struck">R</mi><mi mathvariant="bold">v</mi>', '\\mathbb{R}\\mathbf{v}'],
    ['spaces', '<mi>a</mi><mspace width="1em"/><mi>b</mi><mspace width="0.167em"/><mi>c</mi>', 'a\\quad b\\,c'],
    [
      'indices on both sides',
      '<mmultiscripts><mi>C</mi><mi>k</mi><none/><mprescripts/><mi>n</mi><none/></mmultiscripts>',
      '{}_{n}C_{k}',
    ],
    [
      'the TeX annotation is preferred',
      '<semantics><mi>q</mi><annotation encoding="application/x-tex">\\alpha q</annotation></semantics>',
      '\\alpha q',
    ],
    [
      'an annotation in another language is ignored',
      '<semantics><mi>q</mi><annotation encoding="StarMath 5.0">q</annotation></semantics>',
      'q',
    ],
    [
      'unknown elements give their content',
      '<constructor><mi>a</mi></constructor><toString><mi>b</mi></toString>',
      'ab',
    ],
  ];
  for (const [name, mathml, expected] of cases) test(name, () => assert.equal(tex(mathml), expected));
});

test('formulas nested as deeply as allowed are read in linear time', () => {
  const depth = 120;
  for (const name of ['mover', 'munder', 'munderover', 'msubsup', 'mfrac']) {
    // Twice the work at every level would never end.
    const mathml = `${`<${name}>`.repeat(depth)}<mi>x</mi>${`<mi>n</mi><mi>m</mi></${name}>`.repeat(depth)}`;
    assert.ok(tex(mathml).length > depth, name);
  }
});
