import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  ObjectField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { ENDINGS, ENTITLEMENT_STATES } from '../entitlement.types.js';

@ApiSchema({ description: 'The tier of a group of tiers that a product is now, such as a rank.' })
export class EntitlementTierDto {
  @IdField({ description: 'The group of tiers.', example: '655f1c2ab1e4a9d3f0c812d0' })
  groupId!: string;

  @StringField({ maxLength: 60, description: 'The name of the group.', example: 'Ranks' })
  groupName!: string;

  @IdField({ description: 'The product that is the tier.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId!: string;

  @IntegerField({
    minimum: 1,
    maximum: 20,
    description: 'Its position in the group: 1 is the lowest tier.',
    example: 2,
  })
  rank!: number;
}

@ApiSchema({ description: 'What a player owns, or has owned, because of one item of a paid order.' })
export class EntitlementDto {
  @IdField({ description: 'The entitlement.', example: '655f1c2ab1e4a9d3f0c812e0' })
  id!: string;

  @StringField({ maxLength: 32, description: 'The player.', example: 'Steve_42' })
  nickname!: string;

  @IdField({ description: 'The product that was bought.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId!: string;

  @StringField({ nullable: true, maxLength: 120, description: 'The name of the product now.', example: 'VIP rank' })
  productName!: string | null;

  @IdField({
    description:
      'The product as which it counts: the same one, or the one that `countsAs` of the product named at the purchase.',
    example: '655f1c2ab1e4a9d3f0c81270',
  })
  countsAs!: string;

  @IdField({
    nullable: true,
    description: 'The game server on which it is owned; null: on all, or the first one that leases its delivery.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId!: string | null;

  @IntegerField({ minimum: 1, maximum: 1_000_000, description: 'How many units were bought.', example: 1 })
  quantity!: number;

  @ChoiceField({
    oneOf: ENTITLEMENT_STATES,
    description:
      '`pending` is paid and waits for its delivery. `active` was delivered. `held`: the payment is disputed or needs a review; nothing is taken ' +
      'away. `ended`: its time is over, or it was taken away.',
    example: 'active',
  })
  state!: string;

  @ChoiceField({ nullable: true, oneOf: ENDINGS, description: 'Why it has ended; null: it has not.', example: null })
  endedBy!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When it was delivered for the first time; null before.',
    example: '2026-11-21T12:00:00.000Z',
  })
  since!: string | null;

  @TimestampField({
    nullable: true,
    description:
      'When its time is over; null: never, or it has not begun. Purchases that add up end one after the other: the latest end counts.',
    example: '2026-12-21T12:00:00.000Z',
  })
  until!: string | null;

  @ObjectField(
    { nullable: true, description: 'The tier as which it counts; null: it is no tier.', example: null },
    () => EntitlementTierDto,
  )
  tier!: EntitlementTierDto | null;

  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;

  @IntegerField({
    minimum: 0,
    maximum: 49,
    description: 'The item of the order: its index in `items`, from 0.',
    example: 0,
  })
  position!: number;

  @TimestampField({ description: 'When it was stored or changed last.', example: '2026-11-21T12:00:00.000Z' })
  changedAt!: string;
}

@ApiSchema({
  description: 'Whether a player owns a product, by all purchases that count as it or as a higher tier of its group.',
})
export class OwnedProductDto {
  @IdField({ description: 'The product.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId!: string;

  @IdField({ description: 'The product as which it counts.', example: '655f1c2ab1e4a9d3f0c81270' })
  countsAs!: string;

  @BooleanField({
    description: 'Whether the player has it now: it was delivered, and its time is not over.',
    example: true,
  })
  owned!: boolean;

  @BooleanField({ description: 'Whether a purchase of it is paid and waits for its delivery.', example: false })
  pending!: boolean;

  @TimestampField({
    nullable: true,
    description: 'Since when the player has it; null when the player does not.',
    example: '2026-11-21T12:00:00.000Z',
  })
  since!: string | null;

  @TimestampField({
    nullable: true,
    description: 'Until when; null: for good, or the player does not have it.',
    example: '2026-12-21T12:00:00.000Z',
  })
  until!: string | null;

  @ObjectField(
    {
      nullable: true,
      description:
        'The highest tier that the player has of the group of the product, also a higher one than the product; null: none, or it is no tier.',
      example: null,
    },
    () => EntitlementTierDto,
  )
  tier!: EntitlementTierDto | null;
}
