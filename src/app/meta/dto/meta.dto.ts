import { ApiSchema } from '@nestjs/swagger';
import { API_KEY_TYPES } from '../../../access/api-keys/api-key.types.js';
import { NICKNAME_PRESETS } from '../../../domain/buyers/nickname-rule.js';
import { ALL_PERMISSIONS, type Permission, type Role, ROLE_NAMES } from '../../../domain/principal/permissions.js';
import { SHOP_EVENT_TYPES } from '../../../events/shop-events/shop-event.types.js';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ObjectListField,
  StringField,
  StringListField,
} from '../../../http/validation/fields.js';
import { LANGUAGES } from '../../../lib/formats/languages.js';
import { PROVIDER_NAMES } from '../../../payments/providers/provider-registry.js';
import { OWNER_EMAILS, WIDGETS } from '../../../shops/shops/shop.types.js';

const MAX_LIST = 500;

class Described {
  @StringField({ maxLength: 300, description: 'What it is for, for people.', example: 'Read products' })
  description!: string;
}

const PermissionsField = (description: string): PropertyDecorator =>
  StringListField({
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    oneOf: ALL_PERMISSIONS,
    description,
    example: ['orders:read'],
  });

@ApiSchema({ description: 'A permission of people and API keys.' })
export class PermissionMetaDto extends Described {
  @ChoiceField({ oneOf: ALL_PERMISSIONS, description: 'As `<resource>:<action>`.', example: 'products:read' })
  name!: Permission;

  @PermissionsField('The other permissions that come with it.')
  implies!: Permission[];
}

@ApiSchema({ description: 'A role of members of a team.' })
export class RoleMetaDto extends Described {
  @ChoiceField({ oneOf: ROLE_NAMES, description: 'The role.', example: 'support' })
  name!: Role;

  @PermissionsField('Its permissions.')
  permissions!: Permission[];
}

@ApiSchema({ description: 'A type of API keys.' })
export class KeyTypeMetaDto extends Described {
  @ChoiceField({ oneOf: API_KEY_TYPES, description: 'The type.', example: 'secret' })
  name!: string;

  @PermissionsField('The permissions that a key of this type can have at most.')
  permissions!: Permission[];
}

@ApiSchema({ description: 'An event that webhooks can select.' })
export class EventMetaDto extends Described {
  @ChoiceField({ oneOf: SHOP_EVENT_TYPES, description: 'The event.', example: 'order.paid' })
  name!: string;

  @ChoiceField({
    oneOf: ALL_PERMISSIONS,
    description: 'The permission that selecting it requires.',
    example: 'orders:read',
  })
  permission!: Permission;
}

@ApiSchema({ description: 'A value that a shop configures of its account at a payment provider.' })
export class ProviderFieldMetaDto extends Described {
  @StringField({ maxLength: 40, description: 'The name in `credentials`.', example: 'secretKey' })
  name!: string;

  @StringField({
    maxLength: 500,
    description: 'A regular expression that accepted values match.',
    example: '^(?:sk|rk)_[\\x21-\\x7e]{8,250}$',
  })
  pattern!: string;

  @BooleanField({
    description: 'Whether the provider cannot be saved without it. The service generates one that has a `generated`.',
    example: false,
  })
  required!: boolean;

  @BooleanField({ description: 'Whether no buyer can pay without it.', example: true })
  paymentsNeedIt!: boolean;

  @BooleanField({ description: 'Whether the service generates it when the shop sends none.', example: false })
  generated!: boolean;

  @BooleanField({ description: 'Whether the service reads it from the provider itself.', example: false })
  readFromProvider!: boolean;
}

@ApiSchema({ description: 'A payment provider that shops can configure here.' })
export class ProviderMetaDto {
  @ChoiceField({ oneOf: PROVIDER_NAMES, description: 'As in paths.', example: 'stripe' })
  name!: string;

  @StringField({ maxLength: 80, description: 'Its name for buyers.', example: 'Stripe' })
  title!: string;

  @StringField({ maxLength: 80, description: 'Its name for owners.', example: 'Stripe' })
  brand!: string;

  @BooleanField({ description: 'Whether it moves no money, and production rejects it.', example: false })
  isForTests!: boolean;

  @ObjectListField(
    { maxItems: 10, description: 'What `credentials` can have.', example: [] },
    () => ProviderFieldMetaDto,
  )
  fields!: ProviderFieldMetaDto[];

  @StringListField({
    maxItems: MAX_LIST,
    maxLength: 80,
    description: "The provider's names of the events to select for the webhook; none where there is nothing to select.",
    example: ['charge.refunded'],
  })
  webhookEvents!: string[];

  @BooleanField({ description: 'Whether the service registers the webhook at the provider itself.', example: true })
  registersWebhook!: boolean;

  @BooleanField({ description: 'Whether the service makes refunds there.', example: true })
  refunds!: boolean;
}

@ApiSchema({ description: 'A currency of ISO 4217.' })
export class CurrencyMetaDto {
  @StringField({ maxLength: 3, description: 'Its code.', example: 'EUR' })
  code!: string;

  @IntegerField({ minimum: 0, maximum: 4, description: 'How many decimals its amounts have here.', example: 2 })
  decimals!: number;
}

@ApiSchema({ description: 'A rule for nicknames that a shop can choose.' })
export class NicknameRuleMetaDto extends Described {
  @ChoiceField({ oneOf: NICKNAME_PRESETS, description: 'The value of `nicknameRule.preset`.', example: 'any' })
  preset!: string;

  @StringField({
    nullable: true,
    maxLength: 200,
    description: 'A regular expression over the whole nickname, for the flag `u` or `v`; null: the shop has its own.',
    example: '^[A-Za-z0-9_]{3,16}$',
  })
  pattern!: string | null;

  @IntegerField({ minimum: 1, maximum: 100, description: 'How many characters a nickname has at most.', example: 32 })
  maxLength!: number;
}

@ApiSchema({
  description:
    'How many requests are allowed in a time. `RateLimit-Policy` of a response names the limits that count it.',
})
export class RateLimitMetaDto extends Described {
  @StringField({ maxLength: 40, description: 'The limit.', example: 'apiKey' })
  name!: string;

  @IntegerField({ minimum: 1, maximum: 1_000_000_000, description: 'How many requests.', example: 600 })
  quota!: number;

  @IntegerField({ minimum: 1, maximum: 1_000_000, description: 'In how many seconds.', example: 60 })
  windowSeconds!: number;
}

@ApiSchema({ description: 'How many of something a person or a shop can have at the same time.' })
export class QuotaMetaDto extends Described {
  @StringField({ maxLength: 40, description: 'The quota, as an error names it.', example: 'productsPerShop' })
  name!: string;

  @IntegerField({ minimum: 1, maximum: 9_999_999, description: 'How many.', example: 1_000 })
  quota!: number;
}

@ApiSchema({ description: 'What clients show as choices, as the service itself uses it.' })
export class MetaDto {
  @ObjectListField({ maxItems: MAX_LIST, description: 'All permissions.', example: [] }, () => PermissionMetaDto)
  permissions!: PermissionMetaDto[];

  @ObjectListField(
    { maxItems: MAX_LIST, description: 'All roles, the one with most rights first.', example: [] },
    () => RoleMetaDto,
  )
  roles!: RoleMetaDto[];

  @ObjectListField({ maxItems: MAX_LIST, description: 'All types of API keys.', example: [] }, () => KeyTypeMetaDto)
  keyTypes!: KeyTypeMetaDto[];

  @ObjectListField({ maxItems: MAX_LIST, description: 'All events of webhooks.', example: [] }, () => EventMetaDto)
  events!: EventMetaDto[];

  @ObjectListField(
    { maxItems: MAX_LIST, description: 'All payment providers that can be configured here.', example: [] },
    () => ProviderMetaDto,
  )
  providers!: ProviderMetaDto[];

  @ObjectListField(
    { maxItems: MAX_LIST, description: 'All currencies that a shop can have.', example: [] },
    () => CurrencyMetaDto,
  )
  currencies!: CurrencyMetaDto[];

  @ObjectListField(
    { maxItems: MAX_LIST, description: 'All rules for nicknames.', example: [] },
    () => NicknameRuleMetaDto,
  )
  nicknameRules!: NicknameRuleMetaDto[];

  @StringListField({
    maxItems: MAX_LIST,
    maxLength: 10,
    oneOf: LANGUAGES,
    description: 'The languages of pages and emails.',
    example: ['en'],
  })
  languages!: string[];

  @StringListField({
    maxItems: MAX_LIST,
    maxLength: 40,
    oneOf: OWNER_EMAILS,
    description: 'What owners can get emails about.',
    example: ['sale'],
  })
  ownerEmails!: string[];

  @StringListField({
    maxItems: MAX_LIST,
    maxLength: 40,
    oneOf: WIDGETS,
    description: 'What a shop can show of its sales.',
    example: ['top_buyers'],
  })
  widgets!: string[];

  @ObjectListField({ maxItems: MAX_LIST, description: 'All limits of requests.', example: [] }, () => RateLimitMetaDto)
  rateLimits!: RateLimitMetaDto[];

  @ObjectListField({ maxItems: MAX_LIST, description: 'All quotas.', example: [] }, () => QuotaMetaDto)
  quotas!: QuotaMetaDto[];
}
