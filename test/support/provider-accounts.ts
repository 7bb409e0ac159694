import { expect } from '@jest/globals';
import { type Credentials, type NewPayment, type ProviderAccount } from '../../src/payments/providers/provider.js';

/** A shop's account at a provider. */
export function accountWith(credentials: Credentials, fields: Partial<ProviderAccount> = {}): ProviderAccount {
  const addresses = { publicUrl: 'https://api.example.com', apiUrl: undefined, webhookUrl: null };
  return { credentials, ...addresses, awaitsMoney: () => Promise.resolve(true), ...fields };
}

/** A payment that a provider is to create, for one hour. */
export function newPayment(fields: Partial<NewPayment> = {}): NewPayment {
  return {
    id: '655f1c2ab1e4a9d3f0c81277',
    orderId: '655f1c2ab1e4a9d3f0c81250',
    description: 'Order #1042',
    amountMinor: 1990,
    currency: 'EUR',
    successUrl: 'https://shop.example.com/thanks',
    cancelUrl: 'https://shop.example.com/',
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
    expiresAt: new Date('2026-11-21T13:00:00.000Z'),
    ...fields,
  };
}

/** The error of a call to a provider: a status 401 or 403 is about the credentials. @param reason what only the log shows */
export const failureOf = (reason: string): unknown =>
  /: status 40[13]$/.test(reason)
    ? expect.objectContaining({ code: 'provider_credentials_rejected', cause: new Error(reason) })
    : unavailable(reason);

/** The error of a provider that cannot be used now. @param reason what only the log shows */
export const unavailable = (reason: string): unknown =>
  expect.objectContaining({ code: 'provider_unavailable', cause: new Error(reason) });
