// A separate program that drives a session's browser with Playwright. Arguments: the CDP address and a page; it prints
// what it saw.
import { chromium } from 'playwright-core';

const [cdpUrl = '', url = ''] = process.argv.slice(2);
const browser = await chromium.connectOverCDP(cdpUrl);
const context = browser.contexts()[0]!;
const page = context.pages()[0] ?? (await context.newPage());
await page.goto(url);
const title = await page.title();
const picture = (await page.screenshot()).length;
const other = await (await browser.newContext()).newPage();
await other.goto(url);
await other.setContent('<button onclick="document.title = `clicked`">press</button>');
await other.getByRole('button').click();
const clicked = await other.title();
const file = await page.goto('file:///etc/passwd').then(
  () => 'opened',
  () => 'refused',
);
await browser.close();
process.stdout.write(JSON.stringify({ title, picture, clicked, file }));
