// Ids of papers in every spelling, and back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { idsIn, paperIdOf, primaryIdOf, readPaperRef } from '../../../../src/search/papers/paper-id.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const read = (text: string) => {
  const ref = readPaperRef(text);
  return ref && `${ref.namespace}:${ref.value}`;
};

test('every spelling becomes one', () => {
  const spellings: [expected: string | undefined, ...texts: string[]][] = [
    [
      'arxiv:2301.00001',
      '2301.00001',
      ' arXiv: 2301.00001v12 ',
      'ARXIV:2301.00001',
      'http://www.arxiv.org/abs/2301.00001',
    ],
    [
      'arxiv:2301.00001',
      'https://arxiv.org/html/2301.00001v1',
      'https://export.arxiv.org/pdf/2301.00001v1.pdf?download=1#page=2',
    ],
    ['arxiv:2301.00001', '10.48550/ARXIV.2301.00001', 'https://doi.org/10.48550/arXiv.2301.00001'],
    ['arxiv:math.gt/0309136', 'math.GT/0309136v2', 'arxiv:math.GT/0309136'],
    [
      'doi:10.1000/ab(c);d',
      '10.1000/AB(c);d',
      'DOI: 10.1000/ab(c);d',
      'doi:10.1000~2Fab(c)~3Bd',
      '10.1000%2Fab(c)%3Bd',
    ],
    ['doi:10.1000/~user', '10.1000/~user', 'doi:10.1000~2F~7Euser'],
    ['pmid:123', '123', 'pmid:123', 'https://pubmed.ncbi.nlm.nih.gov/123/', 'https://www.ncbi.nlm.nih.gov/pubmed/123'],
    ['pmcid:PMC77', 'pmc77', 'pmcid:77', 'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC77/pdf/x.pdf'],
    ['openalex:W12', 'w12', 'https://api.openalex.org/works/W12'],
    [
      undefined,
      '',
      'hello',
      '10.1/x',
      '10.1000/',
      'arxiv:123',
      'https://example.com/10.1000/x',
      'W',
      '0',
      'doi:%E0%A4%A',
      'x'.repeat(500),
    ],
  ];
  for (const [expected, ...texts] of spellings) for (const text of texts) assert.equal(read(text), expected, text);
});

test('the id for paths has no character of its own meaning there, and leads back', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[!-;=?-~]{1,60}$/), (suffix) => {
      const ids = idsIn(`10.1234/${suffix}`);
      fc.pre(ids.doi !== undefined);
      const id = paperIdOf(ids);
      assert.match(id, /^doi:[\w.!~*'()-]+$/);
      assert.equal(read(id), primaryIdOf(ids));
    }),
    { seed: seedOr(20261116), numRuns: runs(200, 2_000) },
  );
  assert.equal(primaryIdOf(idsIn('W5', '31452104', '10.1000/x')), 'doi:10.1000/x');
});
