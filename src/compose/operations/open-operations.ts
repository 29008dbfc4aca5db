// The routes that need no key: links that are keys themselves, the manual, the interface description and health checks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerFile } from '../../api/file-answer.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { HealthDetails } from '../../contracts/health.ts';
import type { Manual } from '../../fetch/manual.ts';
import type { OpenOperations } from '../../operations/call.ts';
import type { FileLinks } from '../../operations/files.ts';
import type { FeedDeps } from '../../operations/monitor/feed.ts';
import type { MailDeps } from '../../operations/monitor/mail/subscriptions.ts';
import type { Uploads } from '../../operations/parse/uploads.ts';
import type { StoreHealth } from '../../store/store.ts';
import { bindConsole, type ConsoleDeps } from './bind-console.ts';
import { bindMonitorMail } from './bind-monitor-mail.ts';
import { bindOnboarding, type OnboardingDeps } from './bind-onboarding.ts';

const OPENAPI_FILE = join(import.meta.dirname, '../../..', 'docs', 'openapi.json');
/** The address in the file, which stands for the one at which the service is reached. */
const DEFAULT_ADDRESS = '"http://127.0.0.1:3002"';

interface Deps {
  fileLinks: FileLinks;
  sentAhead: Uploads;
  manual: Manual;
  monitorMail: MailDeps & FeedDeps;
  onboarding: OnboardingDeps;
  console: ConsoleDeps;
  isReady(): boolean;
  health: Pick<StoreHealth, 'problem'>;
  metricsText(): Promise<string>;
  details(): Promise<HealthDetails>;
  stopping: AbortSignal;
}

export function bindOpenOperations({
  fileLinks,
  sentAhead,
  manual,
  monitorMail,
  onboarding,
  console,
  isReady,
  health,
  metricsText,
  details,
  stopping,
}: Deps): OpenOperations {
  return {
    ...bindMonitorMail(monitorMail),
    ...bindOnboarding(onboarding),
    ...bindConsole(console),
    file: async ({ params, query, ...call }) =>
      answerFile(await fileLinks.open(params.file, params.name, query), params.name, call, stopping),
    upload: async ({ params, query, body }) => {
      await sentAhead.receive(params.id, query.uploadRef ?? '', body!);
      return { status: 200, body: { success: true } };
    },
    chapters: async () => ({ status: 200, body: { success: true, chapters: await manual.contents() } }),
    manual: async ({ params }) => {
      const chapter = await manual.read(params.name);
      if (!chapter) throw new ServiceError('NOT_FOUND');
      return { status: 200, body: chapter };
    },
    openapi: ({ baseUrl }) => ({ status: 200, body: Buffer.from(describeInterface(baseUrl)) }),
    metrics: async () => ({ status: 200, body: await metricsText() }),
    healthDetails: async () => ({ status: 200, body: await details() }),
    liveness: () => ({ status: 200, body: { status: 'ok' } }),
    readiness: () => {
      if (!isReady()) throw new ServiceError('SERVICE_UNAVAILABLE');
      const problem = health.problem();
      if (problem !== undefined) throw new ServiceError('STORAGE_UNAVAILABLE', { message: problem });
      return { status: 200, body: { status: 'ok' } };
    },
  };
}

const describeInterface = (baseUrl: string): string =>
  readFileSync(OPENAPI_FILE, 'utf8').replace(DEFAULT_ADDRESS, () => JSON.stringify(baseUrl));
