// What the policy costs a request: the stage alone, in this process, and over HTTP, where a team or key with limits is asked
// in turn with a team that has none.
import type { BenchOptions, Row } from '../report.ts';
import { measureRequests } from './request-cost.ts';
import { measureStage } from './stage-cost.ts';

export async function policy({ count = 1_000, against }: BenchOptions): Promise<Row[]> {
  return [...(await measureStage()), ...(await measureRequests(count, against))];
}
