import { type Contribution, type Need } from '../../shops/overview/overview.types.js';
import { type Webhook } from './webhook.types.js';

function needsOf({ id, description, isActive, failingSince, disabledAt }: Webhook): Need[] {
  const about = { subject: id, name: description, count: 1 };
  if (disabledAt !== null && !isActive) {
    const reason = 'The service has switched the webhook off, because its receiver did not accept the deliveries';
    return [{ ...about, kind: 'webhook_disabled', reason, since: disabledAt }];
  }
  if (!isActive || failingSince === null) return [];
  const reason =
    'The receiver does not accept the deliveries. The service sends them again, and then switches the webhook off';
  return [{ ...about, kind: 'webhook_failing', reason, since: failingSince }];
}

/** The webhooks of a shop for its overview. @param webhooks those whose events the caller can read */
export function webhooksPart(webhooks: readonly Webhook[]): Contribution {
  const active = webhooks.filter(({ isActive }) => isActive);
  return {
    needs: webhooks.flatMap(needsOf),
    sections: {
      webhooks: {
        active: active.length,
        failing: active.filter(({ failingSince }) => failingSince !== null).length,
        disabled: webhooks.filter(({ isActive, disabledAt }) => !isActive && disabledAt !== null).length,
      },
    },
  };
}
