// Edits of whole pages, as sites of many kinds have them: which are noise, and which are not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeByRules } from '../../../../../src/understand/changes/rules/judge-by-rules.ts';
import { newsAndCommunities } from './watched-pages/news-and-communities.ts';
import { publicAndEvents } from './watched-pages/public-and-events.ts';
import { shopsAndServices } from './watched-pages/shops-and-services.ts';
import { type Edit, edited } from './watched-pages/watched-page.ts';

const READ_AT = { before: Date.UTC(2026, 1, 2, 14), after: Date.UTC(2026, 1, 3, 9) };
const PAGES = Object.entries({ ...shopsAndServices, ...newsAndCommunities, ...publicAndEvents });

const judge = (before: string, after: string) => judgeByRules({ markdown: { before, after }, readAt: READ_AT });

for (const [name, { markdown, noise, real }] of PAGES) {
  test(`${name}: what changes by itself is noise`, () => {
    const isReported = (edit: Edit) => judge(markdown, edited(markdown, edit)).meaningful;
    assert.deepEqual(noise.filter(isReported), []);
  });

  test(`${name}: what somebody has edited is not`, () => {
    const isMissed = (edit: Edit): boolean => {
      const after = edited(markdown, edit);
      return !judge(markdown, after).meaningful || !judge(after, markdown).meaningful;
    };
    assert.deepEqual(real.filter(isMissed), []);
  });
}
