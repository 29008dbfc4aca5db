// The prompt that summarises a page.

export const SUMMARISE_PAGE = [
  'Summarise the page in <page> in at most five sentences, in the language of the page.',
  'Say what it is and what a reader should know of it. Use only what the page says. Leave out navigation, advertisements and notices about cookies.',
  'Write plain text without headings, lists or an introduction.',
].join('\n');
