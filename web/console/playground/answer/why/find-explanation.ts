// Where an answer says why it is as it is: beside the page, or in the details of an error.
import type { Explanation } from '../../../../../src/contracts/scrape/explanation.ts';
import type { SearchExplanation } from '../../../../../src/contracts/search/search.ts';
import { fieldsOf, isFields } from '../../../ui/data/untrusted.ts';
import type { Run } from '../../run/run.ts';

export type Found = { scrape: Explanation } | { search: SearchExplanation };

export function findExplanation({ answer, error }: Pick<Run, 'answer' | 'error'>): Found | undefined {
  const body = fieldsOf(answer);
  const scrape = fieldsOf(body.data).explanation ?? fieldsOf(fieldsOf(error?.body).details).explanation;
  // Our own server made them by these contracts.
  if (isFields(scrape)) return { scrape: scrape as unknown as Explanation };
  return isFields(body.explain) ? { search: body.explain as unknown as SearchExplanation } : undefined;
}
