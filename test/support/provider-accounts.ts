import { expect } from '@jest/globals';
import { type Credentials, type ProviderAccount } from '../../src/payments/providers/provider.js';

/** A shop's account at a provider. */
export function accountWith(credentials: Credentials, fields: Partial<ProviderAccount> = {}): ProviderAccount {
  return { credentials, publicUrl: 'https://api.example.com', apiUrl: undefined, webhookUrl: null, ...fields };
}

/** The error of a provider that cannot be used now. @param reason what only the log shows */
export const unavailable = (reason: string): unknown =>
  expect.objectContaining({ code: 'provider_unavailable', cause: new Error(reason) });
