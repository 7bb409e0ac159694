import { decimalsOf } from '../../../lib/money/money.js';
import { type ChargeRule } from '../../../domain/payments/charge-rules.js';
import { fromStripeAmount } from './stripe-events.js';

/**
 * The currencies that Stripe charges.
 * @see https://docs.stripe.com/currencies#presentment-currencies
 */
const CURRENCIES: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP ' +
    'CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY ' +
    'KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
    'NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SVC SZL THB TJS TND TOP ' +
    'TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW'
  ).split(' '),
);

/**
 * The smallest charges in Stripe's units. Stripe compares after the conversion to the account's own currency, which the service
 * does not know, so they are right for an account in the currency of the shop.
 * @see https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
const MINIMUMS: Readonly<Record<string, number>> = {
  ...{
    AED: 200,
    AUD: 50,
    BGN: 100,
    BRL: 50,
    CAD: 50,
    CHF: 50,
    CZK: 1_500,
    DKK: 250,
    EUR: 50,
    GBP: 30,
    HKD: 400,
    HUF: 17_500,
  },
  ...{
    INR: 50,
    JPY: 50,
    MXN: 1_000,
    MYR: 200,
    NOK: 300,
    NZD: 50,
    PLN: 200,
    RON: 200,
    SEK: 300,
    SGD: 50,
    THB: 1_000,
    USD: 50,
  },
};

/**
 * Stripe charges its own smallest units, and of the currencies with three decimals only multiples of ten.
 * @see https://docs.stripe.com/currencies#three-decimal
 */
export function stripeChargeRule(currency: string): ChargeRule | null {
  if (!CURRENCIES.has(currency)) return null;
  const unit = decimalsOf(currency) === 3 ? 10 : Math.max(1, fromStripeAmount(1, currency));
  const minimum = fromStripeAmount(MINIMUMS[currency] ?? 0, currency);
  return { minimumMinor: Math.max(minimum, unit), stepMinor: unit };
}
