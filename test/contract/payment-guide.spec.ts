import { expect, it } from '@jest/globals';
import { PROVIDER_GUIDE } from '../../src/payments/accounts/provider-guide.js';
import { CUSTOM_SENDER } from '../../src/payments/providers/custom/custom-sender.js';
import { PAYMENT_PROVIDERS } from '../../src/payments/providers/provider-registry.js';
import { read } from './pages.js';

const guide = await read('docs/payments.md');

/** The section of a provider, without its heading. */
function sectionOf(name: string): string {
  const [, ...sections] = guide.split(/^## /m);
  const found = sections.filter((section) => section.startsWith(`\`${name}\``));
  expect([name, found.length]).toEqual([name, 1]);
  return found[0] ?? '';
}

it.each(PAYMENT_PROVIDERS.map((provider) => [provider.name, provider] as const))(
  'names every credential and every event of %s in docs/payments.md',
  (name, { credentials, events }) => {
    // The section of \`custom\` refers to the table of all events.
    const text = name === 'custom' ? guide : sectionOf(name);
    const fields = name === 'test' ? [] : credentials.map((credential) => credential.name);
    const missing = [...fields, ...events].filter((word) => !text.includes(`\`${word}\``));
    expect(missing).toEqual([]);
  },
);

it('finds the same names in the OpenAPI document', () => {
  for (const { credentials, events } of PAYMENT_PROVIDERS) {
    for (const word of [...credentials.map(({ name }) => name), ...events])
      expect(PROVIDER_GUIDE).toContain(`\`${word}\``);
  }
});

it('shows the same sender of a signed webhook in its guide and in the OpenAPI document', async () => {
  expect(await read('docs/connect-a-payment-system.md')).toContain(`\`\`\`js\n${CUSTOM_SENDER}\`\`\``);
});
