// Formulas in office files become TeX.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ommlToTex } from '../../../../src/parse/office/math/omml.ts';
import { readXml } from '../../../../src/parse/read-xml.ts';

const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const e = (text: string): string => `<m:e>${r(text)}</m:e>`;

describe('Word formulas', () => {
  const cases: [name: string, omml: string, tex: string][] = [
    [
      'superscripts and subscripts',
      `<m:sSubSup>${e('x')}<m:sub>${r('1')}</m:sub><m:sup>${r('2')}</m:sup></m:sSubSup>`,
      'x_{1}^{2}',
    ],
    [
      'a sum with its limits',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('n=1')}</m:sub><m:sup>${r('∞')}</m:sup>${e('n')}</m:nary>`,
      '\\sum_{n=1}^{\\infty} n',
    ],
    ['roots', `<m:rad><m:deg>${r('3')}</m:deg>${e('x')}</m:rad>`, '\\sqrt[3]{x}'],
    ['brackets', `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>${e('a')}</m:d>`, '\\left[a\\right]'],
    ['functions', `<m:func><m:fName>${r('sin')}</m:fName>${e('x')}</m:func>`, '\\sin{x}'],
    ['accents', `<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${e('v')}</m:acc>`, '\\vec{v}'],
    [
      'a matrix',
      `<m:m><m:mr>${e('a')}${e('b')}</m:mr><m:mr>${e('c')}${e('d')}</m:mr></m:m>`,
      '\\begin{matrix}a & b \\\\ c & d\\end{matrix}',
    ],
    ['a space between a command and the letter after it', r('αb≤ℝ'), '\\alpha b\\le\\mathbb{R}'],
    ['characters that TeX reserves are escaped', r('100%_a'), '100\\%\\_a'],
    ['words become text', `<m:r><m:rPr><m:nor/></m:rPr><m:t>if so</m:t></m:r>`, '\\text{if so}'],
    [
      'unknown elements, even with the names of object members, give their content',
      `<m:constructor>${r('a')}</m:constructor><m:toString>${r('b')}</m:toString>`,
      'ab',
    ],
    ['italic letters become plain ones', r('𝑥'), 'x'],
  ];
  for (const [name, omml, tex] of cases) {
    test(name, () => assert.equal(ommlToTex(readXml(`<m:oMath xmlns:m="m">${omml}</m:oMath>`)), tex));
  }
});

test('formulas nested as deeply as allowed are read', () => {
  const depth = 120;
  const omml = `${'<m:rad><m:deg><m:r><m:t>2</m:t></m:r>'.repeat(depth)}${'</m:deg><m:e/></m:rad>'.repeat(depth)}`;
  assert.ok(ommlToTex(readXml(`<m:oMath xmlns:m="m">${omml}</m:oMath>`)).startsWith('\\sqrt[2'));
});
