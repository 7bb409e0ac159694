import { type User } from '../../accounts/users/user.types.js';
import { type EmailContent } from '../../events/mail/email.types.js';
import { formatTime } from '../../lib/formats/formats.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { PAYMENT_EMAIL_COPY } from './payment-email-copy.js';

/** The subject, the body and the advice of the email about each change. */
const COPY = {
  'payment_provider.configured': ['configured', 'configuredBody', 'advice'],
  'payment_provider.secret_rotated': ['address', 'addressBody', 'advice'],
  'payment_provider.removed': ['removed', 'removedBody', 'removedAdvice'],
} as const;

/** A change of the settings of a payment provider, as the audit log names it. */
export type SettingsChange = keyof typeof COPY;

/** Who changed the settings, and when. */
export interface ChangeAuthor {
  /** null: the account does not exist any more. */
  readonly person: Pick<User, 'name' | 'email'> | null;
  /** Whether an API key of this person was used. */
  readonly withKey: boolean;
  readonly at: Date;
}

/** The email to owners about changed settings of a payment provider: the holder of its secrets decides what counts as paid. */
export function settingsEmail(
  change: SettingsChange,
  { displayName, language, timezone }: Pick<Shop, 'displayName' | 'language' | 'timezone'>,
  provider: string,
  { person, withKey, at }: ChangeAuthor,
): EmailContent {
  const copy = PAYMENT_EMAIL_COPY[language];
  const [subject, body, advice] = COPY[change];
  const who = person === null ? copy.unknown : `${person.name} (${person.email})`;
  return {
    subject: copy[subject](displayName),
    parts: [
      { text: copy[body](displayName, provider) },
      {
        facts: [
          [withKey ? copy.byKey : copy.by, who],
          [copy.at, formatTime(at, timezone, language)],
        ],
      },
      { text: copy[advice] },
    ],
  };
}
