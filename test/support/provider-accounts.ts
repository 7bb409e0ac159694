import { type Credentials, type ProviderAccount } from '../../src/payments/providers/provider.js';

/** A shop's account at a provider. */
export function accountWith(credentials: Credentials, fields: Partial<ProviderAccount> = {}): ProviderAccount {
  return { credentials, publicUrl: 'https://api.example.com', apiUrl: undefined, webhookUrl: null, ...fields };
}
