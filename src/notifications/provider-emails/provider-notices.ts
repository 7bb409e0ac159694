import { formatTime } from '../../platform/templates/formats.js';
import { type EmailContent } from '../../events/mail/email.types.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { PROVIDER_EMAIL_COPY } from './provider-email-copy.js';

/** What does not work with a payment provider. */
export interface ProviderTrouble {
  /** The name of the provider for owners. */
  readonly brand: string;
  readonly since: Date;
  /** In one sentence of the API or of the provider, in English. */
  readonly reason: string;
}

type NoticeShop = Pick<Shop, 'displayName' | 'language' | 'timezone'>;

/** The notice to an owner that a provider rejects the credentials. @param link how to save new ones */
export function providerFailingEmail(shop: NoticeShop, trouble: ProviderTrouble, link: string): EmailContent {
  const copy = PROVIDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.failing(trouble.brand),
    parts: [
      { text: copy.failingBody(shop.displayName, trouble.brand) },
      factsOf(shop, trouble),
      { text: copy.failingNext(trouble.brand) },
      { link, label: copy.save },
      { text: copy.again },
    ],
  };
}

/** The notice to an owner that requests to the webhook of a provider are rejected. @param link how to check the provider */
export function webhookRejectedEmail(shop: NoticeShop, trouble: ProviderTrouble, link: string): EmailContent {
  const copy = PROVIDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.rejected(trouble.brand),
    parts: [
      { text: copy.rejectedBody(shop.displayName, trouble.brand) },
      factsOf(shop, trouble),
      { text: copy.rejectedNext(trouble.brand) },
      { link, label: copy.check },
      { text: copy.again },
    ],
  };
}

function factsOf({ language, timezone }: NoticeShop, { brand, since, reason }: ProviderTrouble) {
  const copy = PROVIDER_EMAIL_COPY[language];
  return {
    facts: [
      [copy.provider, brand],
      [copy.since, formatTime(since, timezone, language)],
      [copy.reason, copy.quoted(reason)],
    ],
  } as const;
}
