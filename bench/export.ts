// Exports of a large batch in every format: throughput, processor time, memory and how long the service is not responsive.
import { createHash } from 'node:crypto';
import { EXPORT_FORMATS, type ExportFormat } from '../src/contracts/crawl/export.ts';
import { BATCH, jobEnd, startJob } from '../test/support/jobs.ts';
import { type RunningProgram, startServiceWith } from '../test/support/service.ts';
import { startWeb, type Web } from '../test/support/web.ts';
import { probeSettings, takeLoopDelay } from './event-loop.ts';
import { cpuSeconds, residentMb } from './measure.ts';
import type { BenchOptions, Row } from './report.ts';

/** Different pages; the others of a batch are these again, from the cache. */
const PAGES = 200;
const SAMPLE_MS = 50;

export async function exportJobs({ count = 20_000, only }: BenchOptions): Promise<Row[]> {
  const web = await startWeb();
  const service = await startServiceWith(web, probeSettings, { checkAnswers: false });
  try {
    const id = await runBatch(service, web, count);
    const rows: Row[] = [];
    for (const format of EXPORT_FORMATS.filter((each) => only === undefined || each === only)) {
      rows.push(...(await measure(service, id, format)));
    }
    return rows;
  } finally {
    await service.stop();
    await web.stop();
  }
}

async function runBatch(service: RunningProgram, web: Web, count: number): Promise<string> {
  const urls = (length: number) =>
    Array.from({ length }, (_, number) => web.url('load.test', `/article/${number % PAGES}`));
  const formats = ['markdown', 'html'];
  const first = await startJob(service, BATCH, { urls: urls(PAGES), formats });
  await jobEnd(service, `${BATCH}/${first}?limit=1`);
  const id = await startJob(service, BATCH, { urls: urls(count), formats, maxAge: 3_600_000 });
  for (;;) {
    try {
      await jobEnd(service, `${BATCH}/${id}?limit=1`);
      return id;
    } catch {
      // It only waits for so long.
    }
  }
}

async function measure(service: RunningProgram, id: string, format: ExportFormat): Promise<Row[]> {
  await takeLoopDelay(service.pid);
  const before = { memory: residentMb(service.pid), cpu: cpuSeconds(service.pid), at: performance.now() };
  let peak = before.memory;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMb(service.pid));
  }, SAMPLE_MS);
  const response = await service.fetch(`${BATCH}/${id}/export?format=${format}`);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of response.body!) {
    bytes += chunk.byteLength;
    hash.update(chunk);
  }
  clearInterval(sampling);
  const seconds = (performance.now() - before.at) / 1_000;
  const { block } = await takeLoopDelay(service.pid);
  const documents = Number(response.headers.get('x-trawl-documents'));
  return [
    { measure: 'documents', value: documents, unit: '' },
    { measure: 'size', value: bytes / 1e6, unit: 'MB' },
    { measure: 'duration', value: seconds, unit: 's' },
    { measure: 'documents a second', value: documents / seconds, unit: '/s' },
    { measure: 'CPU', value: (1_000 * (cpuSeconds(service.pid) - before.cpu)) / documents, unit: 'ms/document' },
    { measure: 'memory, growth at the peak', value: peak - before.memory, unit: 'MB', aim: '<= 100' },
    { measure: 'main thread without a pause, max', value: block.max, unit: 'ms', aim: '<= 50' },
  ].map((row) => ({ ...row, system: format }));
}
