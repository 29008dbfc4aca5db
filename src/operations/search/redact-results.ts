// Redacts what the sources say about their results. The scraped pages themselves are redacted like any scrape.
import { type RedactionOptions, redactionOptions } from '../../contracts/scrape/redaction.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { Asker } from '../../runtime/gate/gate.ts';
import type { FoundSource } from './search-source.ts';

/** Titles and descriptions are read as the texts of one page; addresses stay as they are. */
export async function redactResults(
  redactor: Redactor,
  found: FoundSource[],
  { redactPII }: { redactPII: boolean | RedactionOptions },
  asker: Asker,
  signal: AbortSignal,
): Promise<FoundSource[]> {
  const asked = redactionOptions(redactPII);
  if (!asked) return found;
  const titles = found.map(({ results }) => results.map(({ result }) => result.title));
  const descriptions = found.map(({ results }) => results.map(({ result }) => result.description));
  const metadata = Object.fromEntries([
    ...titles.map((list, at) => [`titles ${at}`, list]),
    ...descriptions.map((list, at) => [`descriptions ${at}`, list]),
  ]);
  const page = { content: Buffer.from('{}'), metadata, warnings: [], source: { url: '', markdown: '' } };
  const redacted = await redactor.redact(page, asked, asker, signal);
  return found.map((source, at) => ({
    ...source,
    results: source.results.map((fused, index) => ({
      ...fused,
      result: {
        ...fused.result,
        title: redacted.metadata[`titles ${at}`]![index]!,
        description: redacted.metadata[`descriptions ${at}`]![index]!,
      },
    })),
  }));
}
