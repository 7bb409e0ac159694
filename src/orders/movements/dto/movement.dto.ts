import { ApiSchema, OmitType } from '@nestjs/swagger';
import { PageQuery } from '../../../http/paging/page.query.dto.js';
import { SeparatorField } from '../../../http/responses/csv-file.js';
import {
  ChoiceField,
  IdField,
  InstantField,
  IntegerField,
  MoneyField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { type CsvSeparator } from '../../../lib/formats/csv.js';
import { TIME_POSITION_BYTES } from '../../../lib/paging/time-position.js';
import { type Moment } from '../../../lib/time/instant.js';
import { MAX_ORDER_NUMBER } from '../../order/order.types.js';
import { MOVEMENT_KINDS, MOVEMENT_STATES, type MovementKind } from '../movement.types.js';

export class ListMovementsQuery extends PageQuery {
  @ChoiceField({ optional: true, oneOf: MOVEMENT_KINDS, description: 'Only those of this kind.', example: 'refund' })
  kind?: MovementKind;

  @StringField({
    optional: true,
    maxLength: 32,
    description: 'Only those of this payment provider.',
    example: 'stripe',
  })
  provider?: string;

  @IdField({ optional: true, description: 'Only those of this order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId?: string;

  @InstantField({
    optional: true,
    description: 'Only those that occurred at this time or later.',
    example: '2026-11-01T00:00:00.000Z',
  })
  from?: Moment;

  @InstantField({
    optional: true,
    description: 'Only those that occurred before this time.',
    example: '2026-12-01T00:00:00.000Z',
  })
  to?: Moment;

  protected override get positionBytes(): number {
    return TIME_POSITION_BYTES;
  }
}

/** The filters of the list of movements, without its pages, and the form of the file. */
export class ExportMovementsQuery extends OmitType(ListMovementsQuery, ['limit', 'cursor', 'after'] as const) {
  @SeparatorField()
  separator?: CsvSeparator;
}

@ApiSchema({ description: 'A payment, a refund or a dispute, as its payment provider reports it.' })
export class MovementDto {
  @IdField({ description: 'The movement.', example: '655f1c2ab1e4a9d3f0c812c0' })
  id!: string;

  @IdField({ description: 'Its order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;

  @IntegerField({
    minimum: 1,
    maximum: MAX_ORDER_NUMBER,
    description: 'The number of its order, for people.',
    example: 1042,
  })
  orderNumber!: number;

  @ChoiceField({
    oneOf: MOVEMENT_KINDS,
    description: '`dispute`: one that is open or was won. `chargeback`: one that was lost.',
    example: 'refund',
  })
  kind!: string;

  @ChoiceField({
    oneOf: MOVEMENT_STATES,
    description:
      '`succeeded` or, for a refund that did not reach the buyer, `failed`; for disputes `open`, `won` or `lost`.',
    example: 'succeeded',
  })
  state!: string;

  @StringField({ maxLength: 32, description: 'The payment provider.', example: 'stripe' })
  provider!: string;

  @StringField({ maxLength: 255, description: "The provider's id of the payment.", example: 'pi_1' })
  paymentId!: string;

  @StringField({
    nullable: true,
    maxLength: 255,
    description: "The provider's id of the refund; null for others, and where the provider names none.",
    example: 're_1',
  })
  refundId!: string | null;

  @StringField({
    nullable: true,
    maxLength: 255,
    description: "The provider's id of the dispute; null for others, and where the provider names none.",
    example: null,
  })
  disputeId!: string | null;

  @MoneyField({ description: 'What was paid, refunded, disputed or lost.', example: 8.99 })
  amount!: number;

  @MoneyField({
    minimum: -Number.MAX_SAFE_INTEGER,
    description:
      'What it adds to the money of the shop: the amount of a payment, less than 0 for a refund and a chargeback, and 0 for what ' +
      'is open, failed or won.',
    example: -8.99,
  })
  netAmount!: number;

  @StringField({ maxLength: 3, description: 'The ISO 4217 code of both amounts.', example: 'EUR' })
  currency!: string;

  @TimestampField({
    description: 'When it began, as the provider says: of a dispute, when it was opened.',
    example: '2026-11-21T12:00:00.000Z',
  })
  startedAt!: string;

  @TimestampField({
    description: 'When it reached its state, as the provider says: of a chargeback, when the dispute was lost.',
    example: '2026-11-21T12:00:00.000Z',
  })
  occurredAt!: string;
}
