import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdListField,
  InstantField,
  IntegerField,
  ObjectField,
  ObjectListField,
} from '../../../http/validation/fields.js';
import { type Moment } from '../../../lib/time/instant.js';
import {
  MAX_NAMED_PRODUCTS,
  type Requirement,
  REQUIREMENT_MODES,
  type RequirementMode,
} from '../product-requirements.js';
import {
  CALENDAR_WINDOWS,
  type CalendarWindow,
  LIMIT_HOLDERS,
  type LimitHolder,
  type LimitWindow,
  type PurchaseLimit,
} from '../purchase-limits.js';

@ApiSchema({ description: 'The window of a limit: either `days` or `calendar`.' })
export class LimitWindowDto implements LimitWindow {
  @IntegerField({
    optional: true,
    minimum: 1,
    maximum: 3_650,
    description: 'So many days of 24 hours that end now.',
    example: 7,
  })
  days?: number;

  @ChoiceField({
    oneOf: CALENDAR_WINDOWS,
    optional: true,
    description: 'The day, the week from Monday, or the month, in the time zone of the shop.',
    example: 'week',
  })
  calendar?: CalendarWindow;
}

@ApiSchema({ description: 'How many units of a product somebody can have.' })
export class PurchaseLimitDto implements PurchaseLimit {
  @ChoiceField({
    oneOf: LIMIT_HOLDERS,
    description:
      'Whose orders count: those of the `buyer` (the mailbox, or the player), those for the `player`, whoever pays, or all of the `shop` (at ' +
      'most 1,000 units).',
    example: 'player',
  })
  of!: LimitHolder;

  @IntegerField({ minimum: 1, maximum: 1_000_000_000, description: 'The largest number of units.', example: 3 })
  max!: number;

  @ObjectField(
    {
      nullable: true,
      description: 'The time in which the units count; null: for ever.',
      example: { days: 7 },
    },
    () => LimitWindowDto,
  )
  window!: LimitWindowDto | null;
}

@ApiSchema({ description: 'What a player must own, or get in the same order.' })
export class RequirementDto implements Requirement {
  @ChoiceField({
    oneOf: REQUIREMENT_MODES,
    description: 'Whether `all` of the products are required, or `any` one.',
    example: 'any',
  })
  mode!: RequirementMode;

  @IdListField({
    minItems: 1,
    maxItems: MAX_NAMED_PRODUCTS,
    description: 'The products. What counts as one of them (`countsAs`) is as good.',
    example: ['655f1c2ab1e4a9d3f0c81270'],
  })
  productIds!: readonly string[];
}

/** When a product can be bought, how often, and by whom. */
export class SellingTermsFields {
  @InstantField({
    nullable: true,
    description: 'The first moment at which it can be ordered; null: since ever.',
    example: '2026-12-01T17:00:00.000Z',
  })
  availableFrom!: Moment | null;

  @InstantField({
    nullable: true,
    description: 'The first moment at which it can no longer be ordered; null: no end.',
    example: '2026-12-27T00:00:00.000Z',
  })
  availableUntil!: Moment | null;

  @BooleanField({
    description:
      'Whether buyers see it before `availableFrom`, with the `availability` `upcoming`. Otherwise it does not exist for them until then.',
    example: true,
  })
  showBefore!: boolean;

  @ObjectListField(
    {
      maxItems: 5,
      description:
        'How many units somebody can have, in addition to `maxPerBuyer`. Units in open and completed orders count, without those whose money ' +
        'went back in full. An open order counts only for its own mailbox, because everybody can type a nickname.',
      example: [{ of: 'player', max: 3, window: { days: 7 } }],
    },
    () => PurchaseLimitDto,
  )
  limits!: readonly PurchaseLimitDto[];

  @ObjectField(
    {
      nullable: true,
      description:
        'What its player must own on the game server when it is ordered, also when it is paid and not delivered, or get in the same order. null: ' +
        'nothing. A product that was deleted since still counts for those who own it.',
      example: null,
    },
    () => RequirementDto,
  )
  requires!: RequirementDto | null;

  @IdListField({
    maxItems: MAX_NAMED_PRODUCTS,
    description:
      'Who owns one of these products on the game server, or has ordered it, cannot buy it. The product itself: `repeat: refuse`.',
    example: [],
  })
  excludedBy!: readonly string[];
}
