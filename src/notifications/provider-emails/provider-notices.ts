import { type ProviderProblem } from '../../domain/payments/provider-problems.js';
import { formatTime } from '../../lib/formats/formats.js';
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

/** The copy of each problem: the subject, what is wrong, what to do, and the label of the link. */
const COPY = {
  credentials_rejected: ['failing', 'failingBody', 'failingNext', 'save'],
  payment_refused: ['refused', 'refusedBody', 'refusedNext', 'check'],
  webhook_rejected: ['rejected', 'rejectedBody', 'rejectedNext', 'check'],
  order_not_found: ['orphaned', 'orphanedBody', 'orphanedNext', 'events'],
  internal_error: ['unapplied', 'unappliedBody', 'unappliedNext', 'events'],
} as const satisfies Record<ProviderProblem, readonly string[]>;

/** The notice to an owner about a problem with a provider. @param link how to solve it, or to find out more */
export function providerEmail(
  problem: ProviderProblem,
  shop: NoticeShop,
  trouble: ProviderTrouble,
  link: string,
): EmailContent {
  const copy = PROVIDER_EMAIL_COPY[shop.language];
  const [subject, body, next, label] = COPY[problem];
  return {
    subject: copy[subject](trouble.brand),
    parts: [
      { text: copy[body](shop.displayName, trouble.brand) },
      factsOf(shop, trouble),
      { text: copy[next](trouble.brand) },
      { link, label: copy[label] },
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
