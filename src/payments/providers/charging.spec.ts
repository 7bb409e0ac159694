import { describe, expect, it } from '@jest/globals';
import { decimalToMinor } from '../../lib/money/money.js';
import { chargeProblem, type PaymentMethod, unpayableProblem } from '../../domain/payments/charge-rules.js';
import { chargingOf } from './charging.js';
import { PAYMENT_PROVIDERS } from './provider-registry.js';
import { type PaymentProvider } from './provider.js';

function providerOf(name: string): PaymentProvider {
  const provider = PAYMENT_PROVIDERS.find((one) => one.name === name);
  if (provider === undefined) throw new Error(`There is no provider ${name}`);
  return provider;
}

/** The problem of a provider with an amount in major units. */
function problemOf(name: string, amount: string, currency: string): string | null {
  const minor = decimalToMinor(amount, currency);
  if (minor === null) throw new Error(`${amount} ${currency} is no amount`);
  return chargeProblem(chargingOf(providerOf(name), currency), minor, currency);
}

describe('chargeProblem', () => {
  it.each([
    ['stripe', '0.50', 'EUR'],
    ['stripe', '50', 'JPY'],
    ['stripe', '1.230', 'KWD'],
    ['stripe', '175.00', 'HUF'],
    ['stripe', '5', 'ISK'],
    ['stripe', '100', 'UGX'],
    ['stripe', '1500.00', 'MGA'],
    ['paypal', '0.01', 'EUR'],
    ['paypal', '5000.00', 'HUF'],
    ['paypal', '12.00', 'TWD'],
    ['paypal', '1', 'JPY'],
    ['mercadopago', '19.99', 'BRL'],
    ['mercadopago', '1500', 'CLP'],
    ['mercadopago', '4000.00', 'COP'],
    ['coinbase', '0.01', 'USD'],
    ['yookassa', '1.00', 'RUB'],
    ['yookassa', '0.10', 'EUR'],
    ['mollie', '12.50', 'HUF'],
    ['mollie', '100', 'JPY'],
    ['custom', '0.001', 'KWD'],
    ['test', '1', 'VND'],
  ])('finds no problem when %s charges %s %s', (name, amount, currency) => {
    expect(problemOf(name, amount, currency)).toBeNull();
  });

  it.each([
    ['stripe', '0.49', 'EUR', 'Stripe can charge 0.50 EUR or more, not 0.49 EUR'],
    ['stripe', '0.29', 'GBP', 'Stripe can charge 0.30 GBP or more, not 0.29 GBP'],
    ['stripe', '14.99', 'CZK', 'Stripe can charge 15.00 CZK or more, not 14.99 CZK'],
    ['stripe', '174.99', 'HUF', 'Stripe can charge 175.00 HUF or more, not 174.99 HUF'],
    ['stripe', '49', 'JPY', 'Stripe can charge 50 JPY or more, not 49 JPY'],
    ['stripe', '1.234', 'KWD', 'Stripe can charge 1.230 KWD or 1.240 KWD, not 1.234 KWD'],
    ['stripe', '1500.50', 'MGA', 'Stripe can charge 1500.00 MGA or 1501.00 MGA, not 1500.50 MGA'],
    ['stripe', '1.000', 'IQD', 'Stripe cannot charge IQD'],
    ['paypal', '12.50', 'HUF', 'PayPal can charge 12.00 HUF or 13.00 HUF, not 12.50 HUF'],
    ['paypal', '0.50', 'TWD', 'PayPal can charge 1.00 TWD or more, not 0.50 TWD'],
    ['paypal', '10.00', 'RUB', 'PayPal cannot charge RUB'],
    ['mercadopago', '4000.50', 'COP', 'Mercado Pago can charge 4000.00 COP or 4001.00 COP, not 4000.50 COP'],
    ['mercadopago', '10.00', 'EUR', 'Mercado Pago cannot charge EUR'],
    ['coinbase', '10.00', 'EUR', 'Coinbase cannot charge EUR'],
    ['yookassa', '0.99', 'RUB', 'YooKassa can charge 1.00 RUB or more, not 0.99 RUB'],
    ['yookassa', '10.00', 'GBP', 'YooKassa cannot charge GBP'],
    ['mollie', '10.00', 'UAH', 'Mollie cannot charge UAH'],
  ])('says what is possible when %s cannot charge %s %s', (name, amount, currency, problem) => {
    expect(problemOf(name, amount, currency)).toBe(problem);
  });
});

describe('unpayableProblem', () => {
  const enabled = (name: string, canCreate = true): PaymentMethod => ({
    ...chargingOf(providerOf(name), 'HUF'),
    canCreate,
  });

  it('finds no problem while one of the methods can charge the amount', () => {
    const methods = [enabled('paypal'), enabled('stripe')];
    const check = (amountMinor: number): string | null => unpayableProblem(methods, amountMinor, 'HUF');
    expect([check(100_050), check(200_000)]).toEqual([null, null]);
    expect(check(10_050)).toBe(
      'No payment method can charge the total: PayPal can charge 100.00 HUF or 101.00 HUF, not 100.50 HUF; ' +
        'Stripe can charge 175.00 HUF or more, not 100.50 HUF',
    );
  });

  it('finds none in a shop without methods, and in one that makes payments itself', () => {
    expect(unpayableProblem([], 1, 'HUF')).toBeNull();
    expect(unpayableProblem([enabled('paypal'), enabled('custom', false)], 1, 'HUF')).toBeNull();
  });
});
