// Where a webhook call goes and what it says, read from the job or the run that it reports on.
import type { WebhookTarget } from '../../../contracts/webhook.ts';
import { lazy } from '../../../util/lazy.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { Bytes } from '../../encoding/join-bytes.ts';
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
import type { CallFacts, CallRow } from '../../records/deliveries/delivery-record.ts';
import { hasBody, runBody, typeOf } from '../../records/deliveries/webhook-body.ts';
import type { RunEvent, RunWebhook } from '../../run-store.ts';
import type { DocumentJson } from '../jobs/document-json.ts';
import { createJobEvents, type JobSender } from './job-events.ts';

export interface Call extends CallFacts {
  /** Undefined if it cannot be written after all. */
  body(): Bytes | undefined;
}

/** The call of a row; undefined if its job or run has expired. */
export type CallSource = (row: CallRow) => Call | undefined;

interface RunSender {
  id: string;
  teamId: string;
  webhook: SealedText;
  zeroDataRetention: 0 | 1;
}

export interface CallSourceDeps {
  connection: Connection;
  documentJson: DocumentJson;
  sealed: SealedRequests;
}

export function createCallSource({ connection, documentJson, sealed }: CallSourceDeps): CallSource {
  const jobEvents = createJobEvents(connection, documentJson);
  const findRun = connection.prepare<RunSender>(
    'SELECT id, team_id AS teamId, webhook, zero_data_retention AS zeroDataRetention FROM runs WHERE number = ?',
  );

  const callOf = (
    { id: senderId, teamId, webhook, zeroDataRetention }: JobSender | RunSender,
    about: Pick<Call, 'type' | 'hasBody'>,
    body: (metadata: unknown) => Bytes | undefined,
  ): Call => {
    const open = lazy(() => sealed.open(webhook, teamId) as WebhookTarget | RunWebhook | undefined);
    return {
      ...about,
      senderId,
      isZeroRetention: zeroDataRetention === 1,
      target: open,
      body: () => open() && body(open()!.metadata),
    };
  };

  const bodyOfRun = ({ content, webhookId }: CallRow, { id, teamId }: RunSender, metadata: unknown) => {
    const event = content === null ? undefined : (sealed.open(content, teamId) as RunEvent | undefined);
    return event && runBody(webhookId, id, event, metadata);
  };

  return (row) => {
    if (row.job !== null) {
      const sender = jobEvents.sender(row.job);
      const about = sender && { type: typeOf(sender, row), hasBody: hasBody(row) };
      return sender && callOf(sender, about!, (metadata) => jobEvents.body(row, sender, metadata));
    }
    const sender = findRun.get(row.run!);
    const about = { type: row.event, hasBody: row.content !== null };
    return sender && callOf(sender, about, (metadata) => bodyOfRun(row, sender, metadata));
  };
}
