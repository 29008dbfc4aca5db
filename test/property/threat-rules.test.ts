// No spelling of a host passes a blacklist that contains another spelling of it.
import { test } from 'node:test';
import fc from 'fast-check';
import { threatPolicy } from '../../src/contracts/threats/threat-protection.ts';
import { compileRules } from '../../src/policy/threats/own-rules.ts';
import { runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_261_116);

const label = fc.constantFrom('example', 'müller', 'пример', '例え', 'straße', 'a-b', 'xn--mller-kva', 'x1', 'a_b');
const host = fc
  .array(label, { minLength: 1, maxLength: 3 })
  .map((labels) => [...labels, 'com'].join('.'))
  .filter((name) => URL.canParse(`http://${name}`));

/** Upper case, punycode and the dots of other scripts, as far as they still name the same host. */
const spellingOf = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(name, new URL(`http://${name}`).hostname),
      fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }),
      fc.array(fc.constantFrom('.', '。', '．', '｡'), { minLength: 4, maxLength: 4 }),
    )
    .map(([form, uppers, dots]) =>
      [...form]
        .map((letter, at) => (uppers[at] ? letter.toUpperCase() : letter))
        .join('')
        .split('.')
        .reduce((text, part, at) => text + dots[at % 4] + part),
    )
    .filter((form) => URL.parse(`http://${form}`)?.hostname === new URL(`http://${name}`).hostname);

const spelled = host.chain((name) => fc.tuple(spellingOf(name), spellingOf(name)));
const address = fc.integer({ min: 0, max: 0xffff_ffff }).map((number): [string, string] => {
  const dotted = [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.');
  return [dotted, [dotted, String(number), `0x${number.toString(16)}`, `[::ffff:${dotted}]`][number % 4]!];
});

test(`however a host is written, the blacklist finds it (seed ${SEED})`, () => {
  const ends = fc.constantFrom('', '.', ':443', ':8080', '.:80', '/', './p?q#f');
  const property = fc.property(
    fc.oneof(spelled, address),
    fc.constantFrom('http://', 'https://', 'HTTPS://', 'http://user:pw@'),
    fc.constantFrom('', 'www.', 'a.b.'),
    ends,
    ([entry, written], start, below, end) => {
      const isName = !/^[\d[]|^0x/.test(written);
      const text = isName ? start + below + written + end : start + written + end.replace(/^\./, '');
      const { blacklist, ...rest } = threatPolicy.parse({ mode: 'manual-only', blacklist: [entry] });
      return compileRules({ ...rest, blacklist })(new URL(text))?.rule === 'blacklist';
    },
  );
  fc.assert(property, { seed: SEED, numRuns: runs(2_000, 200_000) });
});
