import { ApiSchema, OmitType, PickType } from '@nestjs/swagger';
import { BodyToCreate } from '../../../http/validation/derived-body.js';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  MoneyField,
  ObjectField,
  ObjectListField,
  StringListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { LIMIT_HOLDERS, type LimitHolder } from '../../../catalogue/products/purchase-limits.js';
import { type ErrorCode } from '../../../domain/errors/error-catalogue.js';
import { DISCOUNT_REASONS } from '../../../catalogue/discounts/discount.types.js';
import { DiscountReasonDto, DiscountValidationDto } from '../../../catalogue/discounts/dto/discount-validation.dto.js';
import { RequirementDto } from '../../../catalogue/products/dto/selling-terms.fields.js';
import { CONSENT_KINDS } from '../../../shops/consents/consent.types.js';
import { RequiredConsentDto } from '../../../shops/consents/dto/consent.dto.js';
import { PRICE_CAUSES, type PriceCause } from '../../order/order-problem.js';
import { OrderDto } from '../../order/dto/order.dto.js';
import { UNCHECKED_PARTS, type UncheckedPart } from '../quote-rules.js';
import { CheckoutDto } from './checkout.dto.js';

/** The errors of a checkout that a quote lists as problems. */
export const ORDER_ERRORS = [
  'server_not_found',
  'product_not_available',
  'not_yet_available',
  'no_longer_available',
  'quantity_not_allowed',
  'out_of_stock',
  'product_limit_reached',
  'already_owned',
  'requirement_not_met',
  'tier_twice',
  'tier_held',
  'credit_unused',
  'nickname_not_allowed',
  'consent_required',
  'validation_failed',
  'quota_reached',
  'buyer_banned',
  'amount_not_chargeable',
  'price_changed',
] as const satisfies ErrorCode[];

/** The codes of problems. Of a discount code that does not apply, there is one for each reason. */
const PROBLEMS = [...ORDER_ERRORS, ...DISCOUNT_REASONS] as const;

@ApiSchema({ description: 'A basket. The quote checks as much as the basket contains.' })
export class QuoteRequestDto extends BodyToCreate(CheckoutDto, ['items']) {}

@ApiSchema({ description: 'A limit of a product that the basket is above.' })
export class ReachedLimitDto {
  @ChoiceField({ oneOf: LIMIT_HOLDERS, description: 'Whose units count.', example: 'player' })
  of!: LimitHolder;

  @IntegerField({ minimum: 1, maximum: 1_000_000_000, description: 'The largest number of units.', example: 3 })
  max!: number;

  @IntegerField({ minimum: 0, maximum: 1_000_000_000_000, description: 'How many units count already.', example: 3 })
  used!: number;

  @TimestampField({
    nullable: true,
    description: 'When as many units as the basket has are possible; null: not by waiting, or never so many.',
    example: '2026-12-06T12:00:00.000Z',
  })
  freeAt!: string | null;
}

@ApiSchema({ description: 'Why the basket cannot be ordered as it is.' })
export class QuoteProblemDto extends OmitType(DiscountReasonDto, ['code']) {
  @ChoiceField({
    oneOf: PROBLEMS,
    description:
      'The problem, for programs: an error of the checkout, or a reason why the discount code does not apply.',
    example: 'product_not_available',
  })
  code!: string;

  @IdField({ optional: true, description: 'The product that it is about.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId?: string;

  @TimestampField({
    optional: true,
    description: 'For `not_yet_available`: when the product can be ordered.',
    example: '2026-12-01T17:00:00.000Z',
  })
  availableFrom?: string;

  @ObjectField(
    {
      optional: true,
      description: 'For `product_limit_reached`: the limit.',
      example: { of: 'player', max: 3, used: 3, freeAt: '2026-12-06T12:00:00.000Z' },
    },
    () => ReachedLimitDto,
  )
  limit?: ReachedLimitDto;

  @ObjectField(
    {
      optional: true,
      description: 'For `requirement_not_met`: what the product requires. It does not say what of it is missing.',
      example: { mode: 'any', productIds: ['655f1c2ab1e4a9d3f0c81270'] },
    },
    () => RequirementDto,
  )
  requirement?: RequirementDto;

  @ChoiceField({
    optional: true,
    oneOf: PRICE_CAUSES,
    description:
      'For `price_changed`: `sale_ended` when a sale has ended; `price` when a price has changed or the code takes less off; ' +
      '`upgrade`: the product is a tier, and what the player has of a lower one, or the price, has changed.',
    example: 'sale_ended',
  })
  cause?: PriceCause;
}

@ApiSchema({ description: 'What a lower tier of the player takes off a product of the basket.' })
export class QuotedUpgradeDto {
  @IdField({ description: 'The product.', example: '655f1c2ab1e4a9d3f0c81271' })
  productId!: string;

  @MoneyField({ description: 'What it takes off the price, in major units.', example: 9.99 })
  credit!: number;

  @MoneyField({
    description:
      'What was paid for the lower tier beyond that, in major units. An order with more than 0 may need `acceptUnusedCredit`.',
    example: 0,
  })
  creditUnused!: number;
}

@ApiSchema({ description: 'The price of an order now, and every reason why it cannot be placed.' })
export class QuoteDto extends PickType(OrderDto, ['items', 'subtotal', 'discountAmount', 'total', 'currency']) {
  @BooleanField({
    description: 'Whether the basket can be ordered as it is: it has no problem, and everything was checked.',
    example: true,
  })
  orderable!: boolean;

  @ObjectField(
    { nullable: true, description: 'The check of the discount code; null without a code.', example: null },
    () => DiscountValidationDto,
  )
  discount!: DiscountValidationDto | null;

  @ObjectListField(
    {
      maxItems: 50,
      description:
        'The products of the basket that replace a lower tier which the player has. Their `unitPrice` is the difference. Empty as long as `nickname` or ' +
        '`serverId` is open.',
      example: [],
    },
    () => QuotedUpgradeDto,
  )
  upgrades!: QuotedUpgradeDto[];

  @ObjectListField(
    {
      maxItems: 100,
      description: 'Everything that is in the way of the basket, as far as it was checked.',
      example: [],
    },
    () => QuoteProblemDto,
  )
  problems!: QuoteProblemDto[];

  @ObjectListField(
    {
      maxItems: CONSENT_KINDS.length,
      description: 'What the shop requires the buyer to agree to.',
      example: [{ kind: 'terms', version: 1, statement: 'I accept the terms of sale.' }],
    },
    () => RequiredConsentDto,
  )
  consents!: RequiredConsentDto[];

  @StringListField({
    oneOf: UNCHECKED_PARTS,
    maxItems: UNCHECKED_PARTS.length,
    maxLength: 20,
    description:
      'What the basket leaves open and an order needs. Nothing that depends on it was checked: `serverId`, and `buyer` unless both ' +
      '`nickname` and `email` are there. `consents`: the shop requires some, and the basket says nothing about them.',
    example: [],
  })
  unchecked!: UncheckedPart[];
}
