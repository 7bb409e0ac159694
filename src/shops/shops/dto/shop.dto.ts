import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { ALL_PERMISSIONS, type Permission, type Role, ROLE_NAMES } from '../../../domain/principal/permissions.js';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  ObjectField,
  StringField,
  StringListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { DomainDto } from './domain.dto.js';
import { LegalDto } from './legal.dto.js';
import { NicknameRuleDto, PublicNicknameRuleDto } from './nickname-rule.dto.js';
import { ShopFields } from './shop-fields.dto.js';
import { HeroDto, ThemeDto } from './storefront-fields.dto.js';

@ApiSchema({ description: 'The shop record of the contract.' })
export class ShopDto {
  @IdField({ description: 'Identifier of the shop.', example: '655f1c2ab1e4a9d3f0c81234' })
  _id!: string;

  @StringField({ maxLength: 40, description: 'Unique short name (slug).', example: 'sky-realm' })
  uniqueName!: string;

  @StringField({ maxLength: 80, description: 'The name that buyers see.', example: 'Sky Realm' })
  displayName!: string;

  @StringField({
    maxLength: 300,
    format: 'uri',
    description: 'The URL of the front end: the verified custom domain, or the subdomain of the platform.',
    example: 'https://sky-realm.shops.localhost',
  })
  frontEndUrl!: string;

  @BooleanField({ description: 'Whether the shop is open to the public.', example: true })
  isActive!: boolean;

  @TimestampField({ description: 'When the shop was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}

class CurrencyDecimals {
  @IntegerField({
    minimum: 0,
    maximum: 4,
    description:
      'How many decimals amounts in the currency have (ISO 4217). Browsers and other programs know other numbers for some currencies.',
    example: 2,
  })
  currencyDecimals!: number;
}

@ApiSchema({ description: 'The shop record with what the caller, a member of its team, may do there.' })
export class OwnShopDto extends IntersectionType(
  ShopDto,
  PickType(ShopFields, ['currency', 'timezone', 'accentColor']),
  CurrencyDecimals,
) {
  @ChoiceField({ oneOf: ROLE_NAMES, description: 'The role of the caller.', example: 'support' })
  role!: Role;

  @StringListField({
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    oneOf: ALL_PERMISSIONS,
    description: 'The permissions of the role, those that other ones imply included.',
    example: ['orders:read', 'orders:write'],
  })
  permissions!: Permission[];
}

/** What every page of a shop shows, also while it is closed. */
class ShopLook extends IntersectionType(
  ShopDto,
  PickType(ShopFields, ['language', 'lang', 'supportEmail', 'accentColor', 'logoUrl', 'logoId', 'links']),
) {
  @ObjectField({ description: 'How the pages look.', example: { font: 'manrope', mode: 'auto' } }, () => ThemeDto)
  theme!: ThemeDto;

  @ObjectField(
    {
      description: 'Who sells, and the pages that laws require.',
      example: {
        ...{ sellerName: 'Sky Realm GmbH', address: 'Hauptstr. 1\n10115 Berlin', vatId: null, taxNote: null },
        ...{
          disclaimer: null,
          requiredConsents: [],
          consents: [],
          pages: { imprint: null, terms: null, privacy: null, withdrawal: null },
        },
      },
    },
    () => LegalDto,
  )
  legal!: LegalDto;
}

@ApiSchema({ description: 'The record of a closed shop: what the page says that stands there instead.' })
export class ClosedShopDto extends IntersectionType(ShopLook, PickType(ShopFields, ['closedText'])) {}

@ApiSchema({ description: 'The shop record with what a storefront needs.' })
export class PublicShopDto extends IntersectionType(
  ShopLook,
  PickType(ShopFields, ['currency', 'timezone', 'priceRule', 'widgets', 'notice', 'goalText', 'parts']),
  CurrencyDecimals,
) {
  @ObjectField(
    { description: 'The top of the first page.', example: { title: 'Welcome', text: null, imageId: null, links: [] } },
    () => HeroDto,
  )
  hero!: HeroDto;

  @ObjectField(
    {
      description: 'How players are named.',
      example: { preset: 'minecraft-java', pattern: '^[A-Za-z0-9_]{3,16}$', maxLength: 32 },
    },
    () => PublicNicknameRuleDto,
  )
  nicknameRule!: PublicNicknameRuleDto;
}

@ApiSchema({ description: 'The shop record with the settings behind it.' })
export class ShopDetailsDto extends IntersectionType(
  OmitType(PublicShopDto, ['nicknameRule']),
  PickType(ShopFields, ['ownerEmails', 'monthlyGoal', 'closedText', 'origins']),
) {
  @ObjectField(
    { description: 'How players are named.', example: { preset: 'minecraft-java', pattern: null } },
    () => NicknameRuleDto,
  )
  nicknameRule!: NicknameRuleDto;

  @ObjectField(
    {
      nullable: true,
      description: 'The custom domain; null without one.',
      example: {
        hostname: 'shop.example.com',
        status: 'pending',
        txtRecord: { name: '_shop-platform.shop.example.com', value: 'shop-platform-verification=0123456789abcdef' },
        missingSince: null,
      },
    },
    () => DomainDto,
  )
  domain!: DomainDto | null;
}
