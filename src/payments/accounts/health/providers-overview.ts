import { type Contribution, type Need } from '../../../shops/overview/overview.types.js';
import { brandOf } from '../../providers/provider-registry.js';
import { type ProviderStatus } from '../payment-configuration.types.js';

function needsOf({ configuration }: ProviderStatus): Need[] {
  const { provider, enabled, failingSince, rejectingSince, lastError, lastRejection } = configuration;
  const about = { subject: provider, name: brandOf(provider), count: 1 };
  const needs: Need[] = [];
  if (enabled && failingSince !== null) {
    const reason = lastError ?? 'The provider rejects the credentials or the payments';
    needs.push({ ...about, kind: 'provider_failing', reason, since: failingSince });
  }
  if (rejectingSince !== null) {
    const reason = lastRejection ?? 'A report of the provider was rejected';
    needs.push({ ...about, kind: 'provider_rejected', reason, since: rejectingSince });
  }
  return needs;
}

/** The payment providers of a shop for its overview. */
export function providersPart(statuses: readonly ProviderStatus[]): Contribution {
  return {
    needs: statuses.flatMap(needsOf),
    checklist: { payment_method: statuses.some(({ canStartPayments }) => canStartPayments) },
    sections: {
      providers: statuses.map(
        ({ configuration: { provider, enabled, failingSince, lastEventAt }, canStartPayments }) => {
          return { provider, enabled, canStartPayments, failingSince, lastEventAt };
        },
      ),
    },
  };
}
