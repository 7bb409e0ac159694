import { type Charging } from '../../domain/payments/charge-rules.js';
import { type PaymentProvider } from './provider.js';

/** What a provider can charge in a currency (ISO 4217). */
export function chargingOf(provider: Pick<PaymentProvider, 'title' | 'chargeRule'>, currency: string): Charging {
  return { title: provider.title, rule: provider.chargeRule(currency) };
}
