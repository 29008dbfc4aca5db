// The branding of measured styles, without a browser: hostile values, choices by number, and drawings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePageStyles } from '../../../../src/page/page-styles.ts';
import { brandCandidates, brandingOf } from '../../../../src/understand/branding/branding.ts';
import { gradientColors, readColor } from '../../../../src/understand/branding/colors.ts';
import { writeSvg } from '../../../../src/understand/branding/svg.ts';
import { logo, RECT, STYLES } from '../../../support/page-styles.ts';

const URL_OF_PAGE = 'https://site.test/';

test('colours are read in every way that browsers write them', () => {
  const hex = (text: string, behind?: string) => readColor(text, behind)?.hex;
  assert.equal(hex('rgb(255, 0, 0)'), '#FF0000');
  assert.equal(hex('color(srgb 0 0.5 1)'), '#0080FF');
  assert.equal(hex('oklch(1 0 0)'), '#FFFFFF');
  assert.equal(hex('rgba(0, 0, 0, 0.5)', 'rgb(255, 255, 255)'), '#808080');
  assert.equal(hex('rgba(0, 0, 0, 0.01)'), undefined);
  assert.equal(hex('nonsense'), undefined);
  assert.deepEqual(
    gradientColors('linear-gradient(90deg, rgb(255, 0, 0) 0%, #0000ff)').map((color) => color.hex),
    ['#FF0000', '#0000FF'],
  );
});

test('a choice by number replaces that of the rules, and nothing is chosen that was not offered', () => {
  const ruled = brandingOf(STYLES, URL_OF_PAGE) as Record<string, Record<string, Record<string, string>>>;
  assert.equal(ruled.components!.buttonPrimary!.background, '#C80000');
  assert.equal(ruled.components!.buttonSecondary!.background, '#0000C8');
  assert.equal(ruled.logo, 'https://site.test/one.png');
  const { logos, buttons } = brandCandidates(STYLES);
  assert.deepEqual([logos.length, buttons.length], [2, 2]);
  const chosen = brandingOf(STYLES, URL_OF_PAGE, { logo: 2, primaryButton: 2, secondaryButton: null }) as typeof ruled;
  assert.equal(chosen.logo, 'https://site.test/two.png');
  assert.equal(chosen.components!.buttonPrimary!.background, '#0000C8');
  assert.equal(chosen.components!.buttonSecondary, undefined);
  assert.equal(brandingOf(STYLES, URL_OF_PAGE, { logo: null }).logo, undefined);
});

test('no value is null, at any depth', () => {
  const branding = brandingOf({ ...STYLES, canvas: 'nonsense', buttons: [], logos: [] }, 'not a url');
  assert.ok(!JSON.stringify(branding).includes('null'));
  assert.deepEqual(branding, { colorScheme: 'light', colors: { background: '#FFFFFF' } });
});

test('logos with addresses of scripts and files are not passed on', () => {
  for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'blob:https://site.test/1']) {
    assert.equal(brandingOf({ ...STYLES, logos: [logo(url, true)] }, URL_OF_PAGE).logo, undefined, url);
  }
});

test('a drawing is written from known elements and attributes only, whatever was measured', () => {
  const node = (name: string, attributes: Record<string, string>, text?: string) => ({
    name,
    attributes,
    children: [],
    ...(text && { text }),
  });
  const svg = writeSvg(
    {
      name: 'svg',
      attributes: { onload: 'alert(1)', viewBox: '0 0 "10" <10>' },
      children: [
        node('script', {}, 'alert(1)'),
        node('path', { d: 'M0 0', onclick: 'alert(1)', fill: 'url(https://elsewhere.test/#a)' }),
        node('use', { href: 'https://elsewhere.test/a.svg#b' }),
        node('text', { fill: 'url(#inside)' }, '</text><script>'),
      ],
    },
    RECT,
  );
  assert.equal(
    svg,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 &quot;10&quot; &lt;10&gt;" width="100" height="40">' +
      '<path d="M0 0"/><use/><text fill="url(#inside)">&lt;/text&gt;&lt;script&gt;</text></svg>',
  );
});

test('measurements that are too large or of another shape are refused', () => {
  assert.deepEqual(parsePageStyles(JSON.stringify(STYLES)), STYLES);
  const broken: unknown[] = [
    undefined,
    42,
    'null',
    '{',
    '[]',
    JSON.stringify({ ...STYLES, canvas: 'x'.repeat(5_000) }),
    JSON.stringify({ ...STYLES, height: '800' }),
    JSON.stringify({ ...STYLES, buttons: Array.from({ length: 500 }, () => STYLES.buttons[0]) }),
    `{"canvas":"${'x'.repeat(2_000_000)}"}`,
    `{"logos":${'[{"svg":'.repeat(50_000)}`,
  ];
  for (const value of broken) assert.equal(parsePageStyles(value), undefined);
});
