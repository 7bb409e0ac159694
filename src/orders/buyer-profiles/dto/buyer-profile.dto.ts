import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  IdField,
  IntegerField,
  MoneyField,
  MultiLineField,
  ObjectField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { BanDto } from '../../bans/dto/ban.dto.js';
import { MAX_ORDER_NUMBER } from '../../order/order.types.js';
import { BUYER_KINDS, type BuyerKind, MAX_ORDERS } from '../buyer-profile.types.js';

const DISPUTE_STATES = ['open', 'won', 'lost'] as const;
const KEY = '5d1f0c3b7a9e2468ace01357';
const COUNT = { minimum: 0, maximum: 1e9 } as const;

@ApiSchema({ description: 'What a buyer paid and got back in one currency.' })
export class BuyerTotalDto {
  @StringField({ maxLength: 3, description: 'ISO 4217 code.', example: 'EUR' })
  currency!: string;

  @MoneyField({ description: 'What was paid, after discounts.', example: 187.42 })
  paid!: number;

  @MoneyField({ description: 'What was refunded.', example: 7.49 })
  refunded!: number;

  @MoneyField({ description: 'What was lost in disputes.', example: 0 })
  chargedBack!: number;

  @MoneyField({ description: '`paid` without `refunded` and `chargedBack`.', example: 179.93 })
  total!: number;
}

@ApiSchema({
  description: 'A buyer of a shop: a player, or a mailbox. The figures count sales, as they were some seconds ago.',
})
export class BuyerDto {
  @IdField({ description: 'Names the buyer in addresses: a keyed hash.', example: KEY })
  key!: string;

  @ChoiceField({ oneOf: BUYER_KINDS, description: 'Whom the figures are about.', example: 'player' })
  kind!: BuyerKind;

  @StringField({
    nullable: true,
    maxLength: 32,
    description: 'The nickname in the latest order; null when the buyer has no order any more.',
    example: 'Steve_42',
  })
  nickname!: string | null;

  @EmailField({
    nullable: true,
    description: 'The email address in the latest order; null for an order without one, and for plugin keys.',
    example: 'buyer@example.com',
  })
  email!: string | null;

  @IntegerField({ ...COUNT, description: 'Orders placed, paid or not.', example: 10 })
  orders!: number;

  @IntegerField({ ...COUNT, description: 'How many of them were paid.', example: 9 })
  paidOrders!: number;

  @ObjectListField(
    {
      maxItems: 200,
      description: 'The amounts in each currency; empty before the first payment.',
      example: [{ currency: 'EUR', paid: 187.42, refunded: 7.49, chargedBack: 0, total: 179.93 }],
    },
    () => BuyerTotalDto,
  )
  totals!: BuyerTotalDto[];

  @TimestampField({ nullable: true, description: 'When the buyer paid first.', example: '2026-03-01T12:00:00.000Z' })
  firstPurchaseAt!: string | null;

  @TimestampField({ nullable: true, description: 'When the buyer paid last.', example: '2026-11-21T12:00:00.000Z' })
  lastPurchaseAt!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When the latest order was placed; null when the buyer has none any more.',
    example: '2026-11-21T12:00:00.000Z',
  })
  lastOrderAt!: string | null;

  @BooleanField({ description: 'Whether a ban of the player or of the mailbox counts now.', example: false })
  isBanned!: boolean;

  @BooleanField({ description: 'Whether staff wrote a note.', example: false })
  hasNote!: boolean;
}

@ApiSchema({ description: 'A mailbox of a player, or a player of a mailbox.' })
export class BuyerLinkDto {
  @IdField({ description: 'Names the buyer in addresses.', example: KEY })
  key!: string;

  @ChoiceField({ oneOf: BUYER_KINDS, description: 'Whether it is a player or a mailbox.', example: 'mailbox' })
  kind!: BuyerKind;

  @StringField({ maxLength: 255, description: 'The nickname or the email address.', example: 'buyer@example.com' })
  name!: string;
}

@ApiSchema({ description: 'A dispute about an order of a buyer.' })
export class BuyerDisputeDto {
  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;

  @IntegerField({ minimum: 1, maximum: MAX_ORDER_NUMBER, description: 'The number of the order.', example: 1042 })
  number!: number;

  @ChoiceField({ oneOf: DISPUTE_STATES, description: 'Its state.', example: 'open' })
  state!: (typeof DISPUTE_STATES)[number];

  @MoneyField({ description: 'What is disputed, or was lost.', example: 19.99 })
  amount!: number;

  @StringField({ maxLength: 3, description: 'ISO 4217 code.', example: 'EUR' })
  currency!: string;

  @TimestampField({ description: 'When it was opened.', example: '2026-11-21T12:00:00.000Z' })
  openedAt!: string;

  @TimestampField({ description: 'When it reached its state.', example: '2026-11-21T12:00:00.000Z' })
  changedAt!: string;
}

@ApiSchema({ description: 'What staff wrote about a buyer.' })
export class BuyerNoteDto {
  @MultiLineField({ maxLength: 1000, description: 'The note.', example: 'Friendly, writes in Discord' })
  text!: string;

  @TimestampField({ description: 'When it was written.', example: '2026-11-21T12:00:00.000Z' })
  at!: string;

  @StringField({ maxLength: 64, description: 'Who wrote it.', example: 'user:655f1c2ab1e4a9d3f0c81299' })
  by!: string;
}

@ApiSchema({ description: 'Everything about one buyer.' })
export class BuyerDetailsDto extends BuyerDto {
  @ObjectListField(
    {
      description: `The mailboxes of a player, or the players of a mailbox, in the latest ${MAX_ORDERS} orders. Empty for plugin keys.`,
      maxItems: MAX_ORDERS,
      example: [{ key: KEY, kind: 'mailbox', name: 'buyer@example.com' }],
    },
    () => BuyerLinkDto,
  )
  links!: BuyerLinkDto[];

  @ObjectListField(
    {
      maxItems: MAX_ORDERS + 1,
      description: 'The bans of the buyer and of the `links`, also those that have ended.',
      example: [],
    },
    () => BanDto,
  )
  bans!: BanDto[];

  @ObjectListField(
    {
      maxItems: 10_000,
      description: `The disputes in the latest ${MAX_ORDERS} orders that have some.`,
      example: [],
    },
    () => BuyerDisputeDto,
  )
  disputes!: BuyerDisputeDto[];

  @ObjectField(
    { nullable: true, description: 'What staff wrote; null: nothing, and for plugin keys.', example: null },
    () => BuyerNoteDto,
  )
  note!: BuyerNoteDto | null;
}

@ApiSchema({ description: 'A note about a buyer.' })
export class SetBuyerNoteDto {
  @MultiLineField({
    nullable: true,
    minLength: 1,
    maxLength: 1000,
    description: 'The note, for staff only; null removes it.',
    example: 'Friendly, writes in Discord',
  })
  note!: string | null;
}
