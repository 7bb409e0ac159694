import { customProvider } from './custom.provider.js';
import { type PaymentProvider } from './provider.js';
import { stripeProvider } from './stripe.provider.js';

/** Every payment provider, in the order of the documentation. */
const PAYMENT_PROVIDERS: readonly PaymentProvider[] = [stripeProvider, customProvider];

export const PROVIDER_NAMES: readonly string[] = PAYMENT_PROVIDERS.map(({ name }) => name);

/** The provider with this name, or undefined. */
export function findProvider(name: string): PaymentProvider | undefined {
  return PAYMENT_PROVIDERS.find((provider) => provider.name === name);
}
