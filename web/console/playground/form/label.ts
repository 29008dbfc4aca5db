// The name of an option as a person reads it: onlyMainContent is "Only main content".

const UPPER = new Set(['url', 'urls', 'pii', 'pdf', 'html', 'json', 'tls', 'ttl', 'tbs', 'id', 'css']);

export function labelOf(name: string): string {
  const words = name
    .replace(/^__experimental_/, 'experimental: ')
    .replaceAll('URLs', 'Urls')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map(spelled);
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function spelled(word: string): string {
  const lower = word.toLowerCase();
  if (!UPPER.has(lower)) return lower;
  return lower === 'urls' ? 'URLs' : lower.toUpperCase();
}
