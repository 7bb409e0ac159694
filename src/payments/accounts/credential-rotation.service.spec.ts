import { expect, it } from '@jest/globals';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { CredentialRotationService } from './credential-rotation.service.js';
import { type CredentialVault } from './credential-vault.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { type PaymentProvidersRepository } from './payment-providers.repository.js';

it('reads, encrypts and replaces the configurations of the repository', async () => {
  const configuration = { id: 'c1' } as PaymentConfiguration;
  const texts = { sealedCredentials: 'new', sealedWebhookSecret: 'new' };
  const calls: Call[] = [];
  const rotation = new CredentialRotationService(
    recording<PaymentProvidersRepository>(calls, {
      listAfter: () => Promise.resolve([configuration]),
      update: () => Promise.resolve(configuration),
    }),
    recording<CredentialVault>(calls, { reseal: () => texts }),
  );
  expect(rotation.kind).toBe('payment providers');
  expect(await rotation.listAfter('c0', 10)).toEqual([configuration]);
  expect(rotation.reseal(configuration)).toBe(texts);
  expect(await rotation.replace(configuration, texts, TRANSACTION)).toBe(true);
  expect(calls).toEqual([
    ['listAfter', 'c0', 10],
    ['reseal', configuration],
    ['update', configuration, texts, TRANSACTION, ['sealedCredentials', 'sealedWebhookSecret']],
  ]);
});
