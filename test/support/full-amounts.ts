// The properties and hostile inputs of other files, declared again with as many and as large cases as a full run looks at.
import { describe } from 'node:test';
import { isLong, useFullAmounts } from './runs.ts';

/** In test/property. */
export const PROPERTIES = [
  'budgets.test.ts',
  'contracts.test.ts',
  'fill-schema.test.ts',
  'index-entry.test.ts',
  'index-search.test.ts',
  'inverted-index.test.ts',
  'line-diff.test.ts',
  'markdown-html.test.ts',
  'media.test.ts',
  'net-address-rules.test.ts',
  'net-text.test.ts',
  'redaction.test.ts',
  'robots.test.ts',
  'schedule.test.ts',
  'search-query.test.ts',
  'text.test.ts',
  'transform-html.test.ts',
];

/** In test/unit. */
export const UNITS = [
  'console/playground/snippets.test.ts',
  'transform/hostile.test.ts',
  'transform/pipeline.test.ts',
  'transform/verdict/judge.test.ts',
  'understand/injection/find-injection.test.ts',
];

export function testFullAmounts(folder: 'property' | 'unit', files: readonly string[]): void {
  useFullAmounts();
  describe('with the amounts of a full run', {
    skip: isLong && 'a long run looks at more in the files themselves',
  }, () => {
    for (const file of files) {
      // Another address is another module, so its tests are declared again, here.
      describe(file, () => import(new URL(`../${folder}/${file}?full`, import.meta.url).href));
    }
  });
}
