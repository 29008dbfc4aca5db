// The webhook calls of a team: what was sent, whether it arrived, and sending it again. They are sent in jobs/webhooks.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { BilledOperation } from '../../contracts/team/team.ts';
import {
  type DeliveriesResponse,
  type DeliveryResponse,
  MAX_SHOWN_BODY,
  type ResendDeliveryResponse,
  type ShownDelivery,
  type TestWebhookResponse,
} from '../../contracts/webhooks/webhook-deliveries.ts';
import type { WebhookCall } from '../../jobs/webhooks/webhook-call.ts';
import type { Egress } from '../../net/egress.ts';
import type { DeliveryDetails, DeliveryLog, LoggedDelivery } from '../../store/ports/deliveries/delivery-log.ts';
import { type Clock, iso } from '../../util/clock.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { CheckStartDeps } from '../threats/check-start.ts';
import { checkWebhook } from './start-job.ts';

interface WebhookDeliveriesDeps extends CheckStartDeps {
  webhooks: {
    log: DeliveryLog;
    call: WebhookCall;
    isSigned: boolean;
    /** Call when something may be due. */
    wake(): void;
  };
  egress: Pick<Egress, 'check'>;
  clock: Pick<Clock, 'now'>;
}

type ReadDeps = Pick<WebhookDeliveriesDeps, 'webhooks'>;

export async function listDeliveries(
  { webhooks }: ReadDeps,
  { caller, query }: Call<'listDeliveries'>,
): Promise<DeliveriesResponse> {
  const { status, jobId, limit, cursor } = query;
  const teamId = caller.team.id;
  // One more than is returned shows whether there are more.
  const found = await webhooks.log.list({ teamId, status, jobId, before: cursor, limit: limit + 1 });
  const returned = found.slice(0, limit);
  const hasMore = found.length > limit;
  return {
    success: true,
    data: returned.map(show),
    cursor: hasMore ? String(returned.at(-1)!.id) : null,
    has_more: hasMore,
  };
}

export async function getDelivery(deps: ReadDeps, { caller, params }: Call<'getDelivery'>): Promise<DeliveryResponse> {
  const found = await find(deps, caller, params.id);
  const { body, target } = found;
  return {
    success: true,
    data: {
      ...show(found),
      headerNames: Object.keys(target?.headers ?? {}),
      body: body ? new TextDecoder().decode(body.subarray(0, MAX_SHOWN_BODY)) : null,
      bodyTruncated: body !== undefined && body.byteLength > MAX_SHOWN_BODY,
    },
  };
}

/** The receiver is judged again, as it was when the job began: the rules may have changed since. */
export async function resendDelivery(
  deps: WebhookDeliveriesDeps,
  { caller, params: { id } }: Call<'resendDelivery'>,
): Promise<ResendDeliveryResponse> {
  const { target, event } = await find(deps, caller, id);
  if (!target) throw new ServiceError('DELIVERY_GONE');
  const operation = event.split('.')[0] as BilledOperation;
  await checkWebhook(deps, caller, {}, { webhook: target, operation });
  const result = await deps.webhooks.log.resend(Number(id), caller.team.id, deps.clock.now());
  if (result === 'gone') throw new ServiceError('DELIVERY_GONE');
  if (result === undefined) throw new ServiceError('DELIVERY_NOT_FOUND');
  deps.webhooks.wake();
  return { success: true, data: show(await find(deps, caller, id)) };
}

export async function testWebhook(
  deps: WebhookDeliveriesDeps,
  { caller, body: request }: Call<'testWebhook'>,
): Promise<TestWebhookResponse> {
  const { webhooks, clock } = deps;
  // What is judged here is one request to one URL.
  const checked = await checkWebhook(deps, caller, {}, { webhook: { url: request.url }, operation: 'scrape' });
  const startedAt = clock.now();
  const webhookId = uuidv7(startedAt);
  const event = { success: true, type: 'webhook.test', id: webhookId, webhookId, data: [], metadata: {} };
  const body = Buffer.from(JSON.stringify(event));
  const call = { url: checked!.url, headers: request.headers, body };
  const { statusCode, failure } = await webhooks.call(call, caller.signal);
  return {
    success: true,
    data: {
      delivered: failure === undefined,
      statusCode: statusCode ?? null,
      error: failure?.reason ?? null,
      durationMs: Math.max(0, Math.round(clock.now() - startedAt)),
      webhookId,
      signed: webhooks.isSigned,
    },
  };
}

async function find({ webhooks }: ReadDeps, caller: Caller, id: string): Promise<DeliveryDetails> {
  const found = /^\d{1,15}$/.test(id) ? await webhooks.log.find(Number(id), caller.team.id) : undefined;
  if (!found) throw new ServiceError('DELIVERY_NOT_FOUND');
  return found;
}

const show = (delivery: LoggedDelivery): ShownDelivery => ({
  id: String(delivery.id),
  event: delivery.event,
  jobId: delivery.jobId,
  webhookId: delivery.webhookId,
  url: delivery.url ?? null,
  status: delivery.status,
  attempts: delivery.attempts,
  createdAt: iso(delivery.createdAt),
  triedAt: isoOrNull(delivery.triedAt),
  nextAt: isoOrNull(delivery.nextAt),
  statusCode: delivery.statusCode ?? null,
  error: delivery.error ?? null,
  size: delivery.size ?? null,
  canResend: delivery.canResend,
});

const isoOrNull = (time: number | undefined): string | null => (time === undefined ? null : iso(time));
