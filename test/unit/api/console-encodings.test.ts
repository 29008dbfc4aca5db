// Which encodings a client accepts for the files of the console.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceptedEncodings } from '../../../src/api/console.ts';

describe('acceptedEncodings', () => {
  test('names count in any case, a weight of zero refuses, and other names do not count', () => {
    const accepts = (header: string | undefined) => ['br', 'gzip'].filter(acceptedEncodings(header)).join(' ');
    assert.equal(accepts('gzip, deflate, br, zstd'), 'br gzip');
    assert.equal(accepts('BR;q=0.1'), 'br');
    assert.equal(accepts('br;q=0 , gzip; q=0.000'), '');
    assert.equal(accepts('br;q=0.0;x, gzip'), 'gzip');
    assert.equal(accepts('x-br-y, not-gzip'), '');
    assert.equal(accepts(undefined), '');
    assert.equal(accepts(',;,=;q'), '');
  });
});
