import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
  TimestampField,
} from '../../common/validation/fields.js';
import { type Breakdown, BREAKDOWNS } from '../breakdown-rules.js';
import { MAX_ROWS } from './breakdown.query.dto.js';
import { IntervalDto } from './interval.dto.js';
import { AMOUNT, COUNT } from './series.dto.js';

const ROW_EXAMPLE = {
  key: '655f1c2ab1e4a9d3f0c81270',
  name: 'VIP',
  grossRevenue: 49.98,
  refunds: 0,
  chargebacks: 0,
  netRevenue: 49.98,
  paidOrders: 2,
  newBuyers: 1,
  discountTotal: 0,
  itemsSold: 2,
};

@ApiSchema({
  description:
    'The figures of one product, server, payment provider or discount code. They mean what they mean in a comparison. An order ' +
    'with several products counts in the row of each of them, with its share of every amount.',
})
export class BreakdownRowDto {
  @TextField({
    nullable: true,
    maxLength: 64,
    description:
      'The id of the product or the server, the name of the payment provider, or the discount code. Null: orders for no server, ' +
      'or orders without a payment (free ones, and imported ones).',
    example: ROW_EXAMPLE.key,
  })
  key!: string | null;

  @TextField({
    nullable: true,
    maxLength: 120,
    description: 'What the product or the server is called now; null in other breakdowns.',
    example: ROW_EXAMPLE.name,
  })
  name!: string | null;

  @NumberField({ ...AMOUNT, description: 'What buyers paid (after discounts).', example: ROW_EXAMPLE.grossRevenue })
  grossRevenue!: number;

  @NumberField({ ...AMOUNT, description: 'What was refunded.', example: ROW_EXAMPLE.refunds })
  refunds!: number;

  @NumberField({ ...AMOUNT, description: 'What the shop lost in disputes.', example: ROW_EXAMPLE.chargebacks })
  chargebacks!: number;

  @NumberField({
    ...AMOUNT,
    description: '`grossRevenue` minus `refunds` and `chargebacks`.',
    example: ROW_EXAMPLE.netRevenue,
  })
  netRevenue!: number;

  @IntegerField({ ...COUNT, description: 'Orders paid. In `discount`: how often the code was used.', example: 2 })
  paidOrders!: number;

  @IntegerField({ ...COUNT, description: 'Buyers who paid in this shop for the first time.', example: 1 })
  newBuyers!: number;

  @NumberField({ ...AMOUNT, description: 'What discounts took off the paid orders.', example: 0 })
  discountTotal!: number;

  @IntegerField({ ...COUNT, description: 'The number of items in the paid orders, by their quantities.', example: 2 })
  itemsSold!: number;
}

@ApiSchema({ description: 'The sales of a period, split into parts. Amounts are in major units of `currency`.' })
export class BreakdownDto {
  @ChoiceField({ oneOf: BREAKDOWNS, description: 'What the sales are split by.', example: 'product' })
  by!: Breakdown;

  @ObjectField(
    {
      description: 'The period. A running one ends in the future; what is counted ends at `generatedAt`.',
      example: { from: '2026-10-22T22:00:00.000Z', to: '2026-11-21T23:00:00.000Z' },
    },
    () => IntervalDto,
  )
  period!: IntervalDto;

  @TextField({ maxLength: 64, description: 'The time zone in which days begin and end.', example: 'Europe/Berlin' })
  timezone!: string;

  @TextField({ maxLength: 3, description: 'ISO 4217 code of all amounts.', example: 'EUR' })
  currency!: string;

  @BooleanField({ description: 'Whether the period is over.', example: false })
  complete!: boolean;

  @IntegerField({ ...COUNT, description: 'How many rows there are in all.', example: 1 })
  total!: number;

  @ObjectListField(
    {
      maxItems: MAX_ROWS,
      description: 'The rows with the most net revenue, the first one most.',
      example: [ROW_EXAMPLE],
    },
    () => BreakdownRowDto,
  )
  rows!: BreakdownRowDto[];

  @TimestampField({ description: 'When the figures were computed.', example: '2026-11-21T12:00:00.000Z' })
  generatedAt!: string;
}
