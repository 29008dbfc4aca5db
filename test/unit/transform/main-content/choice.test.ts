// From probabilities to the chosen blocks: each correction by itself.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import { FLAG } from '../../../../src/transform/main-content/blocks/block-flags.ts';
import { type BlockTable, ROLE, tabulateBlocks } from '../../../../src/transform/main-content/blocks/block-table.ts';
import { createBlockCollector } from '../../../../src/transform/main-content/blocks/blocks.ts';
import { chooseBlocks } from '../../../../src/transform/main-content/choice/choice.ts';
import { completeTemplates } from '../../../../src/transform/main-content/choice/complete-templates.ts';
import { dropCopies } from '../../../../src/transform/main-content/choice/copies.ts';
import { decodeBlocks, sharpen, strictnessOf } from '../../../../src/transform/main-content/choice/decode.ts';
import { dropNamedBoxes } from '../../../../src/transform/main-content/choice/named-boxes.ts';
import { smooth } from '../../../../src/transform/main-content/choice/smooth.ts';
import { dropUnseen } from '../../../../src/transform/main-content/choice/unseen.ts';
import { weakenComments, weakenRole } from '../../../../src/transform/main-content/choice/weaken-roles.ts';
import { pageAddress } from '../../../../src/transform/main-content/features/page-address.ts';
import { PAGE_TYPES, pageTypeOdds } from '../../../../src/transform/main-content/model/page-type.ts';

function table(words: number[], columns: Partial<Record<keyof BlockTable, number[]>> = {}): BlockTable {
  const ints = (name: keyof BlockTable) => Int32Array.from(words, (_, i) => columns[name]?.[i] ?? 0);
  return {
    words: Float64Array.from(words),
    flags: ints('flags'),
    hashes: ints('hashes'),
    paths: ints('paths'),
    parents: ints('parents'),
    roles: Uint8Array.from(ints('roles')),
  };
}

const collectBlocks = createBlockCollector();
const close = (found: Float64Array, expected: number[]) =>
  found.forEach((value, i) => {
    assert.ok(Math.abs(value - expected[i]!) < 1e-9, `${found}`);
  });

test('decoding keeps the set with the highest expected F1', () => {
  const { keep, expectedF1 } = decodeBlocks(Float64Array.of(0.9, 0.1, 0.8, 0.05), Float64Array.of(10, 10, 10, 10));
  assert.deepEqual([...keep], [1, 0, 1, 0]);
  assert.ok(expectedF1 > 0.8);
  assert.deepEqual(decodeBlocks(new Float64Array(0), new Float64Array(0)), {
    keep: new Uint8Array(0),
    expectedF1: 0,
  });
});

test('blocks on similar branches get similar scores', () => {
  const smoothed = smooth(Float64Array.of(0.9, 0.2, 0.9, 0.1), Float64Array.of(5, 5, 5, 5), Int32Array.of(1, 1, 1, 2));
  assert.ok(smoothed[1]! > 0.4);
  assert.ok(smoothed[3]! < 0.3);
});

test('articles are decoded more strictly than other pages, and services less', () => {
  const decode = (probability: number, odds: { article: number; service: number }, flags = 0) => {
    const sharp = sharpen(Float64Array.of(0.95, probability), [0, flags], strictnessOf(odds));
    return [...decodeBlocks(sharp, Float64Array.of(10, 10)).keep];
  };
  const [article, service, other] = [
    { article: 1, service: 0 },
    { article: 0, service: 1 },
    { article: 0, service: 0 },
  ];
  assert.deepEqual(decode(0.48, other), [1, 1]);
  assert.deepEqual(decode(0.48, article), [1, 0]);
  assert.deepEqual(decode(0.48, article, FLAG.pre), [1, 1], 'code of an article');
  assert.deepEqual(decode(0.33, other), [1, 0]);
  assert.deepEqual(decode(0.33, service), [1, 1]);
});

test('the more a page is an article, the less its captions count', () => {
  const after = (pArticle: number, words = 20) => {
    const probability = Float64Array.of(0.9, 0.9);
    const captioned = table([80, words], { roles: [0, ROLE.caption] });
    weakenRole(captioned, ROLE.caption, probability, pArticle);
    return probability;
  };
  close(after(1), [0.9, 0.09]);
  close(after(0), [0.9, 0.9]);
  // A gallery has little but captions.
  close(after(1, 50), [0.9, 0.9]);
});

test('if nearly all blocks of one template are kept, the others are, too', () => {
  const kept = (...keep: number[]) => {
    const choice = Uint8Array.from(keep);
    completeTemplates(table(new Array(keep.length).fill(5), { paths: new Array(keep.length).fill(1) }), choice);
    return [...choice];
  };
  assert.deepEqual(kept(0, 1, 1, 1), [1, 1, 1, 1]);
  assert.deepEqual(kept(0, 0, 1, 1), [0, 0, 1, 1]);
  assert.deepEqual(kept(0, 1, 1), [0, 1, 1]);
});

describe('text that nobody can see', () => {
  const kept = (hashes: number[]) => {
    const keep = new Uint8Array(hashes.length).fill(1);
    const flags = hashes.map((_, index) => (index === 0 ? 0 : FLAG.hidden));
    dropUnseen(table([20, ...hashes.slice(1).map(() => 12)], { flags, hashes }), keep);
    return keep.reduce((sum, one) => sum + one, 0);
  };

  test('goes', () => assert.equal(kept([1, 2]), 1));
  test('stays where most of the page is hidden until a script shows it', () => assert.equal(kept([1, 2, 3, 4]), 4));
  test('goes however often it is repeated', () => assert.equal(kept([1, 2, 2, 2, 2]), 1));
});

describe('comments count less', () => {
  const weakened = (words: number[], roles: number[], pArticle: number) => {
    const probability = new Float64Array(words.length).fill(1);
    weakenComments(table(words, { roles }), probability, pArticle);
    return probability;
  };
  const { comment } = ROLE;

  test('on an article, once the article itself is there', () => {
    close(weakened([200, 200, 90], [0, 0, comment], 0.9), [1, 1, 0.1]);
    close(weakened([20, 400, 90], [comment, 0, comment], 0.9), [0.1, 1, 0.1]);
  });

  test('but not on other pages, on pages with little else, or where the name describes the article', () => {
    close(weakened([200, 200, 90], [0, 0, comment], 0.4), [1, 1, 1]);
    close(weakened([100, 100, 90], [0, 0, comment], 0.9), [1, 1, 1]);
    close(weakened([40, 60, 400], [0, comment, 0], 0.9), [1, 1, 1]);
  });
});

describe('the main landmark', () => {
  const kept = (probability: number[], flags: number[]) => {
    const words = probability.map(() => 40);
    const paths = probability.map((_, index) => index);
    const odds = pageTypeOdds(PAGE_TYPES.map(() => 1 / PAGE_TYPES.length));
    return [...chooseBlocks(table(words, { flags, paths, hashes: paths }), Float64Array.from(probability), odds).keep];
  };
  const { main } = FLAG;

  test('decides in doubt', () => {
    assert.deepEqual(kept([0.3, 0.3, 0.3, 0.3], [0, main, main, 0]), [0, 1, 1, 0]);
  });
  test('is not asked where the model is certain', () => {
    assert.deepEqual(kept([0.95, 0.95, 0.02, 0.02], [0, 0, main, main]), [1, 1, 0, 0]);
  });
  test('says nothing if all or no text is inside', () => {
    assert.deepEqual(kept([0.3, 0.3, 0.3], [0, 0, 0]), [1, 1, 1]);
    assert.deepEqual(kept([0.3, 0.3, 0.3], [main, main, main]), [1, 1, 1]);
  });
});

describe('of two blocks with the same text', () => {
  const kept = (columns: Partial<Record<keyof BlockTable, number[]>>, words = 8) => {
    const keep = Uint8Array.of(1, 1);
    dropCopies(table([words, words], { hashes: [7, 7], ...columns }), keep);
    return keep[1];
  };

  test('the second goes', () => assert.equal(kept({ parents: [1, 2] }), 0));
  test('items and code both stay on equal branches, as the steps of a manual do', () => {
    for (const flag of [FLAG.item, FLAG.pre]) {
      assert.equal(kept({ parents: [1, 2], paths: [5, 5], flags: [flag, flag] }), 1);
      assert.equal(kept({ parents: [1, 2], paths: [5, 6], flags: [flag, flag] }), 0);
    }
  });
  test('siblings both stay', () => assert.equal(kept({ parents: [1, 1] }), 1));
  test('short cells of a table both stay', () => {
    const flags = [FLAG.table, FLAG.table];
    assert.equal(kept({ parents: [1, 2], flags }), 1);
    assert.equal(kept({ parents: [1, 2], flags }, 15), 0);
  });
});

describe('boxes named as advertisements', () => {
  const kept = (role: number, probability: number, words = 10) => {
    const keep = Uint8Array.of(1, 1);
    dropNamedBoxes(table([90, words], { roles: [0, role] }), keep, Float64Array.of(0.9, probability));
    return keep[1];
  };

  test('go, whatever the model thinks', () => assert.equal(kept(ROLE.box, 0.99), 0));
  test('go under an ambiguous name only if the model doubts too', () => {
    assert.equal(kept(ROLE.maybeBox, 0.4), 0);
    assert.equal(kept(ROLE.maybeBox, 0.6), 1);
  });
  test('stay if they hold much of the content', () => assert.equal(kept(ROLE.box, 0.2, 60), 1));
});

test('roles come from the tags and names of close ancestors', () => {
  const roles = (html: string) => {
    const tree = parseHtml(`<body>${html}</body>`);
    return [...tabulateBlocks(tree, collectBlocks(tree)).roles];
  };
  assert.deepEqual(roles('<figure><figcaption><p>A lamp</p></figcaption></figure>'), [ROLE.caption]);
  assert.deepEqual(roles('<figure><figcaption>A loop</figcaption><pre>for (;;);</pre></figure>'), [0, 0]);
  assert.deepEqual(roles('<div class="image-caption"><span>A lamp</span></div>'), [ROLE.caption]);
  assert.deepEqual(roles('<div class="caption"><div><div><p>A lamp</p></div></div></div>'), [0]);
  assert.deepEqual(roles('<div id="comments"><div><p>Well</p></div></div><p>Text</p>'), [ROLE.comment, 0]);
  assert.deepEqual(roles('<div class="signature"><p>Bob, since 2004</p></div>'), [ROLE.signature]);
  assert.deepEqual(roles('<div class="ad-slot">Buy</div><div class="cta">Call</div>'), [ROLE.box, ROLE.maybeBox]);
});

test('a line that leads to another article is recognised by its label and link', () => {
  const isPointer = (html: string) => {
    const tree = parseHtml(`<body><p>${html}</p></body>`);
    return (tabulateBlocks(tree, collectBlocks(tree)).roles[0]! & ROLE.pointer) !== 0;
  };
  assert.ok(isPointer('<strong>Read also:</strong> <a href="/x">The lamp of the harbour is mended</a>'));
  assert.ok(isPointer('Lesen Sie auch: <a href="/x">Die Lampe am Hafen</a>'));
  assert.ok(!isPointer('Read also: the letters of the harbour master'));
  assert.ok(!isPointer('The ship: <a href="/x">a short history of the vessel</a>'));
  assert.ok(!isPointer('<a href="/x">More</a>'));
  assert.ok(!isPointer(`More: ${'a word '.repeat(20)}<a href="/x">here</a>`));
});

describe('the address that describes a page', () => {
  const html = `<head><meta property="og:url" content="https://example.com/by-og"><link rel="canonical" href="https://example.com/2026/story"></head>`;
  const path = (url: string, source = html) => pageAddress(parseHtml(source), url)?.pathname;

  test('is its own', () => assert.equal(path('https://mirror.example/own'), '/own'));
  test('is the one that the page states where its own says nothing', () => {
    const unknown = ['http://127.0.0.1:8080/x', 'http://[::1]/x', 'http://localhost/x', 'https://upload.invalid/x'];
    for (const url of unknown) assert.equal(path(url), '/2026/story', url);
    assert.equal(path('http://localhost/x', html.replace('canonical', 'alternate')), '/by-og');
    assert.equal(path('http://localhost/x', '<link rel="canonical" href="/relative">'), '/x');
  });
  test('is none where a mirror counts its pages', () => {
    assert.equal(path('http://127.0.0.1:8080/4901', ''), undefined);
    assert.equal(path('https://mirror.example/4901', ''), '/4901');
  });
});
