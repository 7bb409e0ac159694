import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IntegerField, ObjectListField, StringField } from '../../../../http/validation/fields.js';
import { type Breakdown, BREAKDOWNS } from '../../rollups/breakdown-rules.js';
import { MAX_ROWS } from './breakdown.query.dto.js';
import { MeasuredPeriodDto } from './measured-period.dto.js';
import { COUNT, PAID_FIGURES_EXAMPLE, PaidFiguresDto } from './paid-figures.dto.js';

const ROW_EXAMPLE = { key: '655f1c2ab1e4a9d3f0c81270', name: 'VIP', ...PAID_FIGURES_EXAMPLE };

@ApiSchema({
  description:
    'The figures of one product, server, payment provider or discount code, defined as in a comparison. An order ' +
    'with several products counts in the row of each of them, with its share of every amount. Of a code, `paidOrders` is how often ' +
    'it was used.',
})
export class BreakdownRowDto extends PaidFiguresDto {
  @StringField({
    nullable: true,
    maxLength: 64,
    description:
      'The id of the product or the server, the name of the payment provider, or the discount code. Null: orders for no server, ' +
      'or orders without a payment (free ones, and imported ones).',
    example: ROW_EXAMPLE.key,
  })
  key!: string | null;

  @StringField({
    nullable: true,
    maxLength: 120,
    description: 'The current name of the product or the server; null in other breakdowns.',
    example: ROW_EXAMPLE.name,
  })
  name!: string | null;
}

@ApiSchema({ description: 'The sales of a period, split into parts. Amounts are in major units of `currency`.' })
export class BreakdownDto extends MeasuredPeriodDto {
  @ChoiceField({ oneOf: BREAKDOWNS, description: 'The dimension of the breakdown.', example: 'product' })
  by!: Breakdown;

  @IntegerField({ ...COUNT, description: 'The number of all rows.', example: 1 })
  total!: number;

  @ObjectListField(
    {
      maxItems: MAX_ROWS,
      description: 'The rows, in descending order of net revenue.',
      example: [ROW_EXAMPLE],
    },
    () => BreakdownRowDto,
  )
  rows!: BreakdownRowDto[];
}
