// The routes for the webhook calls of a team: what was sent, sending it again, and trying a receiver.
import { URL_ERRORS } from '../errors/route-errors.ts';
import {
  deliveriesQuery,
  deliveriesResponse,
  deliveryResponse,
  resendDeliveryResponse,
  testWebhookRequest,
  testWebhookResponse,
} from './webhook-deliveries.ts';

const DELIVERIES = '/v2/webhooks/deliveries';

export const WEBHOOK_ROUTES = {
  listDeliveries: {
    method: 'GET',
    path: DELIVERIES,
    summary: 'List the webhook calls of your team, the newest first',
    query: deliveriesQuery,
    response: deliveriesResponse,
  },
  getDelivery: {
    method: 'GET',
    path: `${DELIVERIES}/:id`,
    summary: 'Get a webhook call with its body',
    response: deliveryResponse,
    fails: ['DELIVERY_NOT_FOUND'],
  },
  resendDelivery: {
    method: 'POST',
    path: `${DELIVERIES}/:id/resend`,
    summary: 'Send a webhook call again, or now instead of at its next attempt',
    response: resendDeliveryResponse,
    fails: ['DELIVERY_NOT_FOUND', 'DELIVERY_GONE', 'BAD_REQUEST', ...URL_ERRORS],
  },
  testWebhook: {
    method: 'POST',
    path: '/v2/webhooks/test',
    summary: 'Send a test event to a URL, and get what its receiver answered',
    request: testWebhookRequest,
    response: testWebhookResponse,
    fetches: 'url',
    fails: URL_ERRORS,
  },
} as const;
