import { type PaymentProvider } from '../providers/provider.js';
import { PAYMENT_PROVIDERS } from '../providers/provider-registry.js';

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');

/** What a provider needs, as Markdown: its credentials, and the events to select for its webhook. */
function guideTo({ name, title, credentials, events, isForTests }: PaymentProvider): string {
  const fields = credentials.map(({ name: field, says, optional, generate }) => {
    const presence = generate ? ' (generated if absent)' : optional ? ' (optional)' : '';
    return `  - \`${field}\`${presence} ${says}`;
  });
  return [
    `- \`${name}\`, ${title}${isForTests ? '; production rejects it' : ''}. Credentials:`,
    ...fields,
    events.length > 0 ? `  - Events: ${names(events)}` : '  - There are no events to select.',
  ].join('\n');
}

/** What each provider needs, as Markdown, for the OpenAPI document. */
export const PROVIDER_GUIDE = PAYMENT_PROVIDERS.map(guideTo).join('\n');
