import { type Language, LANGUAGES } from '../../../lib/formats/languages.js';
import {
  ChoiceField,
  EmailField,
  FollowsRule,
  MoneyField,
  ObjectField,
  StringField,
  StringListField,
} from '../../../http/validation/fields.js';
import { CURRENCY_SAYS } from '../../../lib/money/money.js';
import { ACCENT_COLOR, settingProblems, UNIQUE_NAME } from '../shop-rules.js';
import { OWNER_EMAILS, type OwnerEmail, PRICE_RULES, type PriceRule, type Widget, WIDGETS } from '../shop.types.js';
import { UpdateLegalDto } from './legal.dto.js';
import { NicknameRuleDto } from './nickname-rule.dto.js';
import { StorefrontFields } from './storefront-fields.dto.js';

/** The fields that an owner writes. The bodies of POST and PATCH are derived from them. */
export class ShopFields extends StorefrontFields {
  @FollowsRule((uniqueName: string) => settingProblems({ uniqueName }))
  @StringField({
    minLength: 3,
    maxLength: 40,
    pattern: { regex: UNIQUE_NAME, says: 'must be lower-case letters, digits and single hyphens inside' },
    description: 'Unique short name, part of the address; reserved words are rejected.',
    example: 'sky-realm',
  })
  uniqueName!: string;

  @StringField({ maxLength: 80, description: 'The name that buyers see.', example: 'Sky Realm' })
  displayName!: string;

  @FollowsRule((currency: string) => settingProblems({ currency }))
  @StringField({
    minLength: 3,
    maxLength: 3,
    pattern: { regex: /^[A-Z]{3}$/, says: CURRENCY_SAYS },
    description: 'ISO 4217 code of all prices.',
    example: 'EUR',
  })
  currency!: string;

  @FollowsRule((timezone: string) => settingProblems({ timezone }))
  @StringField({ maxLength: 64, description: 'IANA time zone of statistics.', example: 'Europe/Berlin' })
  timezone!: string;

  @ObjectField(
    {
      description: 'The rule for nicknames. Existing orders keep their nicknames.',
      example: { preset: 'minecraft-java', pattern: null },
    },
    () => NicknameRuleDto,
  )
  nicknameRule!: NicknameRuleDto;

  @ChoiceField({
    oneOf: LANGUAGES,
    description: 'The language of emails, and of pages for readers whose browser asks for neither. `en` by default.',
    example: 'en',
  })
  language!: Language;

  @EmailField({
    nullable: true,
    description:
      'The address for questions of buyers, on the pages of orders and as the reply address of emails; null: none.',
    example: 'help@example.com',
  })
  supportEmail!: string | null;

  @StringField({
    nullable: true,
    minLength: 7,
    maxLength: 7,
    pattern: { regex: ACCENT_COLOR, says: 'must be # and six hexadecimal digits' },
    description: "The colour of the shop's pages and emails; text on it is black or white; null: the default colour.",
    example: '#7c3aed',
  })
  accentColor!: string | null;

  @StringListField({
    oneOf: OWNER_EMAILS,
    maxItems: OWNER_EMAILS.length,
    maxLength: 20,
    description:
      'What the owners get emails about: a paid order, a disputed payment, a failed delivery, a game server that ' +
      'stopped reporting. All by default.',
    example: ['sale', 'dispute', 'delivery_failed', 'server_offline'],
  })
  ownerEmails!: OwnerEmail[];

  @StringListField({
    oneOf: WIDGETS,
    maxItems: WIDGETS.length,
    maxLength: 20,
    description:
      'The widgets that are public, for the start page of the shop: recent purchases, top buyers, progress towards the monthly ' +
      'goal. None by default: nicknames of buyers are personal data.',
    example: ['recent_purchases', 'monthly_goal'],
  })
  widgets!: Widget[];

  @MoneyField({
    nullable: true,
    minimum: 0.001,
    description:
      "The net revenue that the shop wants to reach in a month, in major units of the shop's currency, for the widget " +
      '`monthly_goal`. null, the default: no goal.',
    example: 500,
  })
  monthlyGoal!: number | null;

  @ChoiceField({
    oneOf: PRICE_RULES,
    description:
      'What laws say about reductions where the shop sells. `eu`, the default: products have no `compareAtPrice`, and a reduction names ' +
      '`priorPrice`, the lowest price of the 30 days before it. `none`: products may have a `compareAtPrice`. A shop from before this ' +
      'setting has `none`.',
    example: 'eu',
  })
  priceRule!: PriceRule;

  @ObjectField(
    {
      description: 'Who sells, and the pages that laws require. An absent field keeps its value.',
      example: { sellerName: 'Sky Realm GmbH', address: 'Hauptstr. 1\n10115 Berlin' },
    },
    () => UpdateLegalDto,
  )
  legal!: UpdateLegalDto;
}
