// The rules of the house about names and comments, for src and the console alike.
import type { Rule } from './rules.ts';

/** Two things of one name cannot be told apart in an import, nor found. */
export const typeNamesAreUnique: Rule = (files) => {
  const exports = files.flatMap(({ path, exportedTypes }) => exportedTypes.map((name) => ({ path, name })));
  return [...Map.groupBy(exports, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`);
};

/** A comment is a sentence about what follows it, not an answer to "Whose?". */
export const commentsDoNotBeginWithOf: Rule = (files) =>
  files.flatMap(({ path, comments }) =>
    comments.filter((text) => /^((that|those) )?of\b/i.test(text)).map((text) => `${path}: ${text}`),
  );
