// Binds the log of webhook calls. It is loaded with the first request, to keep an idle service small.

import type { WEBHOOK_ROUTES } from '../../../contracts/webhook-routes.ts';
import type { Operations } from '../../../operations/call.ts';
import type { WebhookDeliveriesDeps } from '../../../operations/job/webhook-deliveries.ts';

export function bindWebhooks(deps: WebhookDeliveriesDeps): Pick<Operations, keyof typeof WEBHOOK_ROUTES> {
  const load = () => import('../../../operations/job/webhook-deliveries.ts');
  return {
    listDeliveries: async ({ caller, query }) => (await load()).listDeliveries(deps, caller, query),
    getDelivery: async ({ caller, params }) => (await load()).getDelivery(deps, caller, params.id),
    resendDelivery: async ({ caller, params }) => (await load()).resendDelivery(deps, caller, params.id),
    testWebhook: async ({ caller, body }) => (await load()).testWebhook(deps, caller, body),
  };
}
