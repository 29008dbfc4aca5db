// The formats that a job was started with, which decide what its documents contain.
import type { Format } from '../../../contracts/formats/formats.ts';
import type { JobView } from '../../../store/ports/jobs/job-store.ts';

interface JobOptions {
  formats?: Format[];
  scrapeOptions?: { formats: Format[] };
}

export function requestedFormats({ options }: Pick<JobView, 'options'>): Format['type'][] {
  const { formats, scrapeOptions } = options as JobOptions;
  return (scrapeOptions?.formats ?? formats ?? []).map(({ type }) => type);
}
