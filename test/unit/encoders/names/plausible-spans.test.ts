import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plausibleSpans } from '../../../../src/encoders/names/plausible-spans.ts';

/** What is left of the marked spans. */
function plausible(marked: string): string[] {
  const text = marked.replace(/[⟦⟧]/g, '');
  let removed = 0;
  const spans = [...marked.matchAll(/⟦([^⟧]+)⟧/g)].map((match) => {
    const start = match.index - removed;
    removed += 2;
    return { start, end: start + match[1]!.length, type: 'LOCATION', score: 0.9 } as const;
  });
  return plausibleSpans(text, spans, { isEager: false }).map(({ start, end }) => text.slice(start, end));
}

test('codes, long numbers and words that label fields are no names', () => {
  assert.deepEqual(plausible('SKU ⟦GD-1686-02, EAN 4005070552874⟧, ⟦Facture n° 11839547⟧'), []);
  assert.deepEqual(
    plausible(
      '| ⟦Qty⟧ | ⟦Importo⟧ | (⟦BIC⟧ X) ⟦lento⟧ ⟦220-240⟧. El texto de la página: ⟦Última⟧ vez que los datos de este año',
    ),
    [],
  );
});

test('names keep their numbers, particles and postcodes, and lose what surrounds them', () => {
  assert.deepEqual(plausible('⟦Lindenstraße 12a, D-10969 Berlin⟧'), ['Lindenstraße 12a, D-10969 Berlin']);
  assert.deepEqual(plausible('⟦Den Haag⟧ ⟦1012AB Amsterdam⟧'), ['Den Haag', '1012AB Amsterdam']);
  assert.deepEqual(plausible('Titular: ⟦Ana de la Vega, con NIF⟧'), ['Ana de la Vega']);
  assert.deepEqual(plausible('Il treno che parte dalla stazione di ⟦Como⟧ arriva anche nella città di ⟦Bellagio⟧.'), [
    'Como',
    'Bellagio',
  ]);
});
