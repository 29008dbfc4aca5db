// What Open WebUI stores with the text of a page or a document.

interface Described {
  metadata?: { title?: unknown; description?: unknown; language?: unknown };
}

export const described = ({ metadata = {} }: Described): Record<string, string> =>
  Object.fromEntries(
    (['title', 'description', 'language'] as const).flatMap((name) => {
      const value = metadata[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
