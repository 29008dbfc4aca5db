import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageSharing, EVERYONE, SHARED } from '../../../src/page/page-owner.ts';

const PLAIN = { urls: ['https://site.test/'], hasSecretUrls: false, isManual: false };
const MOVED = { ...PLAIN, urls: ['https://site.test/', 'https://site.test/home?token=x'] };
const LINKS = { ...PLAIN, hasSecretUrls: true };
const MANUAL = { ...PLAIN, urls: ['https://site.test/docs/1?token=x'], isManual: true };

test('teams that share own ordinary pages together, and pages with credentials alone', () => {
  const { ownerOf, viewerOf, ownerOfAnswers } = createPageSharing({ isolatesTeams: false });
  assert.deepEqual(
    [PLAIN, MOVED, LINKS, MANUAL].map((page) => ownerOf(page, 'a')),
    [SHARED, 'a', 'a', EVERYONE],
  );
  assert.deepEqual(viewerOf('a'), ['a', SHARED, EVERYONE]);
  assert.equal(ownerOfAnswers('a'), SHARED);
});

test('isolated teams own all their pages alone and see nothing else but the manual', () => {
  const { ownerOf, viewerOf, ownerOfAnswers } = createPageSharing({ isolatesTeams: true });
  assert.deepEqual(
    [PLAIN, MOVED, LINKS, MANUAL].map((page) => ownerOf(page, 'a')),
    ['a', 'a', 'a', EVERYONE],
  );
  assert.deepEqual(viewerOf('a'), ['a', EVERYONE]);
  assert.deepEqual(viewerOf(undefined), [EVERYONE], 'the service itself');
  assert.equal(ownerOfAnswers('a'), 'a');
});
