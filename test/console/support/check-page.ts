// Looks at a page as it is now: with axe-core, for content beyond the edge of the screen, errors, and requests to elsewhere; in
// the full run in three widths and both themes. With TRAWL_CONSOLE_PICTURES set to a folder it also keeps pictures, for people to look at.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { layoutShift, type PageRecord, policyBreaches } from './page-record.ts';
import type { Tier } from './tier.ts';
import { VIEWS } from './views.ts';

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

const PICTURES = process.env.TRAWL_CONSOLE_PICTURES;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const GOOD_SHIFT = 0.1;
const HEIGHT = 900;
/** `name` is that of the picture, such as `jobs-empty`. The page is back at its first width afterwards. */
export async function checkPage(page: Page, record: PageRecord, name: string, tier: Tier): Promise<void> {
  const before = page.viewportSize()!;
  const shift = await layoutShift(page);
  assert.ok(shift <= GOOD_SHIFT, `${name}: content moved by itself (${shift.toFixed(3)})`);
  for (const { width, theme } of VIEWS[tier]) {
    const view = `${name} at ${width} px, ${theme}`;
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const beyond = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    assert.ok(beyond <= 0, `${view}: ${beyond} px beyond the edge`);
    assert.deepEqual(await violations(page), [], view);
    if (PICTURES) {
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `${name}-${width}-${theme}.png`) });
    }
  }
  await page.setViewportSize(before);
  assert.deepEqual(record.problems, [], `${name}: errors`);
  assert.deepEqual(record.foreign, [], `${name}: requests to elsewhere`);
  assert.deepEqual(await policyBreaches(page), [], `${name}: content security policy`);
}

async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(
    (tags) =>
      (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly: { type: 'tag', values: tags },
        resultTypes: ['violations'],
        preload: false,
      }),
    RULES,
  );
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}\n${html.slice(0, 300)}\n${failureSummary}`),
  );
}
