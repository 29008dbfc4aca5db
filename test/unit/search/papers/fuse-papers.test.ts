// Which records are the same paper, and what the merged one says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Paper } from '../../../../src/contracts/search/paper.ts';
import { fusePapers } from '../../../../src/search/papers/fuse-papers.ts';

const paper = (ids: Paper['ids'], more: Partial<Paper> = {}): Paper => ({
  ids,
  title: '',
  abstract: '',
  authors: [],
  categories: [],
  fullTexts: [],
  ...more,
});
const listOf = (provider: string, ...papers: Paper[]) => ({
  provider,
  items: papers.map((result, index) => ({ result, rank: index + 1 })),
});

test('records that share an id are one paper, also across a third', () => {
  const fused = fusePapers(
    [
      listOf('a', paper({ doi: '10.1/x' }, { abstract: 'short', citations: 3 })),
      listOf('b', paper({ pmid: '5' }, { updated: '2020-01-02' })),
      listOf(
        'c',
        paper({ doi: '10.1/x', pmid: '5' }, { abstract: 'much longer', authors: ['Ada'], created: '2019-01-01' }),
      ),
      listOf('d', paper({ doi: '10.1/other' })),
    ],
    10,
  );
  assert.equal(fused.length, 2);
  assert.deepEqual(fused[0]!.providers, ['a', 'b', 'c']);
  assert.deepEqual(fused[0]!.paper, {
    ids: { doi: '10.1/x', pmid: '5' },
    title: '',
    abstract: 'much longer',
    authors: ['Ada'],
    categories: [],
    created: '2019-01-01',
    updated: '2020-01-02',
    citations: 3,
    fullTexts: [],
  });
});

test('titles count only if they are long and the first author is the same', () => {
  const title = 'On the gaits of striped animals';
  const fuse = (...papers: Paper[]) =>
    fusePapers(
      papers.map((one, at) => listOf(String(at), one)),
      10,
    ).length;
  assert.equal(
    fuse(
      paper({ doi: '10.1/a' }, { title, authors: ['Zoe Stripe'] }),
      paper({ arxiv: '1' }, { title: `${title}.`, authors: ['Z. Stripe'] }),
    ),
    1,
  );
  assert.equal(
    fuse(
      paper({ doi: '10.1/a' }, { title, authors: ['Zoe Stripe'] }),
      paper({ arxiv: '1' }, { title, authors: ['Max Quark'] }),
    ),
    2,
  );
  assert.equal(
    fuse(paper({ doi: '10.1/a' }, { title: 'Introduction' }), paper({ arxiv: '1' }, { title: 'Introduction' })),
    2,
  );
});
