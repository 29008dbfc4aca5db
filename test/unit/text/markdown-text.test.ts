// Marks of Markdown that are rewritten or taken out: links within links, escapes, code, and text that is made to be slow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, rewriteMarks } from '../../../src/text/markdown-text.ts';

const withoutBoth = (text: string) => rewriteMarks(text, { image: (alt) => alt, link: (inside) => inside });

test('images and links are rewritten, also one inside the other, and code is not', async () => {
  assert.equal(await withoutBoth('[![Moon](m.png)](/moon "The moon") [a \\[b\\]](/a\\)b)'), 'Moon a \\[b\\]');
  assert.equal(
    await rewriteMarks('[![Moon](m.png)](/moon)', { link: (text, url) => `${text}<${url}>` }),
    '![Moon](m.png)</moon>',
  );
  assert.equal(await rewriteMarks('![Moon](m.png) [x](y)', { image: () => '' }), ' [x](y)');
  const code = '```md\n[x](y)\n```\n[x](y)';
  assert.equal(await withoutBoth(code), '```md\n[x](y)\n```\nx');
  assert.equal(await withoutBoth('`[x](y)` [x](y)'), '`[x](y)` x');
});

test('plain text has no marks', async () => {
  assert.equal(
    await plainText('# A *b*\n\n- **one** [two](/2)\n> 3\n\n```\nx = `y`\n```\n4\\. \\*'),
    'A *b*\n\none two\n3\n\nx = `y`\n4. *',
  );
});

test('text that is made to be slow is read in one go', async () => {
  const size = 90_000;
  for (const part of ['[', '![', '[a](', '[![a](b)', '[a](b "', '\\', '`', '[a]( ']) {
    const hostile = part.repeat(size / part.length);
    assert.equal((await rewriteMarks(hostile, { image: () => '', link: (text) => text })).length > 0, true, part);
    await plainText(hostile);
  }
});
