// What the browser measures of a page, and what is made of it: brands with known answers, and pages that resist.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { readStyles } from '../../../../../../src/fetch/browser/page/styles/read-styles.ts';
import { brandingOf } from '../../../../../../src/understand/branding/branding.ts';
import { noBrowser, servePages } from '../../../../../support/browser/serve-pages.ts';
import { BRAND_PAGES, HOSTILE_BRAND_PAGES, PICTURE } from '../../../../../support/web/brand-pages.ts';

const PICTURES = ['/logo.png', '/ledger.svg', '/logo-of-another.png', '/tea.svg', '/favicon.ico'];

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((part, key) => (part as Record<string, unknown> | undefined)?.[key], value);

describe('styles of a page', { skip: noBrowser }, () => {
  const pages = servePages({
    ...Object.fromEntries(Object.entries(BRAND_PAGES).map(([path, { html }]) => [path, html])),
    ...HOSTILE_BRAND_PAGES,
    ...Object.fromEntries(
      PICTURES.map((path) => [
        path,
        (_, response) => void response.setHeader('content-type', 'image/png').end(PICTURE),
      ]),
    ),
  });

  async function measure(path: string, options: BrowserContextOptions = {}) {
    const page = await pages.open(path, options);
    try {
      const styles = await readStyles(page);
      assert.ok(styles, 'The page was not measured.');
      return { styles, branding: brandingOf(styles, page.url()) };
    } finally {
      await page.context().close();
    }
  }

  for (const [path, { expected }] of Object.entries(BRAND_PAGES)) {
    test(`the brand of ${path} is what its designer would say`, async () => {
      const { branding } = await measure(path);
      const absolute = (value: unknown) =>
        typeof value === 'string' && value.startsWith('/') ? pages.base() + value : value;
      for (const [key, value] of Object.entries(expected)) {
        const found = at(branding, key);
        // A drawing is written as a file of its own.
        if (String(value).startsWith('data:')) assert.ok(String(found).startsWith(String(value)), key);
        else assert.deepEqual(found, absolute(value), key);
      }
    });
  }

  test('a drawing is complete by itself: symbols from elsewhere, and the colours that style sheets gave it', async () => {
    const { branding } = await measure('/dark');
    const svg = Buffer.from(String(at(branding, 'logo')).split(',')[1]!, 'base64').toString();
    assert.match(svg, /<symbol id="kestrel" viewBox="0 0 96 32"><path d="M0 0h96v32z"/);
    assert.match(svg, /<use [^>]*href="#kestrel"/);
    assert.match(svg, /fill="rgb\(124, 92, 255\)"/);
  });

  test('a phone is shown the same brand', async () => {
    const { styles, branding } = await measure('/tea', { viewport: { width: 412, height: 915 }, isMobile: true });
    assert.equal(styles.viewport.width, 412);
    assert.equal(at(branding, 'colors.primary'), '#1F5C3D');
    assert.equal(at(branding, 'components.buttonPrimary.background'), '#C8102E');
  });

  for (const path of Object.keys(HOSTILE_BRAND_PAGES)) {
    test(`the hostile page ${path} is measured within the limits`, async () => {
      const { styles, branding } = await measure(path);
      assert.ok(JSON.stringify(styles).length < 500_000);
      assert.equal(at(branding, 'colors.background'), '#123456');
      if (path === '/many') assert.equal(styles.isCut, true);
      if (path === '/huge-logo') assert.deepEqual(styles.logos, []);
      if (path === '/clobbered') assert.equal(styles.buttons[0]?.text, 'Send it');
    });
  }
});
