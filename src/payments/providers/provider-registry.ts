import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { coinbaseProvider } from './coinbase/coinbase.provider.js';
import { customProvider } from './custom/custom.provider.js';
import { mercadopagoProvider } from './mercadopago/mercadopago.provider.js';
import { mollieProvider } from './mollie/mollie.provider.js';
import { paypalProvider } from './paypal/paypal.provider.js';
import { type PaymentProvider } from './provider.js';
import { stripeProvider } from './stripe/stripe.provider.js';
import { testProvider } from './test/test.provider.js';
import { yookassaProvider } from './yookassa/yookassa.provider.js';

/** Every payment provider, in the order of the documentation. */
export const PAYMENT_PROVIDERS: readonly PaymentProvider[] = [
  stripeProvider,
  paypalProvider,
  mercadopagoProvider,
  coinbaseProvider,
  yookassaProvider,
  mollieProvider,
  customProvider,
  testProvider,
];

export const PROVIDER_NAMES: readonly string[] = PAYMENT_PROVIDERS.map(({ name }) => name);

/** The provider with this name, in every environment, or undefined: for what is stored, and not for new payments. */
export function knownProvider(name: string): PaymentProvider | undefined {
  return PAYMENT_PROVIDERS.find((one) => one.name === name);
}

/** The `confirmationDays` of a provider; 0 for one that no longer exists. */
export function confirmationDaysOf(name: string): number {
  return knownProvider(name)?.confirmationDays ?? 0;
}

/** The `disputeDays` of a provider; null for one that reports lost disputes, or no longer exists. */
export function disputeDaysOf(name: string): number | null {
  return knownProvider(name)?.disputeDays ?? null;
}

/** The name of a provider for owners; of one that no longer exists, its name in paths. */
export function brandOf(name: string): string {
  return knownProvider(name)?.brand ?? name;
}

/** A provider as production has it. */
function inProduction(provider: PaymentProvider): PaymentProvider {
  const credentials = provider.credentials.map((rule) => ({
    ...rule,
    pattern: rule.productionPattern ?? rule.pattern,
  }));
  return { ...provider, credentials };
}

const PRODUCTION_PROVIDERS = PAYMENT_PROVIDERS.filter(({ isForTests }) => isForTests !== true).map(inProduction);

/** The providers that shops can use in this environment: in production, none that is for tests only. */
export function providersIn({ environment }: Pick<AppConfig, 'environment'>): readonly PaymentProvider[] {
  return environment === 'production' ? PRODUCTION_PROVIDERS : PAYMENT_PROVIDERS;
}

/** The provider with this name, as the environment has it, or undefined: also for one that is for tests only, in production. */
export function findProvider(name: string, config: Pick<AppConfig, 'environment'>): PaymentProvider | undefined {
  return providersIn(config).find((one) => one.name === name);
}
