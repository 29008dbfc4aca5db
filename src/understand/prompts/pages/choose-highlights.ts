// The prompt that chooses what to show of each search result. The model returns line numbers only.

export const CHOOSE_HIGHLIGHTS = [
  'Each search result in <results> is a title and numbered lines of its page. Somebody searched for what is in <query>.',
  'For each result, choose the one or two lines that tell this person the most. Return the numbers of all chosen lines in `lines`.',
  'Choose no line of a result that says nothing about it.',
].join('\n');
