import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { decodeText } from '../../src/markup/charset.ts';
import { decodeBody } from '../../src/net/http/decode-body.ts';
import { requestHeaders } from '../../src/net/http/headers.ts';
import { readLocation } from '../../src/net/redirects.ts';
import { amount, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_260_202);
const options = { seed: SEED, numRuns: amount({ short: 150, full: 500, long: 10_000 }) };

const orServiceError = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return undefined;
  }
};

test(`any Location header gives a plain http address or a ServiceError (seed ${SEED})`, () => {
  const base = new URL('https://site.test/a/b?c#d');
  const pieces = fc.constantFrom(
    'http:',
    'https:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '?',
    '#',
    '[',
    ']',
    '%',
    '.',
    'a',
    '127.0.0.1',
    '\u0000',
    '\u00e9',
    ' ',
  );
  const location = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(location, (text) => {
      const url = orServiceError(() => readLocation(text, base)) as URL | undefined;
      if (!url) return;
      assert.match(url.protocol, /^https?:$/);
      assert.equal(url.username + url.password, '');
      assert.doesNotMatch(text, /[\\\u0000-\u001f\u007f]/);
    }),
    options,
  );
});

test(`any bytes with any content type become text (seed ${SEED})`, () => {
  const start = fc.constantFrom(
    '',
    '<meta charset=',
    '<?xml encoding="',
    '<meta http-equiv=content-type content="text/html;charset=',
    '\ufeff',
    '<!--',
  );
  const contentType = fc.oneof(
    fc.string(),
    fc.string().map((label) => `text/html; charset=${label}`),
  );
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 300 }), contentType, fc.boolean(), (head, rest, type, html) => {
      const { text, encoding } = decodeText(Buffer.concat([Buffer.from(head), rest]), type, { html });
      assert.equal(typeof text, 'string');
      assert.equal(new TextDecoder(encoding).encoding, encoding);
    }),
    { ...options, numRuns: amount({ short: 150, full: 300, long: 6_000 }) },
  );
});

test(`valid UTF-8 without a declared charset is decoded unchanged (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const plain = text.replaceAll(/[<\ufeff]/g, '');
      assert.equal(decodeText(Buffer.from(plain), 'text/plain', { html: true }).text, plain);
    }),
    options,
  );
});

test(`any bytes with any content encoding are decompressed or refused (seed ${SEED})`, async () => {
  const coding = fc.array(fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'identity', 'x', ''), { maxLength: 4 });
  const magic = fc.constantFrom([], [0x1f, 0x8b, 8], [0x78, 0x9c], [0x28, 0xb5, 0x2f, 0xfd]);
  await fc.assert(
    fc.asyncProperty(
      coding,
      magic,
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 4 }),
      async (codings, head, chunks) => {
        async function* source() {
          yield Uint8Array.from(head);
          yield* chunks;
        }
        try {
          for await (const _ of decodeBody(source(), codings.join(', '), {
            maxBytes: 1e6,
            maxRatio: 100,
            ratioFloorBytes: 1e4,
          }));
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
        }
      },
    ),
    options,
  );
});

test(`accepted headers can be sent: no line breaks, no Host, no proxy credentials (seed ${SEED})`, () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('Host', 'PROXY-authorization', 'transfer-encoding', 'x-a'));
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ unit: 'binary' })), (given) => {
      const headers = orServiceError(() => requestHeaders(given)) as Record<string, string> | undefined;
      if (!headers) return;
      for (const [key, value] of Object.entries(headers)) {
        assert.doesNotMatch(key + value, /[\r\n\0]/);
        assert.doesNotMatch(key, /^(host|proxy-authorization|transfer-encoding)$/i);
      }
    }),
    options,
  );
});
