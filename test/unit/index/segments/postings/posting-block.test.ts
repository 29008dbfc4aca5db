// Blocks of postings: what goes in comes out, by term and in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BlockPacker,
  BlockReader,
  type PostingBlock,
} from '../../../../../src/index/segments/postings/posting-block.ts';
import {
  decodePostings,
  encodePostings,
  type PostingRow,
} from '../../../../../src/index/segments/postings/posting-list.ts';

const rowOf = (term: string, ...docs: [docId: number, weight: number][]): PostingRow =>
  encodePostings(term, {
    docIds: Int32Array.from(docs, ([docId]) => docId),
    weights: Uint8Array.from(docs, ([, weight]) => weight),
  });

function blocksOf(rows: readonly PostingRow[]): PostingBlock[] {
  const writer = new BlockPacker();
  return [...rows.flatMap((row) => writer.add(row) ?? []), ...[writer.take() ?? []].flat()];
}

function termsOf({ bytes }: PostingBlock): string[] {
  const reader = new BlockReader(bytes);
  const terms: string[] = [];
  for (let row = reader.next(); row; row = reader.next()) terms.push(row.term);
  return terms;
}

test('a term is found among others that begin like it', () => {
  const terms = ['a', 'ab', 'abc', 'abd', 'b', 'ba', 'é', '語', '語学'];
  const [block = assert.fail(), ...others] = blocksOf(terms.map((term, at) => rowOf(term, [at + 1, 2], [at + 9, 3])));
  assert.deepEqual(others, []);
  assert.deepEqual(termsOf(block), terms);
  for (const [at, term] of terms.entries()) {
    const { docIds, weights } = decodePostings([new BlockReader(block.bytes).find(term)!]);
    assert.deepEqual([[...docIds], [...weights]], [[at + 1, at + 9], [2, 3]], term); // biome-ignore format: short
  }
  for (const term of ['', 'A', 'aa', 'abcd', 'abe', 'bab', 'z', '語学部'])
    assert.equal(new BlockReader(block.bytes).find(term), undefined, term);
});

test('a row that is too long for a block with others has one of its own', () => {
  const docs = Array.from({ length: 3_000 }, (_, at): [number, number] => [at * 7 + 1, (at % 200) + 1]);
  const blocks = blocksOf([rowOf('a', [1, 1]), rowOf('b', ...docs), rowOf('c', [1, 1]), rowOf('d', [1, 1])]);
  assert.deepEqual(blocks.map(termsOf), [['a'], ['b'], ['c', 'd']]);
  assert.equal(decodePostings([new BlockReader(blocks[1]!.bytes).find('b')!]).weights[250], 51);
});
