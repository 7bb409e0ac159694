import { ApiSchema } from '@nestjs/swagger';
import { ObjectField } from '../../../../http/validation/fields.js';
import { MetricDto, RatioMetricDto } from './metric.dto.js';

const MONEY = { current: 1249.5, previous: 999.6, change: 249.9, changePercent: 25 };
const COUNT = { current: 50, previous: 40, change: 10, changePercent: 25 };
const NOTHING = { current: 0, previous: 0, change: 0, changePercent: null };

export const METRICS_EXAMPLE = {
  grossRevenue: MONEY,
  refunds: NOTHING,
  chargebacks: NOTHING,
  netRevenue: MONEY,
  orders: COUNT,
  paidOrders: COUNT,
  averageOrderValue: { current: 24.99, previous: 24.99, change: 0, changePercent: 0 },
  uniqueBuyers: COUNT,
  newBuyers: COUNT,
  conversion: { current: 0.82, previous: 0.8, change: 0.02, changePercent: 2.5 },
  discountTotal: NOTHING,
  itemsSold: COUNT,
};

@ApiSchema({
  description: 'All figures of a period, each with the earlier one. Amounts are in major units of `currency`.',
})
export class MetricsDto {
  @ObjectField(
    { description: 'What buyers paid (after discounts), counted when they paid.', example: MONEY },
    () => MetricDto,
  )
  grossRevenue!: MetricDto;

  @ObjectField({ description: 'What was refunded, counted when it was refunded.', example: NOTHING }, () => MetricDto)
  refunds!: MetricDto;

  @ObjectField(
    { description: 'What the shop lost in disputes, counted when it lost them.', example: NOTHING },
    () => MetricDto,
  )
  chargebacks!: MetricDto;

  @ObjectField({ description: '`grossRevenue` minus `refunds` and `chargebacks`.', example: MONEY }, () => MetricDto)
  netRevenue!: MetricDto;

  @ObjectField({ description: 'Orders created, paid or not.', example: COUNT }, () => MetricDto)
  orders!: MetricDto;

  @ObjectField({ description: 'Orders paid, created at any time.', example: COUNT }, () => MetricDto)
  paidOrders!: MetricDto;

  @ObjectField(
    {
      description: '`grossRevenue` divided by `paidOrders`, rounded; null without a paid order.',
      example: METRICS_EXAMPLE.averageOrderValue,
    },
    () => RatioMetricDto,
  )
  averageOrderValue!: RatioMetricDto;

  @ObjectField(
    { description: 'Different buyers (by the mailbox of the email address) who paid.', example: COUNT },
    () => MetricDto,
  )
  uniqueBuyers!: MetricDto;

  @ObjectField(
    { description: 'Buyers whose earliest payment in this shop is in the period.', example: COUNT },
    () => MetricDto,
  )
  newBuyers!: MetricDto;

  @ObjectField(
    {
      description:
        'The part of the orders created that has been paid by now (0 to 1, four decimals); null without an order.',
      example: METRICS_EXAMPLE.conversion,
    },
    () => RatioMetricDto,
  )
  conversion!: RatioMetricDto;

  @ObjectField({ description: 'What discounts took off the paid orders.', example: NOTHING }, () => MetricDto)
  discountTotal!: MetricDto;

  @ObjectField(
    { description: 'The number of items in the paid orders, by their quantities.', example: COUNT },
    () => MetricDto,
  )
  itemsSold!: MetricDto;
}
